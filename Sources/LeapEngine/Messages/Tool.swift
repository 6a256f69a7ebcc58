import LeapChat
public import LeapJSON
import OrderedCollections

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

    /// A call with the names of parameters for arguments that have only positions.
    func named(_ call: ToolCall) -> ToolCall {
        let names = json["function"]?["parameters"]?["properties"]?.object?.keys.elements ?? []
        var named: OrderedDictionary<String, JSONValue> = [:]
        for (position, (key, value)) in call.arguments.enumerated() {
            let isPositional =
                key == String(position) && position < names.count && call.arguments[names[position]] == nil
            named[isPositional ? names[position] : key] = value
        }
        return ToolCall(name: call.name, arguments: named)
    }
}
