import LeapEngine
import LeapJSON
import OrderedCollections

/// A request to OpenAI's Chat Completions API.
struct ChatCompletionRequest: Sendable {
    /// What to answer.
    let job: AnswerJob
    /// How to encode the answer.
    let style: ChatCompletionStyle

    static let messages = Field.array("messages", "the messages, oldest first")
    static let maxCompletionTokens = Field.integer(
        "max_completion_tokens", 1...Int.max, "maximum number of tokens to generate")
    static let maxTokens = Field.integer("max_tokens", -1...Int.max, "deprecated name of max_completion_tokens")
    static let predict = Field.integer("n_predict", -1...Int.max, "alias of max_tokens")
    static let logprobs = Field.bool("logprobs", "whether to return log probabilities of the tokens")
    static let topLogprobs = Field.integer("top_logprobs", 0...20, "number of alternatives to report for each token")
    static let tools = Field.array("tools", "the functions that the model may call")
    static let toolChoice = Field.any("tool_choice", "auto, none, required, or an object that names a function")
    static let parallel = Field.bool("parallel_tool_calls", "false limits the answer to one call")
    static let format = Field.object("response_format", "text, json_object, or json_schema with a schema")
    static let effort = Field.string(
        "reasoning_effort", "how much the model reasons: none, minimal, low, medium or high")
    static let reasoning = Field.object("reasoning", "effort: the same as reasoning_effort, as in the Responses API")
    static let variables = Field.object("chat_template_kwargs", "additional variables for the chat template")
    static let budget = Field.integer(
        "thinking_budget_tokens", -1...Int.max, "maximum number of reasoning tokens; -1 for no limit")
    static let reasoningBudget = Field.integer("reasoning_budget", -1...Int.max, "alias of thinking_budget_tokens")
    static let vllmBudget = Field.integer("thinking_token_budget", -1...Int.max, "alias of thinking_budget_tokens")
    static let documents = Field.array("documents", "vLLM: documents for the chat template")
    static let addsPrompt = Field.bool(
        "add_generation_prompt",
        "false continues a trailing assistant message (the default), true starts a new answer after it")
    static let continues = Field.bool(
        "continue_final_message",
        "true continues a trailing assistant message (the default), false starts a new answer after it")
    static let reasoningFormat = Field.choice(
        "reasoning_format", ["none", "auto", "deepseek"], "'none' leaves the reasoning in the text, between its markers"
    )

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] =
        [
            messages, maxCompletionTokens, maxTokens, predict, logprobs, topLogprobs, tools, toolChoice, parallel,
            format, effort, reasoning, variables, documents, budget, reasoningBudget, vllmBudget, addsPrompt, continues,
            reasoningFormat,
        ] as [any DescribedField] + SpokenChat.fields + GuidedOutput.fields + GenerationFields.all

    /// Unsupported fields that would change the answer.
    private static let refused = [
        "functions": "is deprecated and not supported: use 'tools'",
        "function_call": "is deprecated and not supported: use 'tool_choice'",
    ]

    /// Fields of other dialects that would change the answer.
    private static let undone: [UnsupportedField] =
        [UnsupportedField("system", idle: ["", []], "is a field of /v1/messages: send a message of the role 'system'")]
        + OtherDialects(
            length: maxCompletionTokens.name, stop: GenerationFields.stop.name, form: "'response_format'",
            reasoning: "'reasoning_effort'",
            own: [maxTokens.name, predict.name, format.name, GuidedOutput.name, effort.name, reasoning.name]
        ).fields

    /// - Parameter isShown: Whether only the prompt is rendered, which need not end where an answer begins.
    init(_ fields: FieldReader, isShown: Bool = false) throws(APIError) {
        try fields.refuse(Self.refused)
        try fields.refuse(Self.undone + GenerationFields.undone)
        let tools = try ToolReader(
            definitions: try fields(Self.tools) ?? [], choice: try fields(Self.toolChoice))
        var options = try GenerationFields.options(fields)
        options.maxTokens = try Self.maximum(fields)
        options.topLogprobs = try Self.logprobs(fields)
        options.thinkingBudget = try Self.budget(fields)
        options.inlinesThoughts = try fields(Self.reasoningFormat).map { $0 == "none" }
        try GuidedOutput.constrain(&options, fields)
        try Self.constrain(&options, try fields(Self.format))
        var chat = ChatRequest(
            try MessageReader.messages(try fields.required(Self.messages), path: "messages"), tools: tools.tools,
            options)
        if tools.forcedCall != nil { try chat.dropOutputFormat(fields) }
        try Self.think(&chat, fields)
        try Self.begin(&chat, fields, isForced: tools.forcedCall != nil, isShown: isShown)
        style = try ChatCompletionStyle(fields)
        chat.options.speech = try SpokenChat.speech(fields, chat.messages, streams: style.streams)
        job = AnswerJob(
            model: try fields(GenerationFields.model), subject: .chat(chat),
            choices: try fields(GenerationFields.choices) ?? 1, forcedCall: tools.forcedCall,
            allowsParallelCalls: try fields(Self.parallel) ?? true, takesSound: true,
            fields: JobFields(constraint: GenerationFields.constraintField(fields, format: Self.format.name)))
    }

    private static func maximum(_ fields: FieldReader) throws(APIError) -> Int? {
        if let maximum = try fields(maxCompletionTokens) { return maximum }
        var maximum: Int?
        for field in [maxTokens, predict] {
            guard let value = try fields(field) else { continue }
            guard value != 0 else { throw .invalid(field.name, "must be at least 1, found 0") }
            maximum = maximum ?? value
        }
        return maximum.flatMap { $0 < 0 ? nil : $0 }
    }

    private static func budget(_ fields: FieldReader) throws(APIError) -> Int? {
        let limits = [try fields(budget), try fields(reasoningBudget), try fields(vllmBudget)]
        return limits.compactMap(\.self).first.flatMap { $0 < 0 ? nil : $0 }
    }

    private static func logprobs(_ fields: FieldReader) throws(APIError) -> Int? {
        let wanted = try fields(logprobs) ?? false
        let alternatives = try fields(topLogprobs)
        guard wanted || alternatives ?? 0 == 0 else {
            throw .invalid("top_logprobs", "requires 'logprobs' to be true")
        }
        return wanted ? alternatives ?? 0 : nil
    }

    /// Constrains the answer to a format.
    static func constrain(
        _ options: inout AnswerOptions, _ format: JSONValue?, path: String = "response_format"
    ) throws(APIError) {
        guard let format, format["type"] != "text" else { return }
        try GenerationFields.refuseSecondConstraint(options, path)
        switch format["type"]?.string {
        case "json_object":
            // llama-server, Together and Fireworks accept a schema here; Hugging Face's client calls it 'value'.
            let given = [format["schema"], format["value"], format["json_schema"]?["schema"]].compactMap(\.self)
            let schema = given.first { $0 != .null && $0.object?.isEmpty != true }
            options.constraint = .jsonSchema((schema ?? ["type": "object"]).text(), permitsUndeclared: schema == nil)
            options.showsSchema = schema != nil
        case "json_schema":
            // Chat completions wrap the schema; responses and llama-server do not.
            let wrapper = format["json_schema"]
            guard let schema = (wrapper ?? format)["schema"], schema.object != nil else {
                throw .expected(
                    "a JSON Schema", at: path + (wrapper == nil ? ".schema" : ".json_schema.schema"),
                    found: (wrapper ?? format)["schema"] ?? .null)
            }
            options.constraint = .jsonSchema(schema.text())
        default:
            throw .expected(
                "'text', 'json_object' or 'json_schema'", at: path + ".type", found: format["type"] ?? .null)
        }
    }

    private static func think(_ chat: inout ChatRequest, _ fields: FieldReader) throws(APIError) {
        let reasoning = try fields(reasoning)
        if let effort = try fields(effort) {
            try chat.think(effort: effort, path: "reasoning_effort")
        } else if let reasoning {
            try chat.think(reasoning)
        }
        if let documents = try fields(documents) { chat.templateVariables["documents"] = .array(documents) }
        if let variables = try fields(variables)?.dictionary { chat.templateVariables.merge(variables) { $1 } }
    }

    /// Decides whether the answer continues a trailing assistant message or is a new message.
    private static func begin(
        _ chat: inout ChatRequest, _ fields: FieldReader, isForced: Bool, isShown: Bool
    ) throws(APIError) {
        let (begins, continues) = (try fields(addsPrompt), try fields(continues))
        guard begins != true || continues != true else {
            throw .invalid(
                Self.continues.name, "cannot be true if 'add_generation_prompt' is true: set one of them to false")
        }
        guard begins != false || continues == true || !isShown else {
            chat.beginsAnswer = false
            return
        }
        for (field, asks) in [(addsPrompt, begins == false), (Self.continues, continues == true)] {
            guard !asks || chat.endsWithBeginning else {
                throw .invalid(
                    field.name, "continues a last message of the assistant's without tool calls, which is missing")
            }
        }
        guard begins == false || begins == nil && continues != false else { return }
        try chat.takeBeginning(isForced: isForced, orElse: ", or set 'add_generation_prompt' to true")
    }
}

