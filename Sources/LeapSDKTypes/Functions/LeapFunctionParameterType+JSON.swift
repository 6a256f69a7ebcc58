public import LeapJSON
import OrderedCollections

/// Types as JSON Schemas.
extension LeapFunctionParameterType {
    /// The type as a JSON Schema.
    public var json: JSONValue { schema(describedAs: description) }

    /// The description inside the type, if it has one.
    public var description: String? {
        switch self {
        case .string(let type): type.description
        case .number(let type): type.description
        case .integer(let type): type.description
        case .boolean(let type): type.description
        case .array(let type): type.description
        case .object(let type): type.description
        case .null: nil
        }
    }

    /// - Parameter description: Replaces the type's own description.
    func schema(describedAs description: String?) -> JSONValue {
        var schema: OrderedDictionary<String, JSONValue> = ["type": .string(name)]
        if let description { schema["description"] = .string(description) }
        switch self {
        case .string(let type): schema["enum"] = type.enumValues.map { .array($0.map(JSONValue.string)) }
        case .number(let type): schema["enum"] = type.enumValues.map { .array($0.map(JSONValue.number)) }
        case .integer(let type): schema["enum"] = type.enumValues.map { .array($0.map(JSONValue.integer)) }
        case .array(let type): schema["items"] = type.itemType.json
        case .object(let type):
            schema["properties"] = .object(type.orderedProperties.mapValues(\.json))
            schema["required"] = .array(type.required.map(JSONValue.string))
        case .boolean, .null: break
        }
        return .object(schema)
    }

    private var name: String {
        switch self {
        case .string: "string"
        case .number: "number"
        case .integer: "integer"
        case .boolean: "boolean"
        case .array: "array"
        case .object: "object"
        case .null: "null"
        }
    }
}

extension ObjectType {
    /// The properties in a deterministic order, since a prompt must not change by itself: the required ones as listed,
    /// then the others by name.
    fileprivate var orderedProperties: OrderedDictionary<String, LeapFunctionParameterType> {
        let others = properties.keys.filter { !required.contains($0) }.sorted()
        var result: OrderedDictionary<String, LeapFunctionParameterType> = [:]
        for name in required + others { result[name] = properties[name] }
        return result
    }
}

extension LeapFunctionParameterType {
    /// Reads a type from a JSON Schema.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the type cannot express the schema.
    public init(json: JSONValue) throws(LeapError) {
        let description = json["description"]?.string
        switch json["type"]?.string {
        case "string": self = .LeapStr(enumValues: try json.list("enum") { $0.string }, description: description)
        case "number": self = .LeapNum(enumValues: try json.list("enum") { $0.double }, description: description)
        case "integer": self = .LeapInt(enumValues: try json.list("enum") { $0.int }, description: description)
        case "boolean": self = .LeapBool(description: description)
        case "null": self = .LeapNull()
        case "array": self = .LeapArr(itemType: try .init(json: json["items"] ?? .null), description: description)
        case "object":
            self = .object(
                ObjectType(
                    description: description, properties: try Self.properties(json["properties"]),
                    required: try json.list("required") { $0.string } ?? []))
        default: throw .malformed("a parameter's 'type'", expected: "the name of one JSON type", json["type"])
        }
    }

    private static func properties(_ json: JSONValue?) throws(LeapError) -> [String: LeapFunctionParameterType] {
        var properties: [String: LeapFunctionParameterType] = [:]
        for (name, schema) in json?.object ?? [:] { properties[name] = try .init(json: schema) }
        return properties
    }
}

extension JSONValue {
    /// The elements of an optional list, each of which must be convertible.
    fileprivate func list<Element>(
        _ key: String, _ element: (JSONValue) -> Element?
    ) throws(LeapError) -> [Element]? {
        guard let value = self[key], value != .null else { return nil }
        let elements = value.array?.map(element)
        let known = elements?.compactMap(\.self)
        guard let known, known.count == elements?.count else {
            throw .malformed("a parameter's '\(key)'", expected: "a list of values of its type", value)
        }
        return known
    }

    fileprivate var int: Int? {
        if case .integer(let number) = self { number } else { nil }
    }
}
