import LeapChat
import LeapEngine
import LeapJSON
import LeapTokenizer
import OrderedCollections

/// A request to ollama's chat or generate API.
struct OllamaRequest: Sendable {
    /// What to answer; `nil` if the model is only to be loaded or unloaded.
    let job: AnswerJob?
    /// The model by one of its names.
    let model: String
    /// How to encode the answer.
    let style: OllamaStyle
    /// How long the model stays loaded; negative means forever, `nil` leaves it unchanged.
    let keepAlive: Duration?

    private init(
        _ fields: FieldReader, isChat: Bool, _ subject: AnswerJob.Subject?, forcing call: ForcedCall? = nil,
        after context: [Token]? = nil
    ) throws(APIError) {
        model = try fields.required(OllamaFields.model)
        keepAlive = try OllamaFields.keepAliveDuration(fields)
        let options = FieldReader(try fields(OllamaFields.options)?.object ?? [:], path: OllamaFields.options.name)
        let names = JobFields(
            subject: isChat ? Self.messages.name : Self.prompt.name,
            constraint: GenerationFields.constraintField(options, format: OllamaFields.format.name))
        job = subject.map { [model] in
            AnswerJob(
                model: model, subject: $0, context: context, forcedCall: call, takesPartsOfCalls: false, fields: names)
        }
        style = OllamaStyle(
            model: model, streams: try fields(OllamaFields.stream) ?? true, isChat: isChat,
            showsTokens: try fields(OllamaFields.logprobs) ?? false)
    }
}

// MARK: - Chats

extension OllamaRequest {
    static let messages = Field.array(
        "messages", "the messages, oldest first; if there are none, the model is only loaded")
    static let tools = Field.array("tools", "the functions that the model may call")

    /// All fields of chats, for the OpenAPI document.
    static let chatFields: [any DescribedField] =
        [messages, tools, ChatCompletionRequest.toolChoice] as [any DescribedField] + OllamaFields.all

    /// Reads a request of `/api/chat`.
    static func chat(_ fields: FieldReader) throws(APIError) -> OllamaRequest {
        var messages: [Message] = []
        for (index, value) in (try fields(Self.messages) ?? []).enumerated() {
            messages.append(try message(value, path: "messages[\(index)]"))
        }
        let tools = try ToolReader(
            definitions: try fields(Self.tools) ?? [], choice: try fields(ChatCompletionRequest.toolChoice),
            nameLimit: nil)
        var chat = ChatRequest(messages, tools: tools.tools, try OllamaFields.answerOptions(fields))
        try OllamaFields.think(&chat, fields)
        guard !messages.isEmpty else { return try OllamaRequest(fields, isChat: true, nil) }
        if tools.forcedCall != nil {
            try chat.dropOutputFormat(try FieldReader(try fields(OllamaFields.options) ?? [:], path: "options"))
        }
        try chat.takeBeginning(isForced: tools.forcedCall != nil)
        return try OllamaRequest(fields, isChat: true, .chat(chat), forcing: tools.forcedCall)
    }

    /// A message, which is in OpenAI's format except for the reasoning's name and images.
    private static func message(_ json: JSONValue, path: String) throws(APIError) -> Message {
        let pictures = try pictures(json["images"], path: path + ".images")
        var json = json
        if let thought = json["thinking"]?.string, !thought.isEmpty {
            json = json.with("reasoning_content", .string(thought))
        }
        // Clients leave out what is empty, such as the text beside images.
        if (json["content"] ?? .null) == .null { json = json.with("content", "") }
        var message = try MessageReader.message(json, path: path)
        message.parts = pictures + message.parts
        return message
    }

