import LeapJSON

/// An argument written without quotes, whose type must be known: `42` is a number unless the parameter is a
/// string.
enum ArgumentText {
    /// Returns the value that a text represents.
    ///
    /// - Parameters:
    ///   - schema: The parameter's schema; `nil` if unknown.
    ///   - isString: Whether the text is marked as a string; `nil` if it is not marked either way.
    static func value(_ text: String, _ schema: ParameterSchema?, isString: Bool? = nil) -> JSONValue {
        if isString == true { return .string(text) }
        let types = isString == false ? nil : schema?.types
        if types == ["string"] { return .string(text) }
        let json = json(text, types)
        if let json, types.map({ $0.contains(json.typeName) || $0.contains("number") && json.isNumber }) ?? true {
            return json
        }
        return types?.contains("string") ?? true ? .string(text) : json ?? .string(text)
    }

    private static func json(_ text: String, _ types: Set<String>?) -> JSONValue? {
        if let json = try? JSONValue(parsing: text) { return json }
        // Models that otherwise write Python also write it here.
        switch text {
        case "True": return types?.contains("boolean") ?? false ? true : nil
        case "False": return types?.contains("boolean") ?? false ? false : nil
        case "None": return types?.contains("null") ?? false ? .null : nil
        default: return pythonContainer(text, types)
        }
    }

    /// A Python list or dictionary, if the types allow one: some templates print values in Python syntax.
    private static func pythonContainer(_ text: String, _ types: Set<String>?) -> JSONValue? {
        guard let types, !types.isDisjoint(with: ["array", "object"]),
            let value = try? PythonCallParser.value(of: text), value.array != nil || value.object != nil,
            types.contains(value.typeName)
        else { return nil }
        return value
    }
}

extension JSONValue {
    /// The value's type as JSON Schema calls it.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        case .integer, .largeInteger: "integer"
        case .number, .exactNumber: "number"
        }
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .largeInteger, .number, .exactNumber: true
        default: false
        }
    }
}
