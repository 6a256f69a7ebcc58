import LeapChat
public import LeapJSON

/// A function that a model may call, as templates are told of it.
public struct Tool: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The definition, as OpenAI's API has it: `{"type": "function", "function": {"name": …, "parameters": …}}`.
    public let json: JSONValue

    /// Makes a tool of its definition.
    public init(name: String, json: JSONValue) {
        self.name = name
        self.json = json
    }

    /// The function as readers of calls know it.
    var declaration: DeclaredFunction { DeclaredFunction(name: name, json: json) }
}
