/// The parts of an answer that a custom runner delivered before its completion, which in versions before 0.7 does not
/// repeat them.
struct DeliveredAnswer: Sendable {
    private var text = ""
    private var reasoning = ""
    private var calls: [LeapFunctionCall] = []

    /// Adds a part of the answer.
    mutating func take(_ event: ResponseEvent) {
        switch event {
        case .text(let text): self.text += text
        case .reasoning(let text): reasoning += text
        case .calls(let calls): self.calls += calls
        case .audio, .end, .failure: break
        }
    }

    /// Returns the completion, in whose message missing parts are filled in from what was delivered.
    func completed(_ completion: MessageCompletion) -> MessageCompletion {
        var message = completion.message
        if message.content.isEmpty, !text.isEmpty { message.content = [.text(text)] }
        if message.reasoningContent == nil, !reasoning.isEmpty { message.reasoningContent = reasoning }
        if message.functionCalls == nil, !calls.isEmpty { message.functionCalls = calls }
        return MessageCompletion(
            message: message, finishReason: completion.finishReason, stats: completion.stats, ending: completion.ending,
            logprobs: completion.logprobs, droppedMessages: completion.droppedMessages)
    }
}
