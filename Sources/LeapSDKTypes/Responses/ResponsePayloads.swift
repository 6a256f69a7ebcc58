// What a response carries, as structs with the properties that versions 0.10 of the API had.

/// A piece of the answer's text.
public struct ChunkPayload: Sendable, Hashable {
    /// The text.
    public let text: String

    /// Creates a response.
    public init(text: String) {
        self.text = text
    }
}

/// A piece of the model's reasoning.
public struct ReasoningChunkPayload: Sendable, Hashable {
    /// The text.
    public let reasoning: String

    /// Creates a response.
    public init(reasoning: String) {
        self.reasoning = reasoning
    }
}

/// Function calls of the model.
public struct FunctionCallsPayload: Sendable, Hashable {
    /// The calls, in the order in which the model wrote them.
    public let functionCalls: [LeapFunctionCall]

    /// Creates a response.
    public init(functionCalls: [LeapFunctionCall]) {
        self.functionCalls = functionCalls
    }
}

/// Audio samples.
public struct AudioSamplePayload: Sendable, Hashable {
    /// The samples in -1...1.
    public let samples: [Float]
    /// The sample rate in Hz.
    public let sampleRate: Int

    /// Creates a response.
    public init(samples: [Float], sampleRate: Int) {
        self.samples = samples
        self.sampleRate = sampleRate
    }
}

/// The end of a generation.
public struct CompletePayload: Sendable, Hashable {
    /// The completion, with more details than in versions 0.10.
    public let completion: MessageCompletion

    /// The complete answer.
    public var fullMessage: ChatMessage { completion.message }
    /// The reason why it ended.
    public var finishReason: GenerationFinishReason { completion.finishReason }
    /// The statistics; `nil` if nothing was generated.
    public var stats: GenerationStats? { completion.stats }

    /// Creates a response.
    public init(fullMessage: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats?) {
        self.init(MessageCompletion(message: fullMessage, finishReason: finishReason, stats: stats))
    }

    /// Creates a response from a completion.
    public init(_ completion: MessageCompletion) {
        self.completion = completion
    }
}
