public import LeapJSON
import OrderedCollections

/// A function that a model can call, with the information needed to parse calls of it.
public struct DeclaredFunction: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The JSON Schema of its parameters by name.
    let parameters: OrderedDictionary<String, JSONValue>

    /// Reads a function from its definition in the format of OpenAI's API,
    /// `{"type": "function", "function": {"name": …}}`, or from the inner object; `nil` if it has no name.
    public init?(json: JSONValue) {
        let function = json["function"]?.object == nil ? json : json["function"] ?? json
        guard let name = function["name"]?.string, !name.isEmpty else { return nil }
        self.init(name: name, json: function)
    }

    /// Creates a function from a name and its definition.
    public init(name: String, json: JSONValue) {
        let function = json["function"]?.object == nil ? json : json["function"] ?? json
        self.name = name
        parameters = function["parameters"]?["properties"]?.object ?? [:]
    }

    /// The name of the parameter that an argument is for, if it has only a position.
    func parameter(_ key: String) -> String? {
        guard let position = Int(key), String(position) == key else { return nil }
        return parameters.keys.indices.contains(position) ? parameters.keys[position] : nil
    }

    /// A call with the names of parameters for arguments that have only positions.
    func named(_ call: ToolCall) -> ToolCall {
        let names = parameters.keys.elements
        var named: OrderedDictionary<String, JSONValue> = [:]
        for (position, (key, value)) in call.arguments.enumerated() {
            let isPositional =
                key == String(position) && position < names.count && call.arguments[names[position]] == nil
            named[isPositional ? names[position] : key] = value
        }
        return ToolCall(name: call.name, arguments: named, id: call.id)
    }
}
