public import LeapOpenAIClient

/// A model on a server with OpenAI's API: OpenAI, OpenRouter, or your own vLLM, SGLang or llama-server, which needs no
/// key.
public struct RemoteModel: Sendable {
    /// The set of request fields that a server supports.
    public enum Dialect: Sendable, Hashable {
        /// The fields of OpenAI, which rejects unknown ones.
        case openAI
        /// The fields of vLLM, SGLang, llama-server and OpenRouter, which support more sampling parameters.
        case extended
    }

    /// The client that connects to the server.
    public var client: OpenAiClient
    /// The model's name on the server.
    public var model: String
    /// The request fields that the server supports.
    public var dialect: Dialect
    /// The capabilities of the model.
    public var capabilities: HybridCapabilities
    /// Whether to send earlier reasoning back as `reasoning_content`, which some models require and some servers
    /// reject.
    public var sendsReasoning: Bool
    /// A closure that can modify each request before it is sent.
    public var prepare: @Sendable (inout ChatCompletionRequest) -> Void

    /// Creates a remote model.
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
