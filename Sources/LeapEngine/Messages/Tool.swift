import LeapChat
public import LeapJSON

/// A function that a model may call, as templates get it.
public struct Tool: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The definition, as OpenAI's API has it: `{"type": "function", "function": {"name": …, "parameters": …}}`.
    public let json: JSONValue
    /// Whether decoding constrains the arguments to the schema, instead of only hoping that the model follows it. If
    /// one of a request's functions is strict, all are.
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
