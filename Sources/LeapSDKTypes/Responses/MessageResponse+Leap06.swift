#if Leap06
// The responses of versions 0.4 to 0.6, under the package's trait of this name.

/// A response of a generation. Responses are delivered in order; the last one is ``complete(_:_:)``.
public enum MessageResponse: Sendable, Hashable {
    /// A piece of the answer's text.
    case chunk(String)
    /// A piece of the model's reasoning, the text between `<think>` and `</think>`.
    case reasoningChunk(String)
    /// Function calls of the model.
    case functionCall([LeapFunctionCall])
    /// The end of the generation: the complete text of the answer, and how it ended.
    case complete(String, GenerationCompleteInfo)
}

extension MessageResponse {
    /// The end of the generation.
    package static func complete(_ completion: MessageCompletion) -> MessageResponse {
        .complete(completion.message.text, completion.info)
    }

    /// The completion, if this is one. Only the text of its message is known.
    package var asCompletion: MessageCompletion? {
        guard case .complete(let text, let info) = self else { return nil }
        return MessageCompletion(
            message: ChatMessage(role: .assistant, textContent: text), finishReason: info.finishReason,
            stats: info.stats)
    }
}

/// The responses of a generation; ends with ``MessageResponse/complete(_:_:)`` or throws a ``LeapError``.
public typealias ResponseStream = AsyncThrowingStream<MessageResponse, any Error>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish(throwing: error)
    }
}
#endif
