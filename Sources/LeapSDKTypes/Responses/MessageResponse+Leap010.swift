#if Leap010
// The responses of versions 0.10.8 and later, under the package's trait of this name: an error is a response.

/// The generation failed.
public struct MessageResponseError: MessageResponse {
    /// What failed.
    public let throwable: LeapError
    /// What failed, in words.
    public var message: String { throwable.message }

    /// Makes a response.
    public init(throwable: LeapError) {
        self.throwable = throwable
    }
}

/// What a generation delivers; errors come as the last response.
public typealias ResponseStream = AsyncStream<any MessageResponse>

/// The stream of versions 0.10.
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
    /// The generation failed.
    case error(MessageResponseError)
}

/// The response as an enum, to switch over.
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
