public import LeapChat
public import LeapJSON
import OrderedCollections

/// Tools as OpenAI's API and chat templates define them.
extension Tool {
    /// The JSON Schema that arguments must satisfy.
    public var parameters: JSONValue { json["function"]?["parameters"] ?? [:] }

    /// Reads a definition, wrapped as `{"type": "function", "function": {…}}` or not. What it says beyond a name, parameters and
    /// `strict` is passed to the template unchanged; a member that is null counts as absent.
    ///
    /// - Throws: ``EngineError`` for a field that is malformed, or a name that models cannot call.
    public init(json: JSONValue) throws(EngineError) {
        var function = ((json["function"] ?? json).object ?? [:]).filter { $0.value != .null }
        guard let name = function["name"]?.string else {
            throw .malformed("a function's 'name'", expected: "a string", function["name"])
        }
        guard ToolCall.canBeNamed(name), name.utf8.count <= 256 else { throw .illegalFunctionName(name) }
        let parameters = function["parameters"] ?? ["type": "object", "properties": [:]]
        guard parameters.object != nil else {
            throw .malformed("the 'parameters' of function '\(name)'", expected: "a JSON Schema", parameters)
        }
        function["parameters"] = parameters
        let isStrict: Bool
        switch function.removeValue(forKey: "strict") {
        case nil, .null: isStrict = false
        case .bool(let value): isStrict = value
        case let other: throw .malformed("'strict' of function '\(name)'", expected: "true or false", other)
        }
        self.init(name: name, json: ["type": "function", "function": .object(function)], isStrict: isStrict)
    }

    /// Reads definitions. One that occurs twice is one.
    ///
    /// - Throws: ``EngineError`` for a malformed one, or two different functions with one name.
    public static func list(json: [JSONValue]) throws(EngineError) -> [Tool] {
        var tools: OrderedDictionary<String, Tool> = [:]
        for definition in json {
            let tool = try Tool(json: definition)
            if let known = tools.updateValue(tool, forKey: tool.name), known != tool {
                throw .duplicateFunction(tool.name)
            }
        }
        return tools.values.elements
    }
}

extension [Tool] {
    /// What is wrong with a call, measured by these tools; empty if nothing is.
    public func problems(in call: ToolCall) -> [ToolCallProblem] {
        guard let tool = first(where: { $0.name == call.name }) else {
            return [.unknownFunction(name: call.name, known: map(\.name))]
        }
        return ToolCallProblem.problems(in: .object(call.arguments), tool.parameters)
    }
}
