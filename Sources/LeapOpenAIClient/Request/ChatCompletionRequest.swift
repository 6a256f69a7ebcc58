public import LeapJSON

/// A request for a chat completion.
///
/// Values that are `nil` are omitted from the request, so that the server's defaults apply. Most servers ignore unknown
/// fields; OpenAI rejects them.
public struct ChatCompletionRequest: Sendable {
    /// The model's name on the server.
    public var model: String
    /// The messages of the conversation.
    public var messages: [any ChatMessage]
    /// The sampling temperature, 0 to 2: low values give predictable text, high values varied text.
    public var temperature: Double?
    /// Top-p: samples from the smallest set of most likely tokens whose probabilities add up to this value.
    public var topP: Double?
    /// The maximum number of tokens to generate, including reasoning; the newer name.
    public var maxCompletionTokens: Int?
    /// The maximum number of tokens to generate; the older name, which some servers still require.
    public var maxTokens: Int?
    /// Makes tokens less likely the more often they occurred; -2 to 2.
    public var frequencyPenalty: Double?
    /// Makes tokens less likely that occurred at all; -2 to 2.
    public var presencePenalty: Double?
    /// Strings that end the answer.
    public var stop: [String]?
    /// Ignored: answers are always streamed.
    public var stream: Bool

    // OpenRouter's, vLLM's, SGLang's and llama-server's.

    /// Top-k: samples from this many of the most likely tokens.
    public var topK: Int?
    /// Makes tokens less likely that occurred; 1 turns it off.
    public var repetitionPenalty: Double?
    /// Min-p: samples from tokens whose probability is at least this fraction of the most likely token's.
    public var minP: Double?
    /// Like ``minP``, with the square of the most likely token's probability. Specific to OpenRouter.
    public var topA: Double?
    /// The transforms that may be applied to prompts that are too long, such as `middle-out`. Specific to OpenRouter.
    public var transforms: [String]?
    /// The models to try, in order, if ``model`` fails. Specific to OpenRouter.
    public var models: [String]?
    /// `fallback`, to try ``models``. Specific to OpenRouter.
    public var route: String?
    /// The providers that may answer. Specific to OpenRouter.
    public var provider: ProviderPreferences?

    // Beyond the LEAP SDK.

    /// The functions that the model can call.
    public var tools: [ChatCompletionTool]?
    /// Whether the model may, must or must not call them.
    public var toolChoice: ChatCompletionToolChoice?
    /// Whether the model may call several functions at once.
    public var parallelToolCalls: Bool?
    /// The format of the answer.
    public var responseFormat: ChatCompletionResponseFormat?
    /// Whether the stream ends with token counts. Many servers report them only on request, and a few reject the
    /// request.
    public var includeUsage: Bool?
    /// The seed of the random numbers.
    public var seed: Int?
    /// How much a model reasons: `minimal`, `low`, `medium`, `high`.
    public var reasoningEffort: String?
    /// Additional fields of the request, by their JSON names. They take precedence over all other fields except
    /// `stream`.
    public var extraBody: [String: JSONValue]

    /// Creates a request.
    public init(
        model: String, messages: [any ChatMessage], temperature: Double? = nil, topP: Double? = nil,
        maxCompletionTokens: Int? = nil, maxTokens: Int? = nil, frequencyPenalty: Double? = nil,
        presencePenalty: Double? = nil, stop: [String]? = nil, stream: Bool = true, topK: Int? = nil,
        repetitionPenalty: Double? = nil, minP: Double? = nil, topA: Double? = nil, transforms: [String]? = nil,
        models: [String]? = nil, route: String? = nil, provider: ProviderPreferences? = nil,
        tools: [ChatCompletionTool]? = nil, toolChoice: ChatCompletionToolChoice? = nil,
        parallelToolCalls: Bool? = nil, responseFormat: ChatCompletionResponseFormat? = nil,
        includeUsage: Bool? = nil, seed: Int? = nil, reasoningEffort: String? = nil,
        extraBody: [String: JSONValue] = [:]
    ) {
        self.model = model
        self.messages = messages
        self.temperature = temperature
        self.topP = topP
        self.maxCompletionTokens = maxCompletionTokens
        self.maxTokens = maxTokens
        self.frequencyPenalty = frequencyPenalty
        self.presencePenalty = presencePenalty
        self.stop = stop
        self.stream = stream
        self.topK = topK
        self.repetitionPenalty = repetitionPenalty
        self.minP = minP
        self.topA = topA
        self.transforms = transforms
        self.models = models
        self.route = route
        self.provider = provider
        self.tools = tools
        self.toolChoice = toolChoice
        self.parallelToolCalls = parallelToolCalls
        self.responseFormat = responseFormat
        self.includeUsage = includeUsage
        self.seed = seed
        self.reasoningEffort = reasoningEffort
        self.extraBody = extraBody
    }
}
