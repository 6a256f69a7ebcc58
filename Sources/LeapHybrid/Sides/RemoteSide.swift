import LeapOpenAIClient
import LeapSDKTypes

/// Asks the model on a server.
struct RemoteSide {
    let model: RemoteModel

    /// Answers a request: delivers the pieces and returns the complete answer.
    func answer(_ request: RoutingRequest, _ output: SideOutput) async throws -> SideAnswer {
        let completionRequest = try ChatCompletionRequest(request, to: model)
        var draft = RemoteDraft()
        for try await event in model.client.streamChatCompletion(request: completionRequest) {
            switch event {
            case .delta(let delta):
                if !delta.toolCalls.isEmpty { try output.begin() }
                for response in draft.append(delta) { try output.emit(response) }
            case .done(let end):
                let calls = try end.toolCalls.map(LeapFunctionCall.init)
                if !calls.isEmpty { try output.emit(.functionCall(calls)) }
                return draft.finish(end, calls)
            case .error(let error): throw error.cause
            }
        }
        try Task.checkCancellation()
        throw HybridError.endless(.remote)
    }
}

/// An answer in progress, and the time that it takes.
private struct RemoteDraft {
    private let start = ContinuousClock.now
    private var first: ContinuousClock.Instant?
    private var text = ""
    private var reasoning = ""

    mutating func append(_ delta: ChatCompletionEvent.Delta) -> [HybridResponse] {
        // A refusal counts as the answer's text.
        let content = delta.content + (delta.refusal ?? "")
        var responses: [HybridResponse] = []
        if let thought = delta.reasoning, !thought.isEmpty { responses.append(.reasoningChunk(thought)) }
        if !content.isEmpty { responses.append(.chunk(content)) }
        if !responses.isEmpty || !delta.toolCalls.isEmpty { first = first ?? .now }
        text += content
        reasoning += delta.reasoning ?? ""
        return responses
    }

    func finish(_ end: ChatCompletionEvent.Done, _ calls: [LeapFunctionCall]) -> SideAnswer {
        let message = LeapSDKTypes.ChatMessage(
            role: .assistant, content: [.text(text)], reasoningContent: reasoning.isEmpty ? nil : reasoning,
            functionCalls: calls.isEmpty ? nil : calls)
        let ending: GenerationEnding = end.finishReason == "length" ? .maximumTokens : .endOfTurn
        return SideAnswer(
            message: message, ending: ending, stats: end.usage.map { stats($0, ending) }, usage: end.usage,
            finishReason: end.finishReason)
    }

    /// Returns statistics as in LeapSDK, measured by this machine's clock, so that they include the network's time.
    private func stats(_ usage: Usage, _ ending: GenerationEnding) -> GenerationStats {
        let end = ContinuousClock.now
        let first = first ?? end
        let cached = min(usage.cachedPromptTokens ?? 0, usage.promptTokens)
        let computed = usage.promptTokens - cached
        let (prefill, decode) = ((first - start) / .seconds(1), (end - first) / .seconds(1))
        return GenerationStats(
            promptTokens: UInt64(computed), completionTokens: UInt64(usage.completionTokens),
            totalTokens: UInt64(computed) + UInt64(usage.completionTokens),
            tokenPerSecond: decode > 0 ? Float(Double(max(0, usage.completionTokens - 1)) / decode) : 0,
            cachedPromptTokens: UInt64(cached),
            promptTokenPerSecond: prefill > 0 ? Float(Double(computed) / prefill) : 0,
            timeToFirstToken: prefill, ending: ending)
    }
}

extension LeapFunctionCall {
    /// - Throws: ``HybridError/malformedCall(name:_:)``.
    init(_ call: ChatCompletionToolCall) throws {
        do throws(LeapError) { try self.init(name: call.name, arriving: .string(call.arguments)) } catch {
            throw HybridError.malformedCall(name: call.name, error)
        }
    }
}
