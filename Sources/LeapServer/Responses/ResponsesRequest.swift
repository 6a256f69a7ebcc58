import LeapEngine
import LeapJSON
import OrderedCollections

/// A request to OpenAI's Responses API. Nothing is stored: every request contains the whole conversation.
///
/// https://platform.openai.com/docs/api-reference/responses
struct ResponsesRequest: Sendable {
    /// What to answer.
    let job: AnswerJob
    /// How to encode the answer.
    let style: ResponsesStyle
    /// Types of tools that only OpenAI's own servers have: the model does not see them.
    let skippedTools: [String]

    static let input = Field.any("input", "a string, or an array of items: messages, tool calls and their outputs")
    static let instructions = Field.string("instructions", "system prompt, placed before the conversation")
    static let maxTokens = Field.integer("max_output_tokens", 1...Int.max, "maximum number of tokens to generate")
    static let reasoning = Field.object("reasoning", "effort: how much the model reasons")
    static let text = Field.object("text", "format: text, json_object, or json_schema with a schema")
    static let include = Field.array("include", "message.output_text.logprobs: returns log probabilities of the tokens")
    static let topLogprobs = Field.integer("top_logprobs", 0...20, "number of alternatives to report for each token")
    static let metadata = Field.object("metadata", "returned unchanged in the response")
    static let truncation = Field.choice(
        "truncation", ["disabled"], "disabled: a conversation that is too long is rejected")
    static let background = Field.bool("background", "must be false: background responses are not supported")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] =
        [
            input, instructions, maxTokens, reasoning, text, include, topLogprobs, metadata, truncation, background,
            ChatCompletionRequest.tools, ChatCompletionRequest.toolChoice, ChatCompletionRequest.parallel,
        ] as [any DescribedField]
        + GenerationFields.all.filter { $0.name != GenerationFields.choices.name }

    /// Unsupported fields that would change the answer.
    private static let refused = [
        "previous_response_id":
            "is not supported, since responses are not stored: send the whole conversation as 'input'",
        "conversation": "is not supported, since responses are not stored: send the whole conversation as 'input'",
        "prompt": "is not supported, since prompts are not stored: send the text as 'instructions'",
        "context_management": "is not supported: shorten the conversation in the client",
    ]
    /// Fields of other dialects that would change the answer.
    private static let undone: [UnsupportedField] =
        [UnsupportedField("n", idle: [1], "is not supported by the Responses API: there is always one answer")]
        + OtherDialects(
            length: maxTokens.name, stop: GenerationFields.stop.name, form: "'text.format'",
            reasoning: "'reasoning.effort'", own: [reasoning.name]
        ).fields

    init(_ fields: FieldReader) throws(APIError) {
        try fields.refuse(Self.refused)
        try fields.refuse(Self.undone + GenerationFields.undone)
        guard try fields(Self.background) != true else {
            throw .invalid("background", "is not supported, since responses are not stored: set it to false")
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
        if offer.tools.forcedCall != nil { try chat.dropOutputFormat(fields) }
        job = AnswerJob(
            model: try fields(GenerationFields.model), subject: .chat(chat), forcedCall: offer.tools.forcedCall,
            allowsParallelCalls: try fields(ChatCompletionRequest.parallel) ?? true,
            fields: JobFields(
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
            throw .invalid("top_logprobs", "requires 'message.output_text.logprobs' in 'include'")
        }
        return options
    }

    private static let format = Field.object("format", "text, json_object, or json_schema with a schema")

    private static func shape(_ chat: inout ChatRequest, _ fields: FieldReader) throws(APIError) {
        if let reasoning = try fields(reasoning) { try chat.think(reasoning) }
        if let text = try fields(text) {
            let format = try FieldReader(text, path: "text")(format)
            try ChatCompletionRequest.constrain(&chat.options, format, path: "text.format")
        }
    }
}

/// The tools and tool choice of the Responses API.
struct ResponsesTools {
    /// The functions.
    let tools: ToolReader
    /// Types of tools that only OpenAI's own servers have.
    private(set) var skipped: [String] = []
    /// Custom tools, which take any text: functions with one argument, `input`.
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
