/// What the user chooses.
public struct ChatSettings: Codable, Hashable, Sendable {
    /// The model's name, as in `LFM2-1.2B`, or a repository of Hugging Face, as in `hf:owner/name`.
    public var model = "LFM2-1.2B"
    /// Its quantisation.
    public var quantization = "Q4_K_M"
    /// Instructions that stand above a conversation.
    public var instructions = "You are a helpful assistant."
    /// How varied answers are; nil follows the model.
    public var temperature: Float?
    /// Whether the model thinks before it answers.
    public var thinks = false

    /// The settings of a first launch.
    public init() {}
}
