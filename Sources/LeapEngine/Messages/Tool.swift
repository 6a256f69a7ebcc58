import LeapChat
public import LeapJSON

/// A function that a model may call, as templates are told of it.
public struct Tool: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The definition, as OpenAI's API has it: `{"type": "function", "function": {"name": …, "parameters": …}}`.
    public let json: JSONValue
    /// Whether arguments are held to the schema as they are written, rather than hoped to satisfy it. Where one of a request's
    /// functions is strict, all are.
    public let isStrict: Bool

    /// Makes a tool of its definition.
    public init(name: String, json: JSONValue, isStrict: Bool = false) {
        self.name = name
        self.json = json
        self.isStrict = isStrict
    }

    /// The function as readers of calls know it.
    var declaration: DeclaredFunction { DeclaredFunction(name: name, json: json) }
}
