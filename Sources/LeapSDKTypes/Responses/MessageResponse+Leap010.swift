#if Leap010
// The responses of versions 0.10.8 and later, under the package's trait of this name: an error is a response.

/// The generation failed.
public struct MessageResponseError: MessageResponse {
    /// The error.
    public let throwable: LeapError
    /// A description of the error.
    public var message: String { throwable.message }

    /// Creates a response.
    public init(throwable: LeapError) {
        self.throwable = throwable
    }
}

/// The responses of a generation; an error is delivered as the last response.
public typealias ResponseStream = AsyncStream<any MessageResponse>

/// The type of streams in versions 0.10.
public typealias SkieSwiftFlow<Element> = AsyncStream<Element>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        if let error { yield(MessageResponseError(throwable: error)) }
        finish()
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
    /// The generation failed.
    case error(MessageResponseError)
}

/// Returns the response as an enum for a `switch`.
public func onEnum(of response: any MessageResponse) -> MessageResponsePayload {
    switch response {
    case let response as ChunkPayload: .chunk(response)
    case let response as ReasoningChunkPayload: .reasoningChunk(response)
    case let response as FunctionCallsPayload: .functionCalls(response)
    case let response as AudioSamplePayload: .audioSample(response)
    case let response as CompletePayload: .complete(response)
    case let response as MessageResponseError: .error(response)
    default:
        .error(.init(throwable: .generationFailure("a response of unknown type \(type(of: response))", nil)))
    }
}
#endif
