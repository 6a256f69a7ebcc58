import LeapJSON
import OrderedCollections

extension ToolCallProblem {
    /// Checks the arguments of a call against a schema. Returns an empty array if they are valid.
    ///
    /// - Parameters:
    ///   - arguments: The arguments as an object.
    ///   - schema: The JSON Schema of the function's parameters. Types, required and unknown properties, and enumerated
    ///     values are checked.
    public static func problems(in arguments: JSONValue, _ schema: JSONValue) -> [ToolCallProblem] {
        ArgumentCheck.problems(of: arguments, schema, path: "")
    }
}

/// Compares arguments with a JSON Schema: types, required and unknown properties, and listed values.
private enum ArgumentCheck {
    /// The problems of a value; `path` locates it.
    static func problems(of value: JSONValue, _ schema: JSONValue, path: String) -> [ToolCallProblem] {
        let types = schema["type"]?.string.map { [$0] } ?? schema["type"]?.array?.compactMap(\.string) ?? []
        guard types.isEmpty || types.contains(where: { value.isOfType($0) }) else {
            let expected = types.joined(separator: " or ")
            return [.mistypedArgument(path: path, expected: expected, found: value.excerpt())]
        }
        if let allowed = schema["enum"]?.array, !allowed.contains(where: { $0.equals(value) }) {
            return [.valueNotAllowed(path: path, allowed: allowed.map { $0.text() }, found: value.excerpt())]
        }
        switch value {
        case .object(let members) where schema["properties"]?.object != nil || path.isEmpty:
            return missing(members.keys.elements, schema, path)
                + members.flatMap { property($0.key, $0.value, schema, path) }
        case .array(let elements):
            guard let items = schema["items"] else { return [] }
            return elements.enumerated().flatMap { problems(of: $1, items, path: "\(path)[\($0)]") }
        default: return []
        }
    }

    private static func missing(_ names: [String], _ schema: JSONValue, _ path: String) -> [ToolCallProblem] {
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return required.filter { !names.contains($0) }.map { .missingArgument(path: join(path, $0)) }
    }

    private static func property(
        _ name: String, _ value: JSONValue, _ schema: JSONValue, _ path: String
    ) -> [ToolCallProblem] {
        let path = join(path, name)
        let properties = schema["properties"]?.object ?? [:]
        if let property = properties[name] { return problems(of: value, property, path: path) }
        switch schema["additionalProperties"] {
        case .object?: return problems(of: value, schema["additionalProperties"] ?? [:], path: path)
        case .bool(true)?: return []
        default: return [.unknownArgument(path: path, known: properties.keys.elements)]
        }
    }

    private static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }
}

extension JSONValue {
    fileprivate func isOfType(_ name: String) -> Bool {
        switch (self, name) {
        case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.array, "array"), (.object, "object"),
            (.integer, "integer"), (.largeInteger, "integer"), (.integer, "number"), (.largeInteger, "number"),
            (.number, "number"), (.exactNumber, "number"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }

    /// Equality of scalars as in JSON Schema: 1 and 1.0 are the same number.
    fileprivate func equals(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.integer(let number), .number(let double)), (.number(let double), .integer(let number)):
            Double(number) == double
        default: self == other
        }
    }
}
