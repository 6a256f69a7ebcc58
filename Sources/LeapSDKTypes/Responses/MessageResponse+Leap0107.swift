#if Leap0107
// The responses of versions 0.10.0 to 0.10.7, under the package's trait of this name: five, and errors are thrown.

/// The responses of a generation; throws a ``LeapError`` if the generation fails.
public typealias ResponseStream = AsyncThrowingStream<any MessageResponse, any Error>

/// The type of streams in versions 0.10.
public typealias SkieSwiftFlow<Element> = AsyncThrowingStream<Element, any Error>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish(throwing: error)
    }
}

/// A response as an enum; see ``onEnum(of:)-(MessageResponse)``.
public enum MessageResponsePayload: Sendable {
    /// A piece of the answer's text.
    case chunk(ChunkPayload)
    /// A piece of the model's reasoning.
    case reasoningChunk(ReasoningChunkPayload)
    /// Function calls of the model.
    case functionCalls(FunctionCallsPayload)
    /// Audio samples.
    case audioSample(AudioSamplePayload)
    /// The end of the generation.
    case complete(CompletePayload)
}

/// Returns the response as an enum for a `switch`. A response of a custom type becomes an empty text chunk.
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
