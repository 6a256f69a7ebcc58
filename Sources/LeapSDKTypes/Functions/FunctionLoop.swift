import LeapJSON

/// The implementations of a conversation's functions. The conversation runs those that the model calls and continues
/// with their results, until an answer calls none; see
/// ``Conversation/generateResponse(message:generationOptions:running:)``.
public struct FunctionLoop: Sendable {
    /// Runs the function and returns its result for the model. Thrown errors are reported to the model as well, except
    /// `CancellationError`, which ends the loop.
    public typealias Body = @Sendable (LeapFunctionCall) async throws -> String

    /// The implementations by function name. A call of a registered function without one is left to the app and ends
    /// the loop.
    public var bodies: [String: Body]
    /// The maximum number of rounds in which calls are run. After the last one, the loop ends even if the answer
    /// contains calls, which are then not run.
    public var roundLimit: Int
    /// Decides whether a call is run; the model is told if it was refused. If `nil`, every call is run.
    public var approves: (@Sendable (LeapFunctionCall) async -> Bool)?

    /// Creates a loop.
    public init(
        _ bodies: [String: Body], roundLimit: Int = 8, approves: (@Sendable (LeapFunctionCall) async -> Bool)? = nil
    ) {
        self.bodies = bodies
        self.roundLimit = roundLimit
        self.approves = approves
    }

    /// Returns the result of a call for the model.
    func result(of call: LeapFunctionCall, problems: [LeapFunctionCallProblem]) async throws -> String {
        guard problems.isEmpty, let body = bodies[call.name] else {
            let reasons = problems.map(\.description).joined(separator: "; ")
            return "error: " + (reasons.isEmpty ? "unknown function '\(call.name)'" : reasons)
        }
        guard await approves?(call) ?? true else { return "error: this call was refused by the user" }
        do { return try await body(call) } catch let error as CancellationError { throw error } catch {
            return "error: \(error)"
        }
    }
}

extension Conversation {
    /// Appends a message and generates answers, running the functions that they call, until an answer calls none.
    ///
    /// All responses are delivered in one stream, which ends with the completion of the last answer. Calls and their
    /// results are appended to the ``history``. Until the stream ends, the conversation counts as generating. Discarding
    /// the stream, or cancelling the task that reads it, stops the generation and the loop, and the next message may be
    /// sent at once; but while a function runs, the conversation stays busy until the function returns. So a function
    /// that ignores cancellation keeps it busy.
    ///
    /// - Parameters:
    ///   - message: The message to append.
    ///   - generationOptions: How to generate each answer; `nil` for the model's defaults.
    ///   - loop: The implementations of the functions, which must also be registered with the conversation.
    public func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions? = nil, running loop: FunctionLoop
    ) -> ResponseStream {
        // Nobody else may generate between an answer and the results of its calls. If somebody already does, this stream fails
        // as any other.
        let hold = (self as? any HoldableConversation)?.hold()
        // The message is in the history when this returns, so the first answer does not wait for the task.
        let first = stream(message, generationOptions, hold)
        return ResponseStream { continuation in
            let task = Task {
                do {
                    let last = try await run(loop, first, generationOptions, hold) { continuation.yield($0) }
                    if let last { continuation.yield(last) }
                    continuation.end(nil)
                } catch {
                    continuation.end(error as? LeapError ?? .generationFailure("\(error)", error))
                }
            }
            continuation.onTermination = { _ in
                task.cancel()
                // The task ends later; who stopped the loop may send the next message now.
                if let hold { (self as? any HoldableConversation)?.abandon(hold) }
            }
        }
    }

    /// Delivers everything but the last completion, which it returns: who gets that may send the next message at once.
    private func run(
        _ loop: FunctionLoop, _ first: ResponseStream, _ options: GenerationOptions?, _ hold: Int?,
        _ deliver: (MessageResponse) -> Void
    ) async throws -> MessageResponse? {
        defer { if let hold { (self as? any HoldableConversation)?.release(hold) } }
        var stream = first
        var rounds = 0
        while true {
            var last: MessageResponse?
            for try await response in stream {
                if response.asCompletion != nil { last = response } else { deliver(response) }
            }
            guard let last else { return nil }
            // Of the history, because completions before version 0.7 had no calls.
            let calls = history.last?.functionCalls ?? []
            // An abandoned loop no longer owns the history, so its last message may be somebody else's.
            guard !calls.isEmpty, rounds < loop.roundLimit, isAnswered(calls, loop), keepsHold(hold) else {
                return last
            }
            rounds += 1
            try await answer(calls, loop)
            try Task.checkCancellation()
            stream = self.stream(nil, options, hold)
        }
    }

    /// Whether functions may be run: the conversation is still held, and stays so until they have returned.
    private func keepsHold(_ hold: Int?) -> Bool {
        guard let hold, let holder = self as? any HoldableConversation else { return true }
        return holder.functionsBegin(hold)
    }

    private func stream(_ message: ChatMessage?, _ options: GenerationOptions?, _ hold: Int?) -> ResponseStream {
        if let hold, let holder = self as? any HoldableConversation {
            return holder.generateResponse(message: message, generationOptions: options, holding: hold)
        }
        guard let message else { return generateResponse(generationOptions: options) }
        return generateResponse(message: message, generationOptions: options)
    }

    /// Runs the functions and appends their results. Cancelled calls get a result that says so, because many services reject a
    /// history with calls that have no results.
    private func answer(_ calls: [LeapFunctionCall], _ loop: FunctionLoop) async throws {
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

    /// Whether none of the calls is left to the app.
    private func isAnswered(_ calls: [LeapFunctionCall], _ loop: FunctionLoop) -> Bool {
        calls.allSatisfy { call in loop.bodies[call.name] != nil || !functions.contains { $0.name == call.name } }
    }
}

/// A conversation that can be held: only the holder may generate, and it counts as generating.
package protocol HoldableConversation: Sendable {
    /// Holds the conversation.
    ///
    /// - Returns: The number that names the holder; `nil` while somebody generates or holds it.
    func hold() -> Int?
    /// Ends what ``hold()`` began.
    func release(_ hold: Int)
    /// Stops the holder's generation and releases the hold, so that others may generate as soon as this returns. Does nothing
    /// between an answer with calls and the holder's next generation: then the holder adds results and calls ``release(_:)``.
    func abandon(_ hold: Int)
    /// Keeps the hold while the functions run that the holder's last answer calls.
    ///
    /// - Returns: Whether the conversation is still held, that is, whether the functions may run.
    func functionsBegin(_ hold: Int) -> Bool
    /// Generates an answer for the holder, to a message that is appended before, or to the history.
    func generateResponse(
        message: ChatMessage?, generationOptions: GenerationOptions?, holding hold: Int
    ) -> ResponseStream
}
