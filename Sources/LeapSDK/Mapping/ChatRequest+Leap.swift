import LeapEngine
import LeapGeneration

extension LoadedModel {
    /// Converts a conversation to a request of the engine.
    ///
    /// - Parameter sampling: The parameters given at load time, which the options override.
    func chat(
        _ messages: [ChatMessage], functions: [LeapFunction] = [], _ options: GenerationOptions.Values,
        sampling: SamplingOverrides
    ) throws -> ChatRequest {
        ChatRequest(
            try messages.map { try Message($0) }, tools: functions.map { Tool($0) }, thinks: options.enableThinking,
            templateVariables: options.templateVariables,
            try AnswerOptions(options, sampling: sampling))
    }

    /// Returns the generation request for a history, shortened to the context according to the options' policy, and the
    /// messages that were dropped.
    func fittingRequest(
        _ history: [ChatMessage], functions: [LeapFunction], _ options: GenerationOptions.Values,
        sampling: SamplingOverrides
    ) throws -> (request: GenerationRequest, dropped: [ChatMessage]) {
        var chat = try chat(history, functions: functions, options, sampling: sampling)
        if case .custom(let shorten) = options.contextPolicy {
            return try shortened(history, limit: contextLimit(chat.options), by: shorten) { messages in
                chat.messages = try messages.map { try Message($0) }
                return try request(chat)
            }
        }
        let fitted = try fittingRequest(chat)
        let dropped = fitted.dropped.map { history[$0] }
        if case .dropOldestTurns(let notify?) = options.contextPolicy, !dropped.isEmpty { notify(dropped) }
        return (fitted.request, dropped)
    }

    /// The maximum number of times that an app's policy is asked for a shorter history.
    private static let attempts = 10

    private func shortened(
        _ history: [ChatMessage], limit: Int, by shorten: (ContextOverflow) throws -> [ChatMessage],
        _ request: ([ChatMessage]) throws -> GenerationRequest
    ) throws -> (request: GenerationRequest, dropped: [ChatMessage]) {
        var (messages, fitted) = (history, (request: try request(history), dropped: [ChatMessage]()))
        for _ in 0..<Self.attempts where fitted.request.prompt.count >= limit {
            let overflow = ContextOverflow(
                messages: messages, promptTokens: fitted.request.prompt.count, limit: limit - 1)
            do { messages = try shorten(overflow) } catch {
                throw LeapError.promptExceedContextLengthFailure(
                    "the prompt has \(overflow.promptTokens) tokens, but the context holds \(limit), and the app's policy "
                        + "failed: \(error)", error)
            }
            fitted = (try request(messages), Self.missing(from: messages, of: history))
        }
        return fitted
    }

    /// Returns the messages of a history that `messages` lacks. Of equal messages, the earliest count as missing.
    private static func missing(from messages: [ChatMessage], of history: [ChatMessage]) -> [ChatMessage] {
        var left = Dictionary(messages.map { ($0, 1) }, uniquingKeysWith: +)
        let missing = history.reversed().filter { message in
            guard let count = left[message], count > 0 else { return true }
            left[message] = count - 1
            return false
        }
        return missing.reversed()
    }
}
