import LeapJSON

/// Functions with code behind them: a conversation runs those that the model asks to call, and lets it go on with their
/// results until it asks for none; see ``Conversation/generateResponse(message:generationOptions:running:)``.
public struct FunctionLoop: Sendable {
    /// Runs the function and returns its result for the model, which sees errors as well.
    public typealias Body = @Sendable (LeapFunctionCall) async throws -> String

    /// The code by the functions' names. A call of a registered function that has none is the app's to answer, and ends the
    /// loop.
    public var bodies: [String: Body]
    /// How often the model may ask in a row. With the last answer allowed the loop ends, its calls unanswered.
    public var roundLimit: Int
    /// Decides whether a call is run. The model is told that other calls were refused. Without this closure, every call
    /// is run.
    public var approves: (@Sendable (LeapFunctionCall) async -> Bool)?

    /// Makes a loop.
    public init(
        _ bodies: [String: Body], roundLimit: Int = 8, approves: (@Sendable (LeapFunctionCall) async -> Bool)? = nil
    ) {
        self.bodies = bodies
        self.roundLimit = roundLimit
        self.approves = approves
    }

    /// The result of a call, for the model to read.
    func result(of call: LeapFunctionCall, problems: [LeapFunctionCallProblem]) async throws -> String {
        guard problems.isEmpty, let body = bodies[call.name] else {
            let reasons = problems.map(\.description).joined(separator: "; ")
            return "error: " + (reasons.isEmpty ? "there is no function '\(call.name)'" : reasons)
        }
        guard await approves?(call) ?? true else { return "error: this call was refused by the user" }
        do { return try await body(call) } catch let error as CancellationError { throw error } catch {
            return "error: \(error)"
        }
    }
}

extension Conversation {
    /// Generates answers to a message, runs the functions that they ask for, and goes on until an answer asks for none.
    ///
    /// Everything that is generated is delivered in one stream, which ends with the completion of the last answer.
    /// Calls and their results are in the ``history``. Ending the stream, or cancelling its task, ends the generation
    /// and the loop.
    ///
    /// - Parameters:
    ///   - message: The message that asks.
    ///   - generationOptions: Those of each answer.
    ///   - loop: The code of the functions, which must also be registered with the conversation.
    public func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions? = nil, running loop: FunctionLoop
    ) -> ResponseStream {
        ResponseStream { continuation in
            let task = Task {
                do {
                    try await run(loop, message, generationOptions) { continuation.yield($0) }
                    continuation.end(nil)
                } catch {
                    continuation.end(error as? LeapError ?? .generationFailure("\(error)", error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(
        _ loop: FunctionLoop, _ message: ChatMessage, _ options: GenerationOptions?,
        _ deliver: (MessageResponse) -> Void
    ) async throws {
        var stream = generateResponse(message: message, generationOptions: options)
        for round in 1... {
            var last: MessageResponse?
            for try await response in stream {
                if response.asCompletion != nil { last = response } else { deliver(response) }
            }
            guard let last else { return }
            // Of the history, because completions before version 0.7 had no calls.
            let calls = history.last?.functionCalls ?? []
            guard !calls.isEmpty, round <= loop.roundLimit, isAnswered(calls, loop) else {
                return deliver(last)
            }
            try await answer(calls, loop)
            stream = generateResponse(generationOptions: options)
        }
    }

    /// Runs the functions and appends their results. Meanwhile the conversation counts as generating, so that no other message
    /// comes between a call and its result. Calls that are cancelled say so: a history whose calls have no results is refused by
    /// many services.
    private func answer(_ calls: [LeapFunctionCall], _ loop: FunctionLoop) async throws {
        let holder = self as? any HoldableConversation
        let number = holder?.generationBegins()
        defer { if let number { holder?.generationEnds(number, with: nil) } }
        for (index, call) in calls.enumerated() {
            do {
                try Task.checkCancellation()
                let result = try await loop.result(of: call, problems: problems(in: call))
                appendToHistory(ChatMessage(role: .tool, textContent: result))
            } catch {
                for _ in calls[index...] {
                    appendToHistory(ChatMessage(role: .tool, textContent: "error: this call was cancelled"))
                }
                throw error
            }
        }
    }

    /// Whether none of some calls is the app's to answer.
    private func isAnswered(_ calls: [LeapFunctionCall], _ loop: FunctionLoop) -> Bool {
        calls.allSatisfy { call in loop.bodies[call.name] != nil || !functions.contains { $0.name == call.name } }
    }
}

/// A conversation that others can keep from beginning a generation.
package protocol HoldableConversation: Sendable {
    /// Notes that an exclusive generation begins, and returns its number.
    func generationBegins() -> Int
    /// It ends, and its answer is appended.
    func generationEnds(_ number: Int, with answer: ChatMessage?)
}
