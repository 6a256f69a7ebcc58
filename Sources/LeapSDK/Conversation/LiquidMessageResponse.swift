import LeapJSON

/// A response of a ``LiquidConversation``. Responses are delivered in order; the last one is ``complete(_:)`` or
/// ``error(_:)``.
public enum LiquidMessageResponse: Sendable {
    /// A piece of the answer's text.
    case chunk(Chunk)
    /// A piece of the model's reasoning.
    case reasoningChunk(ReasoningChunk)
    /// Audio samples.
    case audioSample(AudioSamplePayload)
    /// A function call of the model.
    case functionCall(FunctionCall)
    /// The end of the generation.
    case complete(CompletePayload)
    /// The generation failed.
    case error(Failure)

    /// A piece of the answer's text.
    public struct Chunk: Sendable, Hashable {
        /// The text.
        public let delta: String
    }

    /// A piece of the model's reasoning.
    public struct ReasoningChunk: Sendable, Hashable {
        /// The text.
        public let delta: String
    }

    /// A function call of the model.
    public struct FunctionCall: Sendable, Hashable {
        /// The function's name.
        public let name: String
        /// The arguments as a JSON object.
        public let arguments: String
    }

    /// A failure of the generation.
    public struct Failure: Sendable {
        /// The error.
        public let throwable: LeapError
        /// A description of the error.
        public var message: String { throwable.message }
    }
}

extension LiquidMessageResponse {
    /// Converts a response of ``Conversation``; each function call becomes a response of its own.
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

/// Returns the response itself, which is already an enum.
public func onEnum(of response: LiquidMessageResponse) -> LiquidMessageResponse { response }
