/// Defaults of all generations of a loaded model, in the place of those that the model recommends.
public struct GenerationTimeParameters: Sendable, Hashable, Codable {
    /// How tokens are drawn.
    public var samplingParameters: SamplingParameters?
    /// Threads that decode, where the options for loading give no number.
    public var numberOfDecodingThreads: Int?

    /// Makes parameters.
    public init(samplingParameters: SamplingParameters? = nil, numberOfDecodingThreads: Int? = nil) {
        self.samplingParameters = samplingParameters
        self.numberOfDecodingThreads = numberOfDecodingThreads
    }

    private enum CodingKeys: String, CodingKey {
        case samplingParameters = "sampling_parameters"
        case numberOfDecodingThreads = "number_of_decoding_threads"
    }
}

/// How tokens are drawn; `nil` is what the model recommends. See ``GenerationOptions`` for what each value means.
public struct SamplingParameters: Sendable, Hashable, Codable {
    /// Divides the logits.
    public var temperature: Double?
    /// The share of probability to draw from.
    public var topP: Double?
    /// The least probability, relative to the likeliest token's.
    public var minP: Double?
    /// The penalty of recent tokens.
    public var repetitionPenalty: Double?
    /// The number of tokens to draw from.
    public var topK: Int?
    /// Divides the logits of codes of sound.
    public var audioTemperature: Double?
    /// The number of codes of sound to draw from.
    public var audioTopK: Int?

    /// Makes parameters.
    public init(
        temperature: Double? = nil, topP: Double? = nil, minP: Double? = nil, repetitionPenalty: Double? = nil,
        topK: Int? = nil, audioTemperature: Double? = nil, audioTopK: Int? = nil
    ) {
        self.temperature = temperature
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.topK = topK
        self.audioTemperature = audioTemperature
        self.audioTopK = audioTopK
    }

    private enum CodingKeys: String, CodingKey {
        case temperature
        case topP = "top_p"
        case minP = "min_p"
        case repetitionPenalty = "repetition_penalty"
        case topK = "top_k"
        case audioTemperature = "audio_temperature"
        case audioTopK = "audio_top_k"
    }
}
