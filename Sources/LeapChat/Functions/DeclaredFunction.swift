public import LeapJSON
import OrderedCollections

/// A function that a model can call, with the information needed to parse calls of it.
public struct DeclaredFunction: Sendable, Hashable {
    /// The function's name.
    public let name: String
    /// The JSON Schema of its parameters by name.
    let parameters: OrderedDictionary<String, JSONValue>
    /// The JSON Schema of all of them, with definitions to which theirs may refer.
    private let schema: JSONValue

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
        schema = function["parameters"] ?? [:]
        parameters = ParameterSchema(schema).properties
    }

    /// The schema of a parameter; `nil` if there is none.
    func schema(of parameter: String) -> ParameterSchema? {
        parameters[parameter].map { ParameterSchema($0, in: schema) }
    }

    /// The name of the parameter with an index; `nil` if there is none.
    func parameter(at position: Int) -> String? {
        parameters.keys.indices.contains(position) ? parameters.keys[position] : nil
    }

    /// A call with the names of parameters for arguments that have only positions.
    ///
    /// Those come first and have their positions as names, as ``PythonCallParser`` and ``JSONCalls`` write them.
    func named(_ call: ToolCall) -> ToolCall {
        let positions = Self.positions(in: call)
        var named: OrderedDictionary<String, JSONValue> = [:]
        for (position, (key, value)) in call.arguments.enumerated() {
            let name = position < positions ? parameter(at: position) : nil
            named[name.flatMap { call.arguments[$0] == nil ? $0 : nil } ?? key] = value
        }
        return ToolCall(name: call.name, arguments: named, id: call.id)
    }

    /// The name of a parameter for which a call has two arguments, one by its position and one by the name.
    func parameterGivenTwice(in call: ToolCall) -> String? {
        (0..<Self.positions(in: call)).lazy.compactMap { position in
            parameter(at: position).flatMap { $0 != String(position) && call.arguments[$0] != nil ? $0 : nil }
        }.first
    }

    /// The number of arguments that have only positions.
    private static func positions(in call: ToolCall) -> Int {
        call.arguments.keys.enumerated().prefix { $1 == String($0) }.count
    }
}
