public import LeapJSON

/// What to generate, by which model.
///
/// What is `nil` is left out of the request, and the server decides. Fields that a server does not know are ignored by
/// most; OpenAI itself refuses unknown ones.
public struct ChatCompletionRequest: Sendable {
    /// The model's name, as the server knows it.
    public var model: String
    /// The conversation.
    public var messages: [any ChatMessage]
    /// Low values are predictable, high ones varied; 0 to 2.
    public var temperature: Double?
    /// Draws from the fewest likeliest tokens whose probabilities sum to this.
    public var topP: Double?
    /// The most tokens to generate, thoughts included; the younger name.
    public var maxCompletionTokens: Int?
    /// The most tokens to generate; the older name, which some servers still want.
    public var maxTokens: Int?
    /// Makes tokens less likely by how often they occurred; -2 to 2.
    public var frequencyPenalty: Double?
    /// Makes tokens less likely that occurred; -2 to 2.
    public var presencePenalty: Double?
    /// Texts that end the answer.
    public var stop: [String]?
    /// There for programs that set it: answers are always streamed.
    public var stream: Bool

    // OpenRouter's, vLLM's, SGLang's and llama-server's.

    /// Draws from this many of the likeliest tokens.
    public var topK: Int?
    /// Makes tokens less likely that occurred; 1 is off.
    public var repetitionPenalty: Double?
    /// Draws from tokens at least this times as probable as the likeliest.
    public var minP: Double?
    /// Like ``minP``, with the square of the likeliest token's probability. OpenRouter's.
    public var topA: Double?
    /// What may be done to prompts that are too long, such as `middle-out`. OpenRouter's.
    public var transforms: [String]?
    /// Models to try, in order, where ``model`` fails. OpenRouter's.
    public var models: [String]?
    /// `fallback`, to try ``models``. OpenRouter's.
    public var route: String?
    /// Whose servers may answer. OpenRouter's.
    public var provider: ProviderPreferences?

    // Beyond the LEAP SDK.

    /// Functions that the model may ask to call.
    public var tools: [ChatCompletionTool]?
    /// Whether it may, must or must not call them.
    public var toolChoice: ChatCompletionToolChoice?
    /// Whether it may call several at once.
    public var parallelToolCalls: Bool?
    /// What the answer must be written in.
    public var responseFormat: ChatCompletionResponseFormat?
    /// Whether the stream ends with token counts. Many servers count only when asked to, and a few refuse to be asked.
    public var includeUsage: Bool?
    /// Start of the random numbers.
    public var seed: Int?
    /// How long a model thinks: `minimal`, `low`, `medium`, `high`.
    public var reasoningEffort: String?
    /// Anything else that the server knows, by its name in JSON; takes precedence over all fields but `stream`.
    public var extraBody: [String: JSONValue]

    /// Makes a request.
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
