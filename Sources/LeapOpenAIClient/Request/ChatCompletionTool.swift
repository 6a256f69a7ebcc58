public import LeapJSON
import OrderedCollections

/// A function that the model can call.
public struct ChatCompletionTool: Sendable, Hashable {
    /// The name: at most 64 letters, digits, underscores and hyphens.
    public var name: String
    /// What the function does, as shown to the model.
    public var description: String?
    /// The JSON Schema of the arguments; `nil` for a function without arguments.
    public var parameters: JSONValue?
    /// Whether the arguments must match the schema exactly, for servers that can enforce it.
    public var strict: Bool?

    /// Creates a function definition.
    public init(name: String, description: String? = nil, parameters: JSONValue? = nil, strict: Bool? = nil) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.strict = strict
    }

    /// The function in the format of OpenAI's API.
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
    /// The model decides.
    case auto
    /// The model must not call functions.
    case none
    /// The model must call at least one function.
    case required
    /// The model must call this function.
    case function(name: String)

    /// The choice in the format of OpenAI's API.
    public var json: JSONValue {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .function(let name): ["type": "function", "function": ["name": .string(name)]]
        }
    }
}