extension ChatRequest {
    private static let efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

    private static let effort = Field.string("effort", "how much the model reasons: none, minimal, low, medium or high")

    /// OpenRouter's members of the object.
    private static let undone = [
        UnsupportedField("enabled", "is not supported: use 'effort'"),
        UnsupportedField("max_tokens", "is not supported: use 'thinking_budget_tokens' with /v1/chat/completions"),
        UnsupportedField("exclude", idle: [false], "is not supported: ignore the reasoning"),
    ]

    /// Sets the reasoning effort by the Responses API's object `reasoning`.
    mutating func think(_ reasoning: JSONValue) throws(APIError) {
        let fields = try FieldReader(reasoning, path: "reasoning")
        try fields.refuse(Self.undone)
        if let effort = try fields(Self.effort) { try think(effort: effort, path: "reasoning.effort") }
    }

    /// Sets the reasoning effort.
    mutating func think(effort: String, path: String) throws(APIError) {
        guard Self.efforts.contains(effort) else {
            throw .expected("none, minimal, low, medium or high", at: path, found: .string(effort))
        }
        thinks = effort != "none"
        if effort != "none" { templateVariables["reasoning_effort"] = .string(effort) }
    }

    /// Treats a trailing assistant message as the beginning of the answer, as llama-server, Anthropic and ollama do.
    ///
    /// - Parameters:
    ///   - isForced: Whether the answer must be a call.
    ///   - remedy: What else a client can do if the answer cannot begin like this.
    mutating func takeBeginning(isForced: Bool = false, orElse remedy: String = "") throws(APIError) {
        guard endsWithBeginning, let last = messages.last else { return }
        guard !isForced else {
            throw .invalid(
                "tool_choice",
                "forces a tool call, but the messages end with the beginning of an answer: remove that message" + remedy
            )
        }
        guard options.constraint == nil else {
            throw .invalid(
                "messages",
                "ends with the beginning of an answer, which cannot be combined with a constrained answer: "
                    + "remove that message" + remedy)
        }
        guard (last.reasoning ?? "").isEmpty, last.pictures.isEmpty, last.sounds.isEmpty else {
            throw .invalid(
                "messages",
                "ends with the beginning of an answer, which must be text only: remove its reasoning and media"
                    + remedy)
        }
        messages.removeLast()
        guard let asked = messages.last else {
            throw .invalid("messages", "contains only the beginning of an answer: add a message to answer before it")
        }
        guard asked.role != .assistant else {
            throw .invalid("messages", "ends with two assistant messages: merge them" + remedy)
        }
        beginning = last.text
    }

    /// Whether the last message is an assistant message that can be continued.
    var endsWithBeginning: Bool { messages.last.map { $0.role == .assistant && $0.calls.isEmpty } ?? false }
}
