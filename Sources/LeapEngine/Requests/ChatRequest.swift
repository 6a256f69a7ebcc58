public import LeapJSON

/// A conversation that is to be answered, and how.
public struct ChatRequest: Sendable {
    /// The messages, oldest first.
    public var messages: [Message]
    /// What the model may call.
    public var tools: [Tool]
    /// Whether the model should think; `nil` if the template decides.
    public var thinks: Bool?
    /// Further variables of the template.
    public var templateVariables: [String: JSONValue]
    /// A prefix that the model continues. The answer is only what it adds.
    public var beginning = ""
    /// Whether the template adds the header of an answer after the last message (`add_generation_prompt`).
    public var beginsAnswer = true
    /// How the answer is generated.
    public var options: AnswerOptions

    /// Makes a request.
    public init(
        _ messages: [Message], tools: [Tool] = [], thinks: Bool? = nil, templateVariables: [String: JSONValue] = [:],
        _ options: AnswerOptions
    ) {
        self.messages = messages
        self.tools = tools
        self.thinks = thinks
        self.templateVariables = templateVariables
        self.options = options
    }

    /// Variables by which chat templates turn thinking on and off.
    package static let thinkingVariables = ["enable_thinking", "thinking"]

    /// What the chat template is told about thinking: by ``templateVariables`` or, if these do not say, by ``thinks``;
    /// `nil` if neither says.
    var requestsThinking: Bool? {
        for name in Self.thinkingVariables {
            if case .bool(let thinks)? = templateVariables[name] { return thinks }
        }
        return thinks
    }
}
