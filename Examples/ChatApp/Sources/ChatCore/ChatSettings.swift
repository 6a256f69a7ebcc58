/// The user's settings.
public struct ChatSettings: Codable, Hashable, Sendable {
    /// The model's name, as in `LFM2-1.2B`, or a Hugging Face repository, as in `hf:owner/name`.
    public var model = "LFM2-1.2B"
    /// Its quantisation.
    public var quantization = "Q4_K_M"
    /// The system prompt of a conversation.
    public var instructions = "You are a helpful assistant."
    /// The sampling temperature; nil uses the model's default.
    public var temperature: Float?
    /// Whether the model reasons before it answers.
    public var thinks = false

    /// The settings at the first launch.
    public init() {}
}
