public import LeapGeneration

/// How a model speaks.
public struct SpeechOptions: Sendable, Hashable {
    /// How words and sound follow each other; as the instructions of the conversation ask for it, when `nil`: a model that is
    /// told of interleaved text and audio does so.
    public var order: SpeechOrder?
    /// How codes of sound are drawn; as the model was trained, when `nil`. 0 always takes the likeliest.
    public var temperature: Float?
    /// How many of the likeliest codes are drawn from; as the model was trained, when `nil`. 0 for all.
    public var topK: Int?

    /// The usual speech.
    public init(order: SpeechOrder? = nil, temperature: Float? = nil, topK: Int? = nil) {
        self.order = order
        self.temperature = temperature
        self.topK = topK
    }
}

/// Whether a model speaks.
public enum Speech: Sendable, Hashable {
    /// If it has a vocoder and chooses to speak.
    case automatic
    /// It must have a vocoder.
    case wanted
    /// It only writes, even with a vocoder.
    case never
}
