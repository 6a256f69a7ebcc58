// What a response carries, as structs with the properties that versions 0.10 of the API had.

/// Text of the answer.
public struct ChunkPayload: Sendable, Hashable {
    /// The text.
    public let text: String

    /// Makes a response.
    public init(text: String) {
        self.text = text
    }
}

/// Text of the model's thoughts.
public struct ReasoningChunkPayload: Sendable, Hashable {
    /// The text.
    public let reasoning: String

    /// Makes a response.
    public init(reasoning: String) {
        self.reasoning = reasoning
    }
}

/// Functions that the model asks to call.
public struct FunctionCallsPayload: Sendable, Hashable {
    /// The calls, in the order in which the model wrote them.
    public let functionCalls: [LeapFunctionCall]

    /// Makes a response.
    public init(functionCalls: [LeapFunctionCall]) {
        self.functionCalls = functionCalls
    }
}

/// Sound.
public struct AudioSamplePayload: Sendable, Hashable {
    /// Samples in -1...1.
    public let samples: [Float]
    /// Samples per second.
    public let sampleRate: Int

    /// Makes a response.
    public init(samples: [Float], sampleRate: Int) {
        self.samples = samples
        self.sampleRate = sampleRate
    }
}

/// The end of a generation.
public struct CompletePayload: Sendable, Hashable {
    /// The end, with more facts than versions 0.10 had.
    public let completion: MessageCompletion

    /// The whole answer.
    public var fullMessage: ChatMessage { completion.message }
    /// Why it ended.
    public var finishReason: GenerationFinishReason { completion.finishReason }
    /// What it cost; `nil` where nothing was generated.
    public var stats: GenerationStats? { completion.stats }

    /// Makes a response.
    public init(fullMessage: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats?) {
        self.init(MessageCompletion(message: fullMessage, finishReason: finishReason, stats: stats))
    }

    /// Makes a response of an end.
    public init(_ completion: MessageCompletion) {
        self.completion = completion
    }
}
