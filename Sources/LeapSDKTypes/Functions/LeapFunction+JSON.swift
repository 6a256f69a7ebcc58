public import LeapJSON
import OrderedCollections

/// Function definitions in the format of OpenAI and chat templates.
extension LeapFunction {
    /// The definition of the function: an object with `name`, `description`, and a JSON Schema as `parameters`.
    public var json: JSONValue {
        ["name": .string(name), "description": .string(functionDescription), "parameters": parametersSchema]
    }

    /// The definition wrapped as a tool: `{"type": "function", "function": {…}}`.
    public var toolJSON: JSONValue {
        ["type": "function", "function": json]
    }

    /// The JSON Schema of the arguments.
    public var parametersSchema: JSONValue {
        if let schema { return schema }
        var properties: OrderedDictionary<String, JSONValue> = [:]
        for parameter in parameters {
            properties[parameter.name] = parameter.type.schema(describedAs: parameter.parameterDescription)
        }
        let required = parameters.filter { !$0.optional }.map { JSONValue.string($0.name) }
        return ["type": "object", "properties": .object(properties), "required": .array(required)]
    }

    /// Returns the definition as an object for `JSONSerialization`.
    ///
    /// - Parameter withToolTypeWrapper: Whether to wrap it as a tool, `{"type": "function", "function": {…}}`.
    public func toJsonObject(withToolTypeWrapper: Bool) -> [String: Any] {
        (withToolTypeWrapper ? toolJSON : json).foundation as? [String: Any] ?? [:]
    }

    /// Reads a definition, whether or not it is wrapped as a tool.
    ///
    /// A parameter schema that ``LeapFunctionParameterType`` cannot express is kept unchanged and shown to the model in
    /// full; ``parameters`` then contains the parameters that can be expressed.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the invalid field.
    public init(json: JSONValue) throws(LeapError) {
        let function = json["function"] ?? json
        guard let name = function["name"]?.string else {
            throw .malformed("a function's 'name'", expected: "a string", function["name"])
        }
        let schema = function["parameters"] ?? ["type": "object", "properties": [:]]
        guard schema.object != nil else {
            throw .malformed("the 'parameters' of function '\(name)'", expected: "a JSON Schema", schema)
        }
        self.init(
            name: name, description: function["description"]?.string ?? "", parameters: Self.parameters(schema))
        if parametersSchema.unordered != schema.unordered { self.schema = schema }
    }

    private static func parameters(_ schema: JSONValue) -> [LeapFunctionParameter] {
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return (schema["properties"]?.object ?? [:]).compactMap { name, property in
            // The schema tells the model what no type can express.
            var members = property.object
            members?["description"] = nil
            guard let members, let type = try? LeapFunctionParameterType(json: .object(members)) else { return nil }
            return LeapFunctionParameter(
                name: name, type: type, description: property["description"]?.string ?? "",
                optional: !required.contains(name))
        }
    }
}

extension JSONValue {
    /// The schema without insignificant differences: the order of keys and required names, and fractions of zero.
    var unordered: JSONValue {
        switch self {
        case .object(let members):
            var sorted = members.mapValues(\.unordered)
            sorted.sort { $0.key < $1.key }
            let required = members["required"]?.array?.map(\.string)
            if let required, !required.contains(nil) {
                sorted["required"] = .array(required.compactMap(\.self).sorted().map(JSONValue.string))
            }
            return .object(sorted)
        case .array(let elements): return .array(elements.map(\.unordered))
        case .number(let number): return Int(exactly: number).map(JSONValue.integer) ?? self
        case .null, .bool, .integer, .largeInteger, .exactNumber, .string: return self
        }
    }
}

extension LeapFunction: Codable {
    /// Reads a definition, whether or not it is wrapped as a tool.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONCarrier(from: decoder).value)
    }

    /// Writes the definition.
    public func encode(to encoder: any Encoder) throws {
        try JSONCarrier(value: json).encode(to: encoder)
    }
}

extension LeapFunctionParameterType: Codable {
    /// Reads a type from a JSON Schema.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONCarrier(from: decoder).value)
    }

    /// Writes the type as a JSON Schema.
    public func encode(to encoder: any Encoder) throws {
        try JSONCarrier(value: json).encode(to: encoder)
    }
}
