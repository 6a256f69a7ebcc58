public import LeapSDKTypes
import Synchronization

extension HybridConversation {
    /// Appends a message and generates the answer. The generation starts immediately, not when the stream is first
    /// read.
    ///
    /// The generation stops when the reading task is cancelled, or when the stream is discarded before its end.
    ///
    /// - Parameters:
    ///   - message: The message to append.
    ///   - generationOptions: How to generate; `nil` for the defaults of the model that answers.
    /// - Returns: The responses; the stream ends with ``HybridResponse/complete(_:)`` or throws a ``HybridError``.
    public func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions? = nil
    ) -> HybridStream {
        stream(message, generationOptions)
    }

    /// Appends a text message of the user and generates the answer.
    public func generateResponse(
        userTextMessage: String, generationOptions: GenerationOptions? = nil
    ) -> HybridStream {
        stream(ChatMessage(role: .user, textContent: userTextMessage), generationOptions)
    }

    /// Generates an answer to the history without appending a message first, for example after a function's result.
    public func generateResponse(generationOptions: GenerationOptions? = nil) -> HybridStream {
        stream(nil, generationOptions)
    }

    private func stream(_ message: ChatMessage?, _ options: GenerationOptions?) -> HybridStream {
        let (stream, continuation) = HybridStream.makeStream()
        let turn: ConversationTurn
        let request: RoutingRequest
        do { (turn, request) = try begin(message, options?.values ?? .init()) } catch {
            continuation.finish(throwing: error)
            return stream
        }
        let task = Task {
            do {
                let completion = try await run(request) { continuation.yield($0) }
                try end(turn, completion.message)
                continuation.yield(.complete(completion))
                continuation.finish()
            } catch {
                abandon(turn)
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { [self] in
            guard case .cancelled = $0 else { return }
            task.cancel()
            abandon(turn)
        }
        return stream
    }
}

// MARK: - The course of a turn

extension HybridConversation {
    /// Claims the conversation and appends the message.
    private func begin(
        _ message: ChatMessage?, _ options: GenerationOptions.Values
    ) throws(HybridError) -> (ConversationTurn, RoutingRequest) {
        let result = state.withLock { state -> Result<(ConversationTurn, RoutingRequest), HybridError> in
            guard !state.course.isGenerating else { return .failure(.busy) }
            let functions: [LeapFunction]
            switch state.course.takeFunctions() {
            case .success(let known): functions = known
            case .failure(let refusal): return .failure(.function(refusal))
            }
            guard let turn = state.course.begin(message) else { return .failure(.busy) }
            let request = RoutingRequest(
                messages: state.course.history, functions: functions, options: options,
                capabilities: [.local: localCapabilities, .remote: remote.capabilities], failures: state.failures,
                modelRunner: modelRunner)
            return .success((turn, request))
        }
        return try result.get()
    }

    /// Appends the answer.
    ///
    /// - Throws: `CancellationError` if the turn was stopped meanwhile.
    private func end(_ turn: ConversationTurn, _ answer: ChatMessage) throws {
        guard state.withLock({ $0.course.end(turn, with: answer) }) else { throw CancellationError() }
    }

    /// Abandons a turn: removes its unanswered message from the history.
    private func abandon(_ turn: ConversationTurn) {
        state.withLock { $0.course.abandon(turn) }
    }
}

// MARK: - Asking

extension HybridConversation {
    /// Asks one side and, if it fails before its first token, the other one, unless that lacks what the request needs.
    private func run(
        _ request: RoutingRequest, emit: @escaping @Sendable (HybridResponse) -> Void
    ) async throws -> HybridCompletion {
        let decision = await policy.finalDecision(for: request)
        try Task.checkCancellation()
        let route = HybridRoute(side: decision.side, reason: decision.reason)
        do {
            return try await ask(route, request, within: decision.firstToken, emit: emit)
        } catch HybridError.failed(let side, let cause) where decision.hasFallback {
            let lacking = request.lacks(side.other)
            guard lacking.isEmpty else {
                throw HybridError.bothFailed(
                    first: side, cause, then: HybridError.unsupported(side.other, lacking))
            }
            let second = HybridRoute(
                side: side.other, reason: "the \(side.rawValue) side failed", failure: "\(cause)")
            do {
                return try await ask(second, request, within: nil, emit: emit)
            } catch HybridError.failed(_, let next) {
                throw HybridError.bothFailed(first: side, cause, then: next)
            }
        }
    }

    /// Asks a side.
    ///
    /// - Throws: ``HybridError/failed(_:_:)`` before its first token, ``HybridError/brokenOff(_:_:)`` later, or
    ///   `CancellationError`.
    private func ask(
        _ route: HybridRoute, _ request: RoutingRequest, within limit: Duration?,
        emit: @escaping @Sendable (HybridResponse) -> Void
    ) async throws -> HybridCompletion {
        let side = route.side
        let first = FirstToken()
        emit(.route(route))
        do {
            let late = HybridError.tooSlow(side, limit ?? .zero)
            let answer = try await first.within(limit, late: late) { [self] in
                let answer = try await self.answer(side, request, SideOutput(first: first, deliver: emit))
                // An answer may be empty.
                try first.arrive()
                return answer
            }
            state.withLock { $0.failures[side] = nil }
            return HybridCompletion(
                message: answer.message, route: route, ending: answer.ending, stats: answer.stats, usage: answer.usage,
                finishReason: answer.finishReason)
        } catch {
            try Task.checkCancellation()
            note(failure: side)
            throw first.hasArrived ? HybridError.brokenOff(side, error) : HybridError.failed(side, error)
        }
    }

    private func answer(
        _ side: HybridSide, _ request: RoutingRequest, _ output: SideOutput
    ) async throws -> SideAnswer {
        switch side {
        case .local: try await LocalSide(modelRunner: modelRunner).answer(request, output)
        case .remote: try await RemoteSide(model: remote).answer(request, output)
        }
    }

    private func note(failure side: HybridSide) {
        state.withLock { state in
            let count = state.failures[side]?.count ?? 0
            state.failures[side] = HybridFailures(count: count + 1, last: .now)
        }
    }
}
