#if !Leap02 && !Leap06 && !Leap0107 && !Leap010
/// What a generation delivers, in order; ``complete(_:)`` comes last.
public enum MessageResponse: Sendable, Hashable {
    /// Text of the answer.
    case chunk(String)
    /// Text of the model's thoughts, without the marks around them.
    case reasoningChunk(String)
    /// Sound, as samples in -1...1, `sampleRate` of them per second.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Functions that the model asks to call.
    case functionCall([LeapFunctionCall])
    /// The end.
    case complete(MessageCompletion)
}

extension MessageResponse {
    /// The end, if it is one.
    package var asCompletion: MessageCompletion? {
        if case .complete(let completion) = self { completion } else { nil }
    }
}

/// What a generation delivers; ends with ``MessageResponse/complete(_:)`` or throws ``LeapError``.
public typealias ResponseStream = AsyncThrowingStream<MessageResponse, any Error>

/// The stream of versions 0.10.
public typealias SkieSwiftFlow<Element> = AsyncThrowingStream<Element, any Error>

extension ResponseStream.Continuation {
    /// Ends the stream.
    package func end(_ error: LeapError?) {
        finish(throwing: error)
    }
}

// MARK: - Payloads

/// A response as versions 0.10 of the API described it; see ``onEnum(of:)-(MessageResponse)``.
public enum MessageResponsePayload: Sendable, Hashable {
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

/// The response with a payload struct for each case, as versions 0.10 of the API described it:
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
