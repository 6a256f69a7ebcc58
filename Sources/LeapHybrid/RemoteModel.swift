public import LeapOpenAIClient

/// A model at a server that speaks OpenAI's API: OpenAI, OpenRouter, or vLLM, SGLang or llama-server on a machine of one's
/// own, which needs no key.
public struct RemoteModel: Sendable {
    /// Which fields a server understands.
    public enum Dialect: Sendable, Hashable {
        /// OpenAI's own: whatever it does not know, it refuses.
        case openAI
        /// Those of vLLM, SGLang, llama-server and OpenRouter, which take more ways to sample.
        case extended
    }

    /// How to reach the server.
    public var client: OpenAiClient
    /// The model's name there.
    public var model: String
    /// Which fields it understands.
    public var dialect: Dialect
    /// What it can do.
    public var capabilities: HybridCapabilities
    /// Whether earlier thoughts are sent back as `reasoning_content`, which some models want and some servers refuse.
    public var sendsReasoning: Bool
    /// Changes each request before it is sent.
    public var prepare: @Sendable (inout ChatCompletionRequest) -> Void

    /// Describes a model.
    public init(
        client: OpenAiClient, model: String, dialect: Dialect = .openAI,
        capabilities: HybridCapabilities = [.images, .audio, .tools, .schemas], sendsReasoning: Bool = false,
        prepare: @escaping @Sendable (inout ChatCompletionRequest) -> Void = { _ in }
    ) {
        self.client = client
        self.model = model
        self.dialect = dialect
        self.capabilities = capabilities
        self.sendsReasoning = sendsReasoning
        self.prepare = prepare
    }
}
