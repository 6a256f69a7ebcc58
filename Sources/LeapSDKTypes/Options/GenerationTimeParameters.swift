/// Defaults for all generations of a loaded model, which override those that the model recommends.
public struct GenerationTimeParameters: Sendable, Hashable, Codable {
    /// How tokens are sampled.
    public var samplingParameters: SamplingParameters?
    /// The number of threads for decoding, used if the loading options specify none.
    public var numberOfDecodingThreads: Int?

    /// Creates parameters.
    public init(samplingParameters: SamplingParameters? = nil, numberOfDecodingThreads: Int? = nil) {
        self.samplingParameters = samplingParameters
        self.numberOfDecodingThreads = numberOfDecodingThreads
    }

    private enum CodingKeys: String, CodingKey {
        case samplingParameters = "sampling_parameters"
        case numberOfDecodingThreads = "number_of_decoding_threads"
    }
}

/// Sampling parameters; `nil` values use the model's recommendation. See ``GenerationOptions`` for the meaning of each
/// value.
public struct SamplingParameters: Sendable, Hashable, Codable {
    /// The sampling temperature, which divides the logits.
    public var temperature: Double?
    /// Top-p: the probability mass to sample from.
    public var topP: Double?
    /// Min-p: the minimum probability, relative to that of the most likely token.
    public var minP: Double?
    /// The penalty for recent tokens; 1 turns it off.
    public var repetitionPenalty: Double?
    /// Top-k: the number of most likely tokens to sample from.
    public var topK: Int?
    /// The temperature for sampling audio codes.
    public var audioTemperature: Double?
    /// The number of most likely audio codes to sample from.
    public var audioTopK: Int?

    /// Creates parameters.
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
