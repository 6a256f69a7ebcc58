import LeapChat
import LeapEngine
import LeapJSON
import LeapTokenizer
import OrderedCollections

/// A request of ollama's for an answer: to a conversation, or to a prompt.
struct OllamaRequest: Sendable {
    /// What is to be answered; `nil` where the model is only to be loaded, or unloaded.
    let order: AnswerOrder?
    /// The model by one of its names.
    let model: String
    /// How the answer is written.
    let style: OllamaStyle
    /// How long the model stays; negative is for ever, and `nil` as long as others do.
    let keepAlive: Duration?

    private init(
        _ fields: FieldReader, isChat: Bool, _ subject: AnswerOrder.Subject?, forcing call: ForcedCall? = nil,
        after context: [Token]? = nil
    ) throws(APIError) {
        model = try fields.required(OllamaFields.model)
        keepAlive = try OllamaFields.keepAliveDuration(fields)
        let options = FieldReader(try fields(OllamaFields.options)?.object ?? [:], path: OllamaFields.options.name)
        let names = OrderFields(
            subject: isChat ? Self.messages.name : Self.prompt.name,
            constraint: GenerationFields.constraintField(options, format: OllamaFields.format.name))
        order = subject.map { [model] in
            AnswerOrder(model: model, subject: $0, context: context, forcedCall: call, fields: names)
        }
        style = OllamaStyle(
            model: model, streams: try fields(OllamaFields.stream) ?? true, isChat: isChat,
            showsTokens: try fields(OllamaFields.logprobs) ?? false)
    }
}

// MARK: - Chats

extension OllamaRequest {
    static let messages = Field.array("messages", "what was said, oldest first; without any, the model is loaded")
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
        guard chat.options.constraint == nil || tools.forcedCall == nil else {
            throw .invalid("tool_choice", "forces a call, and a format asks for a text: give one of them")
        }
        try chat.takeBeginning(isForced: tools.forcedCall != nil)
        return try OllamaRequest(fields, isChat: true, .chat(chat), forcing: tools.forcedCall)
    }

    /// A message, which is one of OpenAI's but for the name of its thoughts, and for images.
    private static func message(_ json: JSONValue, path: String) throws(APIError) -> Message {
        let pictures = try pictures(json["images"], path: path + ".images")
        var json = json
        if let thought = json["thinking"]?.string, !thought.isEmpty {
            json = json.with("reasoning_content", .string(thought))
        }
        if json["role"] == "assistant", json["content"] == nil { json = json.with("content", "") }
        var message = try MessageReader.message(json, path: path)
        message.parts = pictures + message.parts
        return message
    }

    /// Pictures, each a text of base64.
    private static func pictures(_ images: JSONValue?, path: String) throws(APIError) -> [Message.Part] {
        guard let images, images != .null else { return [] }
        guard let images = images.array else { throw .expected("an array", at: path, found: images) }
        var pictures: [Message.Part] = []
        for (index, image) in images.enumerated() {
            let path = "\(path)[\(index)]"
            guard let text = image.string else { throw .expected("a string", at: path, found: image) }
            let url = text.hasPrefix("data:") ? text : "data:image/jpeg;base64," + text
            pictures.append(.picture(try MessageReader.picture(url: url, path: path)))
        }
        return pictures
    }
}

// MARK: - Prompts

extension OllamaRequest {
    static let prompt = Field.string("prompt", "what is answered; without any, the model is loaded")
    static let system = Field.string("system", "instructions")
    static let raw = Field.bool("raw", "true continues the prompt as it is, without the chat template")
    static let suffix = Field.string("suffix", "what follows the answer")
    static let template = Field.string("template", "empty: the model's own is used")
    static let images = Field.array("images", "pictures in base64, where the model sees")
    static let context = Field.array("context", "the conversation before, as the last reply told it")

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
                throw .expected("a token's number", at: "context[\(index)]", found: value)
            }
            tokens.append(token)
        }
        return tokens
    }

    /// Refuses what would be left out of the prompt.
    private static func refuse(_ fields: FieldReader) throws(APIError) {
        let isRaw = try fields(raw) == true
        let fills = try fields(suffix).map { !$0.isEmpty } ?? false
        for name in try chatFields(fields) {
            if isRaw, name != images.name {
                throw APIError(.invalid, "raw mode does not support template, system, or context", param: name)
            }
            guard !isRaw else { throw .invalid(name, "cannot go with 'raw': leave one of them out") }
            guard !fills else { throw .invalid(name, "cannot go with 'suffix': the answer stands between two texts") }
            guard name != template.name else {
                throw .invalid(name, "is not supported: set 'raw' to true, and send the prompt as the model reads it")
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