    /// Pictures, each a text of base64 or a `data:` URL.
    private static func pictures(_ images: JSONValue?, path: String) throws(APIError) -> [Message.Part] {
        guard let images, images != .null else { return [] }
        guard let images = images.array else { throw .expected("an array", at: path, found: images) }
        var pictures: [Message.Part] = []
        for (index, image) in images.enumerated() {
            let path = "\(path)[\(index)]"
            guard let text = image.string else { throw .expected("a string", at: path, found: image) }
            let isURL = text.hasPrefix("data:")
            pictures.append(
                .picture(
                    try isURL
                        ? MessageReader.picture(url: text, path: path)
                        : MessageReader.picture(base64: text, path: path)))
        }
        return pictures
    }
}

// MARK: - Prompts

extension OllamaRequest {
    static let prompt = Field.string("prompt", "the prompt; if absent or empty, the model is only loaded")
    static let system = Field.string("system", "instructions")
    static let raw = Field.bool("raw", "true continues the prompt as is, without the chat template")
    static let suffix = Field.string("suffix", "the text after the completion")
    static let template = Field.string("template", "must be empty: the model's own chat template is used")
    static let images = Field.array("images", "images in base64, for models with vision")
    static let context = Field.array("context", "the earlier conversation, as returned in the last reply")

    /// All fields of prompts, for the OpenAPI document.
    static let promptFields: [any DescribedField] =
        [prompt, system, raw, suffix, template, images, context] as [any DescribedField] + OllamaFields.all

    /// Reads a request of `/api/generate`.
    static func prompt(_ fields: FieldReader) throws(APIError) -> OllamaRequest {
        try refuse(fields)
        let options = try OllamaFields.answerOptions(fields)
        let prompt = try fields(Self.prompt) ?? ""
        guard !prompt.isEmpty else { return try OllamaRequest(fields, isChat: false, nil) }
        if let suffix = try fields(suffix), !suffix.isEmpty {
            return try OllamaRequest(fields, isChat: false, .infill(prefix: prompt, suffix: suffix, options))
        }
        if try fields(raw) == true { return try OllamaRequest(fields, isChat: false, .text(prompt, options)) }
        let before = try tokens(of: try fields(Self.context) ?? [])
        let system = try fields(Self.system).flatMap { $0.isEmpty ? nil : Message(.system, $0) }
        let pictures = try pictures(try fields(images).map { .array($0) }, path: "images")
        var chat = ChatRequest([system, Message(.user, pictures + [.text(prompt)])].compactMap(\.self), options)
        try OllamaFields.think(&chat, fields)
        return try OllamaRequest(fields, isChat: false, .chat(chat), after: before)
    }

    /// A conversation as tokens.
    private static func tokens(of context: [JSONValue]) throws(APIError) -> [Token] {
        var tokens: [Token] = []
        for (index, value) in context.enumerated() {
            guard case .integer(let number) = value, let token = Token(exactly: number) else {
                throw .expected("a token ID", at: "context[\(index)]", found: value)
            }
            tokens.append(token)
        }
        return tokens
    }

    /// Rejects fields that would be missing from the prompt.
    private static func refuse(_ fields: FieldReader) throws(APIError) {
        let isRaw = try fields(raw) == true
        let fills = try fields(suffix).map { !$0.isEmpty } ?? false
        for name in try chatFields(fields) {
            if isRaw, name != images.name {
                throw APIError(.invalid, "raw mode does not support template, system, or context", param: name)
            }
            guard !isRaw else { throw .invalid(name, "cannot be combined with 'raw': omit one of them") }
            guard !fills else {
                throw .invalid(
                    name, "cannot be combined with 'suffix', which fills in the text between prompt and suffix")
            }
            guard name != template.name else {
                throw .invalid(
                    name, "is not supported: set 'raw' to true, and send the prompt already formatted for the model")
            }
        }
    }

    /// The fields of a request that only a chat template can honour.
    private static func chatFields(_ fields: FieldReader) throws(APIError) -> [String] {
        let texts = [(template.name, try fields(template)), (system.name, try fields(system))]
        let lists = [(context.name, try fields(context)), (images.name, try fields(images))]
        return texts.filter { $0.1?.isEmpty == false }.map(\.0) + lists.filter { $0.1?.isEmpty == false }.map(\.0)
    }
}
