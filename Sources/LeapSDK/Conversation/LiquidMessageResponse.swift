import LeapJSON

/// What a ``LiquidConversation`` delivers, in order; ``complete(_:)`` or ``error(_:)`` comes last.
public enum LiquidMessageResponse: Sendable {
    /// Text of the answer.
    case chunk(Chunk)
    /// Text of the model's thoughts.
    case reasoningChunk(ReasoningChunk)
    /// Sound.
    case audioSample(AudioSamplePayload)
    /// A function that the model asks to call.
    case functionCall(FunctionCall)
    /// The end.
    case complete(CompletePayload)
    /// The generation failed.
    case error(Failure)

    /// Text of the answer.
    public struct Chunk: Sendable, Hashable {
        /// The text.
        public let delta: String
    }

    /// Text of the model's thoughts.
    public struct ReasoningChunk: Sendable, Hashable {
        /// The text.
        public let delta: String
    }

    /// A function that the model asks to call.
    public struct FunctionCall: Sendable, Hashable {
        /// The function's name.
        public let name: String
        /// A JSON object.
        public let arguments: String
    }

    /// What failed.
    public struct Failure: Sendable {
        /// The error.
        public let throwable: LeapError
        /// The error in words.
        public var message: String { throwable.message }
    }
}

extension LiquidMessageResponse {
    /// The responses that one of ``Conversation`` amounts to: every call has its own.
    static func of(_ event: ResponseEvent) -> [LiquidMessageResponse] {
        switch event {
        case .text(let text): [.chunk(.init(delta: text))]
        case .reasoning(let text): [.reasoningChunk(.init(delta: text))]
        case .audio(let samples, let rate): [.audioSample(.init(samples: samples, sampleRate: rate))]
        case .calls(let calls):
            calls.map { .functionCall(.init(name: $0.name, arguments: $0.argumentsJSON.text())) }
        case .end(let completion): [.complete(.init(completion))]
        case .failure(let error): [.error(.init(throwable: error))]
        }
    }
}

/// The response as an enum, which it is.
public func onEnum(of response: LiquidMessageResponse) -> LiquidMessageResponse { response }
