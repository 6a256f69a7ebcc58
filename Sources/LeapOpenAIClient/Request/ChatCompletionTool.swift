public import LeapJSON
import OrderedCollections

/// A function that the model may ask to call.
public struct ChatCompletionTool: Sendable, Hashable {
    /// The name: letters, digits, underscores and hyphens, 64 at most.
    public var name: String
    /// What it does, for the model to read.
    public var description: String?
    /// A JSON Schema of the arguments; `nil` for a function without any.
    public var parameters: JSONValue?
    /// Whether arguments follow the schema exactly, for servers that can see to that.
    public var strict: Bool?

    /// Describes a function.
    public init(name: String, description: String? = nil, parameters: JSONValue? = nil, strict: Bool? = nil) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.strict = strict
    }

    /// The function as OpenAI's API takes it.
    public var json: JSONValue {
        let function = JSONObject(["name": .string(name)])
            .setting("description", description)
            .setting("parameters", parameters)
            .setting("strict", strict)
        return ["type": "function", "function": function.value]
    }
}

/// Whether the model calls functions.
public enum ChatCompletionToolChoice: Sendable, Hashable {
    /// It decides itself.
    case auto
    /// It must not.
    case none
    /// It must call at least one.
    case required
    /// It must call this one.
    case function(name: String)

    /// The choice as OpenAI's API takes it.
    public var json: JSONValue {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .function(let name): ["type": "function", "function": ["name": .string(name)]]
        }
    }
}
