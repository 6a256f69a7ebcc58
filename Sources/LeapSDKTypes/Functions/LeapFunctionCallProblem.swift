import LeapJSON
import OrderedCollections

/// What is wrong with a call that a model asks for. The call was delivered all the same: what to do is the app's choice.
/// The texts are made for the model to read too, as the content of a tool message.
public enum LeapFunctionCallProblem: Sendable, Hashable {
    /// No function of this name is registered.
    case unknownFunction(name: String, known: [String])
    /// An argument that the function needs is missing. `path` leads to it: `city`, or `address.street`.
    case missingArgument(path: String)
    /// The function has no such parameter.
    case unknownArgument(path: String, known: [String])
    /// An argument has another type.
    case mistypedArgument(path: String, expected: String, found: String)
    /// An argument is none of the values allowed.
    case valueNotAllowed(path: String, allowed: [String], found: String)
}

extension LeapFunctionCallProblem: CustomStringConvertible {
    /// What is wrong, and what is right.
    public var description: String {
        switch self {
        case .unknownFunction(let name, let known):
            "there is no function '\(name)'\(Self.list(known, before: "; there are "))"
        case .missingArgument(let path): "argument '\(path)' is missing"
        case .unknownArgument(let path, let known):
            "there is no argument '\(path)'\(Self.list(known, before: "; there are "))"
        case .mistypedArgument(let path, let expected, let found):
            "argument '\(path)' must be of type \(expected), found \(found)"
        case .valueNotAllowed(let path, let allowed, let found):
            "argument '\(path)' must be\(Self.list(allowed, before: " one of ", quoted: false)), found \(found)"
        }
    }

    private static func list(_ names: [String], before: String, quoted: Bool = true) -> String {
        names.isEmpty ? "" : before + names.map { quoted ? "'\($0)'" : $0 }.joined(separator: ", ")
    }
}

extension LeapFunction {
    /// What is wrong with the arguments of a call of this function; empty if nothing is.
    public func problems(in call: LeapFunctionCall) -> [LeapFunctionCallProblem] {
        ArgumentCheck.problems(of: call.argumentsJSON, parametersSchema, path: "")
    }
}

extension Conversation {
    /// What is wrong with a call, measured by the functions registered here; empty if nothing is.
    public func problems(in call: LeapFunctionCall) -> [LeapFunctionCallProblem] {
        guard let function = functions.first(where: { $0.name == call.name }) else {
            return [.unknownFunction(name: call.name, known: functions.map(\.name))]
        }
        return function.problems(in: call)
    }
}

/// Compares arguments with a JSON Schema: types, required and unknown properties, and listed values.
private enum ArgumentCheck {
    static func problems(of value: JSONValue, _ schema: JSONValue, path: String) -> [LeapFunctionCallProblem] {
        let types = schema["type"]?.string.map { [$0] } ?? schema["type"]?.array?.compactMap(\.string) ?? []
        guard types.isEmpty || types.contains(where: { value.isOfType($0) }) else {
            let expected = types.joined(separator: " or ")
            return [.mistypedArgument(path: path, expected: expected, found: excerpt(of: value))]
        }
        if let allowed = schema["enum"]?.array, !allowed.contains(where: { $0.equals(value) }) {
            return [.valueNotAllowed(path: path, allowed: allowed.map { $0.text() }, found: excerpt(of: value))]
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

    private static func missing(_ names: [String], _ schema: JSONValue, _ path: String) -> [LeapFunctionCallProblem] {
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return required.filter { !names.contains($0) }.map { .missingArgument(path: join(path, $0)) }
    }

    private static func property(
        _ name: String, _ value: JSONValue, _ schema: JSONValue, _ path: String
    ) -> [LeapFunctionCallProblem] {
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

    private static func excerpt(of value: JSONValue) -> String {
        let text = value.text()
        return text.count > 60 ? text.prefix(60) + "…" : text
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

    /// JSON Schema's equality of scalars: 1 and 1.0 are one number.
    fileprivate func equals(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.integer(let number), .number(let double)), (.number(let double), .integer(let number)):
            Double(number) == double
        default: self == other
        }
    }
}
