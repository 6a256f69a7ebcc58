#if Leap06
// The responses of versions 0.4 to 0.6, under the package's trait of this name.

/// What a generation delivers, in order; ``complete(_:_:)`` comes last.
public enum MessageResponse: Sendable, Hashable {
    /// Text of the answer.
    case chunk(String)
    /// Text of the model's thoughts, from between `<think>` and `</think>`.
    case reasoningChunk(String)
    /// Functions that the model asks to call.
    case functionCall([LeapFunctionCall])
    /// The end: the whole text of the answer, and how it ended.
    case complete(String, GenerationCompleteInfo)
}

extension MessageResponse {
    /// The end.
    package static func complete(_ completion: MessageCompletion) -> MessageResponse {
        .complete(completion.message.text, completion.info)
    }

    /// The end, if it is one. Of the message only the text is known.
    package var asCompletion: MessageCompletion? {
        guard case .complete(let text, let info) = self else { return nil }
        return MessageCompletion(
            message: ChatMessage(role: .assistant, textContent: text), finishReason: info.finishReason,
            stats: info.stats)
    }
}

/// What a generation delivers; ends with ``MessageResponse/complete(_:_:)`` or throws ``LeapError``.
public typealias ResponseStream = AsyncThrowingStream<MessageResponse, any Error>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish(throwing: error)
    }
}
#endif
