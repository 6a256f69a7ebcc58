import LeapEngine
import LeapJSON
import OrderedCollections

/// A request of OpenAI's responses, of which nothing is kept: the whole conversation comes with each.
///
/// https://platform.openai.com/docs/api-reference/responses
struct ResponsesRequest: Sendable {
    /// What is to be answered.
    let order: AnswerOrder
    /// How the answer is written.
    let style: ResponsesStyle
    /// Types of tools that only OpenAI's own servers have: the model does not see them.
    let skippedTools: [String]

    static let input = Field.any("input", "what was said: a text, or items: messages, calls, what they returned")
    static let instructions = Field.string("instructions", "what stands above the conversation")
    static let maxTokens = Field.integer("max_output_tokens", 1...Int.max, "the most tokens of the answer")
    static let reasoning = Field.object("reasoning", "effort: how much is thought")
    static let text = Field.object("text", "format: text, json_object, or json_schema with a schema")
    static let include = Field.array("include", "message.output_text.logprobs: reports how probable tokens were")
    static let topLogprobs = Field.integer("top_logprobs", 0...20, "how many alternatives are reported for each token")
    static let metadata = Field.object("metadata", "comes back as it is")
    static let truncation = Field.choice("truncation", ["disabled"], "a conversation that is too long is refused")
    static let background = Field.bool("background", "false: the answer comes at once")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] =
        [
            input, instructions, maxTokens, reasoning, text, include, topLogprobs, metadata, truncation, background,
            ChatCompletionRequest.tools, ChatCompletionRequest.toolChoice, ChatCompletionRequest.parallel,
        ] as [any DescribedField]
        + GenerationFields.all.filter { $0.name != GenerationFields.choices.name }

    /// What would change the answer and is not done.
    private static let refused = [
        "previous_response_id": "is not supported, for nothing is stored: send the whole conversation as 'input'",
        "conversation": "is not supported, for nothing is stored: send the whole conversation as 'input'",
        "prompt": "is not supported, for nothing is stored: send its text as 'instructions'",
        "context_management": "is not supported: shorten the conversation yourself",
    ]
    /// Fields of other dialects that would change the answer.
    private static let undone = [
        UndoneField("n", idle: [1], "is not a field of responses: there is one answer"),
        UndoneField(
            "response_format", idle: UndoneField.idleFormats,
            "is for /v1/chat/completions: give the format as 'text.format'"),
        UndoneField("max_tokens", "is for /v1/chat/completions: give 'max_output_tokens'"),
        UndoneField("max_completion_tokens", "is for /v1/chat/completions: give 'max_output_tokens'"),
        UndoneField("n_predict", "is for /completion: give 'max_output_tokens'"),
    ]

    init(_ fields: FieldReader) throws(APIError) {
        try fields.refuse(Self.refused)
        try fields.refuse(Self.undone + GenerationFields.undone)
        guard try fields(Self.background) != true else {
            throw .invalid("background", "is not supported, for nothing is stored: set it to false")
        }
        _ = try fields(Self.truncation)
        let offer = try ResponsesTools(
            try fields(ChatCompletionRequest.tools) ?? [], choice: try fields(ChatCompletionRequest.toolChoice))
        skippedTools = offer.skipped
        var chat = ChatRequest(
            try InputReader.conversation(
                instructions: try fields(Self.instructions), input: try fields.required(Self.input)),
            tools: offer.tools.tools, try Self.options(fields))
        try Self.shape(&chat, fields)
        guard chat.options.constraint == nil || offer.tools.forcedCall == nil else {
            throw .invalid("tool_choice", "forces a call, and a format or grammar asks for a text: give one of them")
        }
        order = AnswerOrder(
            model: try fields(GenerationFields.model), subject: .chat(chat), forcedCall: offer.tools.forcedCall,
            allowsParallelCalls: try fields(ChatCompletionRequest.parallel) ?? true,
            fields: OrderFields(
                subject: Self.input.name,
                constraint: GenerationFields.constraintField(fields, format: "text.format")))
        style = ResponsesStyle(
            streams: try fields(GenerationFields.stream) ?? false, freeTools: offer.freeTools,
            showsTokens: chat.options.topLogprobs != nil, request: fields.members)
    }

    private static func options(_ fields: FieldReader) throws(APIError) -> AnswerOptions {
        var options = try GenerationFields.options(fields)
        options.maxTokens = try fields(maxTokens)
        let alternatives = try fields(topLogprobs)
        if try fields(include)?.contains("message.output_text.logprobs") == true {
            options.topLogprobs = alternatives ?? 0
        } else if let alternatives, alternatives > 0 {
            throw .invalid("top_logprobs", "needs 'message.output_text.logprobs' in 'include': add that")
        }
        return options
    }

    private static let effort = Field.string("effort", "none, minimal, low, medium, high: how much is thought")
    private static let format = Field.object("format", "text, json_object, or json_schema with a schema")

    private static func shape(_ chat: inout ChatRequest, _ fields: FieldReader) throws(APIError) {
        if let reasoning = try fields(reasoning),
            let effort = try FieldReader(reasoning, path: "reasoning")(effort)
        {
            try chat.think(effort: effort, path: "reasoning.effort")
        }
        if let text = try fields(text) {
            let format = try FieldReader(text, path: "text")(format)
            try ChatCompletionRequest.constrain(&chat.options, format, path: "text.format")
        }
    }
}

/// Tools as responses define them, and what is said of whether they must be called.
struct ResponsesTools {
    /// The functions.
    let tools: ToolReader
    /// Types of tools that only OpenAI's own servers have.
    private(set) var skipped: [String] = []
    /// Tools that take any text: functions with one argument, `input`.
    private(set) var freeTools: Set<String> = []

    init(_ definitions: [JSONValue], choice: JSONValue?) throws(APIError) {
        var functions: [JSONValue] = []
        var places: [Int] = []
        for (index, definition) in definitions.enumerated() {
            switch definition["type"]?.string {
            case "function":
                places.append(index)
                functions.append(Self.function(definition))
            case "custom":
                places.append(index)
                functions.append(Self.freeFunction(definition))
                if let name = definition["name"]?.string { freeTools.insert(name) }
            case let type?: skipped.append(type)
            case nil:
                throw .expected("'function'", at: "tools[\(index)].type", found: definition["type"] ?? .null)
            }
        }
        tools = try ToolReader(definitions: functions, choice: choice, places: places)
    }

    /// A function as chat completions define it.
    private static func function(_ definition: JSONValue) -> JSONValue {
        var function: OrderedDictionary<String, JSONValue> = [:]
        for key in ["name", "description", "parameters", "strict"] { function[key] = definition[key] }
        return ["type": "function", "function": .object(function)]
    }

    /// The grammar of a custom tool's text cannot be enforced within a call, so it is described to the model.
    private static func freeFunction(_ definition: JSONValue) -> JSONValue {
        var about = definition["description"]?.string ?? ""
        if let grammar = definition["format"]?["definition"]?.string {
            about += "\n\nThe input follows this grammar:\n" + grammar
        }
        return [
            "type": "function",
            "function": [
                "name": definition["name"] ?? .null, "description": .string(about),
                "parameters": [
                    "type": "object", "properties": ["input": ["type": "string"]], "required": ["input"],
                ],
            ],
        ]
    }
}
