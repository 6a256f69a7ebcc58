public import LeapJSON
public import OrderedCollections

/// A function that a model asks to call, with its arguments as written.
public struct ToolCall: Sendable, Hashable {
    /// The function's name, which may have dots.
    public var name: String
    /// The arguments by name, in the order written. An argument without a name has its position as its name, from `"0"`.
    public var arguments: OrderedDictionary<String, JSONValue>
    /// What the model calls this call, where its format has such a thing.
    public var id: String?

    /// Makes a call.
    public init(name: String, arguments: OrderedDictionary<String, JSONValue> = [:], id: String? = nil) {
        self.name = name
        self.arguments = arguments
        self.id = id
    }

    /// Whether models can call a function of this name: names with dots or hyphens between them.
    package static func canBeNamed(_ name: String) -> Bool {
        PythonWriter.canWrite(name: name)
    }

    /// The call as a JSON object of `name` and `arguments`.
    public var json: JSONValue {
        ["name": .string(name), "arguments": .object(arguments)]
    }
}
