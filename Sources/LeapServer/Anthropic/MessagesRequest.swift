import LeapEngine
import LeapJSON
import OrderedCollections

/// A request to Anthropic's Messages API, or to count its tokens.
///
/// https://docs.anthropic.com/en/api/messages
struct MessagesRequest: Sendable {
    /// What to answer.
    let job: AnswerJob
    /// How to encode the answer.
    let style: MessagesStyle
    /// Types of tools that only Anthropic's own servers have: the model does not see them.
    let skippedTools: [String]

    static let maxTokens = Field.integer("max_tokens", 1...Int.max, "maximum number of tokens to generate")
    static let messages = Field.array("messages", "the messages of user and assistant, oldest first")
    static let system = Field.any("system", "system prompt: a string or an array of text blocks")
    static let stopSequences = Field.any(
        "stop_sequences", "up to 16 strings that end the answer; they are not part of it")
    static let temperature = Field.number(
        "temperature", 0...1, "sampling temperature; 0 always chooses the most likely token")
    static let tools = Field.array("tools", "the tools that the model may call, each with an input_schema")
    static let toolChoice = Field.object(
        "tool_choice", "auto, any, tool with a name, or none; disable_parallel_tool_use limits the answer to one call")
    static let thinking = Field.object(
        "thinking", "enabled with budget_tokens, adaptive, or disabled; display 'omitted' hides the reasoning")
    static let output = Field.object("output_config", "effort, and format: an output format with a JSON Schema")
    static let metadata = Field.object("metadata", "identifies the end user; ignored")

    /// The fields of both, for the OpenAPI document.
    static let promptFields: [any DescribedField] = [
        GenerationFields.model, messages, system, tools, toolChoice, thinking, output, management,
    ]
    /// All fields of an answer, for the OpenAPI document.
    static let fields: [any DescribedField] =
        promptFields + [
            maxTokens, stopSequences, temperature, GenerationFields.topK, GenerationFields.topP, metadata,
            GenerationFields.stream,
        ] as [any DescribedField]

    /// Unsupported fields that would change the answer.
    private static let refused = [
        "container": "is not supported: this server does not run code",
        "mcp_servers":
            "is not supported: connect to the MCP servers in the client, and pass their functions as 'tools'",
    ]

    /// Fields of other dialects that would change the answer.
    private static let undone: [UnsupportedField] =
        [
            UnsupportedField("output_format", "is deprecated and not supported: use 'output_config.format'"),
            UnsupportedField("seed", "is not supported by the Messages API: use /v1/chat/completions"),
        ]
        + OtherDialects(
            length: maxTokens.name, stop: stopSequences.name, form: "'output_config.format'",
            reasoning: "'thinking'", own: [thinking.name]
        ).fields

    /// - Parameter isCounted: Whether tokens are only counted; such requests have no `max_tokens`.
    init(_ fields: FieldReader, isCounted: Bool = false) throws(APIError) {
        try fields.refuse(Self.refused)
        try fields.refuse(Self.undone)
        try Self.checkManagement(fields)
        let offer = try ToolOffer(try fields(Self.tools) ?? [], choice: try fields(Self.toolChoice))
        skippedTools = offer.skipped
        var options = try Self.options(fields)
        options.maxTokens = isCounted ? try fields(Self.maxTokens) : try fields.required(Self.maxTokens)
        var chat = ChatRequest(
            try BlockReader.conversation(
                system: try fields(Self.system), messages: try fields.required(Self.messages)),
            tools: offer.tools.tools, options)
        let hidesThoughts = try Self.think(&chat, try fields(Self.thinking))
        try Self.shape(&chat, try fields(Self.output))
        if offer.tools.forcedCall != nil { try chat.dropOutputFormat(fields) }
        try chat.takeBeginning(isForced: offer.tools.forcedCall != nil)
        job = AnswerJob(
            model: try fields(GenerationFields.model), subject: .chat(chat), forcedCall: offer.tools.forcedCall,
            allowsParallelCalls: offer.allowsParallelCalls, fields: JobFields(constraint: "output_config.format"))
        style = MessagesStyle(
            streams: try fields(GenerationFields.stream) ?? false, hidesThoughts: hidesThoughts)
    }

    private static let management = Field.object(
        "context_management", "edits: clear_thinking drops earlier reasoning, as chat templates do anyway")
    private static let edits = Field.array("edits", "what to drop from a long conversation")

    /// Agents send context edits for old thoughts with every request. These are ignored, because the chat template
    /// decides which thoughts a model sees. Edits that would drop tool results are refused.
    private static func checkManagement(_ fields: FieldReader) throws(APIError) {
        guard let management = try fields(management) else { return }
        let reader = try FieldReader(management, path: Self.management.name)
        for (index, edit) in (try reader(edits) ?? []).enumerated() {
            guard edit["type"]?.string?.hasPrefix("clear_thinking") != true else { continue }
            throw .invalid(
                "context_management.edits[\(index)]",
                "is not supported: remove the content from the conversation in the client")
        }
    }

