#if Leap0107
// The responses of versions 0.10.0 to 0.10.7, under the package's trait of this name: five, and errors are thrown.

/// What a generation delivers; throws ``LeapError`` where the generation fails.
public typealias ResponseStream = AsyncThrowingStream<any MessageResponse, any Error>

/// The stream of versions 0.10.
public typealias SkieSwiftFlow<Element> = AsyncThrowingStream<Element, any Error>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish(throwing: error)
    }
}

/// A response as an enum; see ``onEnum(of:)-(MessageResponse)``.
public enum MessageResponsePayload: Sendable {
    /// Text of the answer.
    case chunk(ChunkPayload)
    /// Text of the model's thoughts.
    case reasoningChunk(ReasoningChunkPayload)
    /// Functions that the model asks to call.
    case functionCalls(FunctionCallsPayload)
    /// Sound.
    case audioSample(AudioSamplePayload)
    /// The end.
    case complete(CompletePayload)
}

/// The response as an enum, to switch over. One of a program's own type has no text.
public func onEnum(of response: any MessageResponse) -> MessageResponsePayload {
    switch response {
    case let response as ReasoningChunkPayload: .reasoningChunk(response)
    case let response as FunctionCallsPayload: .functionCalls(response)
    case let response as AudioSamplePayload: .audioSample(response)
    case let response as CompletePayload: .complete(response)
    default: .chunk(response as? ChunkPayload ?? ChunkPayload(text: ""))
    }
}
#endif
