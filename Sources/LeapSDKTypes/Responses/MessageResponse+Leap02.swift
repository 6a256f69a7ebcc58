#if Leap02
import LeapJSON

// The responses of versions 0.1 and 0.2, under the package's trait of this name.

/// What a generation delivers, in order; ``complete(_:_:)`` comes last.
public enum MessageResponse: Sendable, Hashable {
    /// Text of the answer.
    case chunk(String)
    /// Text of the model's thoughts, from between `<think>` and `</think>`.
    case reasoningChunk(String)
    /// The end: what it cost, in words, and why it ended.
    case complete(String, GenerationFinishReason)
}

extension MessageResponse {
    /// The end.
    package static func complete(_ completion: MessageCompletion) -> MessageResponse {
        let usage = completion.stats.map {
            "\($0.promptTokens) prompt tokens, \($0.completionTokens) completion tokens, "
                + "\($0.tokenPerSecond) tokens per second"
        }
        return .complete(usage ?? "nothing was generated", completion.finishReason)
    }

    /// Functions that the model asks to call, which these versions could deliver as text only.
    package static func functionCall(_ calls: [LeapFunctionCall]) -> MessageResponse {
        .chunk(calls.map { "\($0.name)(\($0.argumentsJSON.text()))" }.joined(separator: "\n"))
    }

    /// The end, if it is one. The message is not known.
    package var asCompletion: MessageCompletion? {
        guard case .complete(_, let reason) = self else { return nil }
        return MessageCompletion(
            message: ChatMessage(role: .assistant, content: []), finishReason: reason, stats: nil)
    }
}

/// What a generation delivers; ends without ``MessageResponse/complete(_:_:)`` where the generation fails.
public typealias ResponseStream = AsyncStream<MessageResponse>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish()
    }
}
#endif
