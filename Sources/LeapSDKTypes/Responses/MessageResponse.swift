#if !Leap02 && !Leap06 && !Leap0107 && !Leap010
/// A response of a generation. Responses are delivered in order; the last one is ``complete(_:)``.
public enum MessageResponse: Sendable, Hashable {
    /// A piece of the answer's text.
    case chunk(String)
    /// A piece of the model's reasoning, without the tags around it.
    case reasoningChunk(String)
    /// Audio samples in -1...1, at `sampleRate` Hz.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Function calls of the model.
    case functionCall([LeapFunctionCall])
    /// The end of the generation.
    case complete(MessageCompletion)
}

extension MessageResponse {
    /// The completion, if this is one.
    package var asCompletion: MessageCompletion? {
        if case .complete(let completion) = self { completion } else { nil }
    }
}

/// The responses of a generation; ends with ``MessageResponse/complete(_:)`` or throws a ``LeapError``.
public typealias ResponseStream = AsyncThrowingStream<MessageResponse, any Error>

/// The type of streams in versions 0.10.
public typealias SkieSwiftFlow<Element> = AsyncThrowingStream<Element, any Error>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish(throwing: error)
    }
}

// MARK: - Payloads

/// A response with a payload struct for each case, as in versions 0.10; see ``onEnum(of:)-(MessageResponse)``.
public enum MessageResponsePayload: Sendable, Hashable {
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

/// Returns the response with a payload struct for each case, as in versions 0.10:
///
///     switch onEnum(of: response) {
///     case .chunk(let chunk): print(chunk.text)
///     case .functionCalls(let payload): call(payload.functionCalls)
///     default: break
///     }
public func onEnum(of response: MessageResponse) -> MessageResponsePayload {
    switch response {
    case .chunk(let text): .chunk(.init(text: text))
    case .reasoningChunk(let text): .reasoningChunk(.init(reasoning: text))
    case .functionCall(let calls): .functionCalls(.init(functionCalls: calls))
    case .audioSample(let samples, let rate): .audioSample(.init(samples: samples, sampleRate: rate))
    case .complete(let completion): .complete(.init(completion))
    }
}
#endif
