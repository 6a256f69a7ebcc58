#if Leap02
import LeapJSON

// The responses of versions 0.1 and 0.2, under the package's trait of this name.

/// A response of a generation. Responses are delivered in order; the last one is ``complete(_:_:)``.
public enum MessageResponse: Sendable, Hashable {
    /// A piece of the answer's text.
    case chunk(String)
    /// A piece of the model's reasoning, the text between `<think>` and `</think>`.
    case reasoningChunk(String)
    /// The end of the generation: a description of its statistics, and the reason why it ended.
    case complete(String, GenerationFinishReason)
}

extension MessageResponse {
    /// The end of the generation.
    package static func complete(_ completion: MessageCompletion) -> MessageResponse {
        let usage = completion.stats.map {
            "\($0.promptTokens) prompt tokens, \($0.completionTokens) completion tokens, "
                + "\($0.tokenPerSecond) tokens per second"
        }
        return .complete(usage ?? "nothing was generated", completion.finishReason)
    }

    /// Function calls of the model, which these versions could only deliver as text.
    package static func functionCall(_ calls: [LeapFunctionCall]) -> MessageResponse {
        .chunk(calls.map { "\($0.name)(\($0.argumentsJSON.text()))" }.joined(separator: "\n"))
    }

    /// The completion, if this is one. Its message is unknown.
    package var asCompletion: MessageCompletion? {
        guard case .complete(_, let reason) = self else { return nil }
        return MessageCompletion(
            message: ChatMessage(role: .assistant, content: []), finishReason: reason, stats: nil)
    }
}

/// The responses of a generation; ends without ``MessageResponse/complete(_:_:)`` if the generation fails.
public typealias ResponseStream = AsyncStream<MessageResponse>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish()
    }
}
#endif
