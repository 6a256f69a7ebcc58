public import LeapJSON
public import OrderedCollections

/// A function call of a model, with the arguments as written.
public struct ToolCall: Sendable, Hashable {
    /// The function's name, which may contain dots.
    public var name: String
    /// The arguments by name, in the order written. An unnamed argument is named by its position, starting with `"0"`.
    public var arguments: OrderedDictionary<String, JSONValue>
    /// The call's id, if the model's format has one.
    public var id: String?

    /// Creates a call.
    public init(name: String, arguments: OrderedDictionary<String, JSONValue> = [:], id: String? = nil) {
        self.name = name
        self.arguments = arguments
        self.id = id
    }

    /// Whether models can call a function of this name: names with dots or hyphens between them.
    package static func canBeNamed(_ name: String) -> Bool {
        PythonWriter.canWrite(name: name)
    }

    /// The call as a JSON object with `name` and `arguments`.
    public var json: JSONValue {
        ["name": .string(name), "arguments": .object(arguments)]
    }
}