    private static func options(_ fields: FieldReader) throws(APIError) -> AnswerOptions {
        var sampling = SamplingOverrides()
        sampling.temperature = try fields(temperature).map { Float($0) }
        sampling.topK = try fields(GenerationFields.topK).map { max(0, $0) }
        sampling.topP = try fields(GenerationFields.topP).map { Float($0) }
        var options = AnswerOptions(sampling: sampling)
        if let texts = try fields(stopSequences), texts.array == nil {
            throw .expected("an array of strings", at: stopSequences.name, found: texts)
        }
        options.stopStrings = try GenerationFields.stopTexts(fields, stopSequences)
        return options
    }

    private static let thinkingType = Field.choice(
        "type", ["enabled", "disabled", "adaptive"], "whether the model reasons before it answers")
    private static let budget = Field.integer("budget_tokens", 1...Int.max, "maximum number of reasoning tokens")
    private static let display = Field.choice(
        "display", ["summarized", "omitted"], "whether the reasoning is returned")

    /// Sets whether the model reasons. Clients that do not request reasoning do not expect it.
    ///
    /// - Returns: Whether the reasoning is hidden.
    private static func think(_ chat: inout ChatRequest, _ thinking: JSONValue?) throws(APIError) -> Bool {
        chat.thinks = false
        guard let thinking else { return false }
        let fields = try FieldReader(thinking, path: "thinking")
        let type = try fields.required(thinkingType)
        chat.thinks = type != "disabled"
        if type == "enabled" { chat.options.thinkingBudget = try fields(budget) }
        return try fields(display) == "omitted"
    }

    private static let effort = Field.choice(
        "effort", ["low", "medium", "high", "xhigh", "max"], "how much the model reasons")
    private static let format = Field.object("format", "json_schema with a schema")

    private static func shape(_ chat: inout ChatRequest, _ output: JSONValue?) throws(APIError) {
        guard let output else { return }
        let fields = try FieldReader(output, path: "output_config")
        if let effort = try fields(effort) { chat.templateVariables["reasoning_effort"] = .string(effort) }
        try ChatCompletionRequest.constrain(&chat.options, try fields(format), path: "output_config.format")
    }

}

/// Anthropic's tools and tool choice.
struct ToolOffer {
    /// The functions.
    let tools: ToolReader
    /// Types of tools that only Anthropic's own servers have.
    private(set) var skipped: [String] = []
    /// Whether an answer may hold several calls.
    let allowsParallelCalls: Bool

    private static let choiceType = Field.choice(
        "type", ["auto", "any", "tool", "none"], "whether the model may, must or must not call tools")
    private static let disablesParallel = Field.bool("disable_parallel_tool_use", "true limits the answer to one call")
    private static let name = Field.string("name", "name of the function")

    init(_ definitions: [JSONValue], choice: JSONValue?) throws(APIError) {
        var functions: [JSONValue] = []
        var places: [Int] = []
        for (index, definition) in definitions.enumerated() {
            if let type = definition["type"]?.string, type != "custom" {
                skipped.append(type)
            } else {
                places.append(index)
                functions.append(try Self.function(definition, path: "tools[\(index)]"))
            }
        }
        guard let choice else {
            tools = try ToolReader(
                definitions: functions, choice: nil, places: places, nameLimit: ToolReader.longNameLimit)
            allowsParallelCalls = true
            return
        }
        let fields = try FieldReader(choice, path: "tool_choice")
        tools = try ToolReader(
            definitions: functions, choice: try Self.choice(fields), places: places,
            nameLimit: ToolReader.longNameLimit)
        allowsParallelCalls = try fields(Self.disablesParallel) != true
    }

    /// A function as OpenAI's API defines it.
    private static func function(_ definition: JSONValue, path: String) throws(APIError) -> JSONValue {
        guard let schema = definition["input_schema"], schema.object != nil else {
            throw .expected("a JSON Schema", at: path + ".input_schema", found: definition["input_schema"] ?? .null)
        }
        var function: OrderedDictionary<String, JSONValue> = [:]
        function["name"] = definition["name"]
        function["description"] = definition["description"]
        function["parameters"] = schema
        function["strict"] = definition["strict"]
        return ["type": "function", "function": .object(function)]
    }

    private static func choice(_ fields: FieldReader) throws(APIError) -> JSONValue {
        switch try fields.required(choiceType) {
        case "any": "required"
        case "tool": ["type": "function", "name": .string(try fields.required(name))]
        case let word: .string(word)
        }
    }
}
