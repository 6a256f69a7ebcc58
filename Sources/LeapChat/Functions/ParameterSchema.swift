import LeapJSON
import OrderedCollections

/// The JSON Schema of a parameter or of a part of one, as far as the text of a value needs it.
struct ParameterSchema {
    private let json: JSONValue
    /// The schema of all parameters, in which references are looked up.
    private let root: JSONValue

    init(_ json: JSONValue, in root: JSONValue? = nil) {
        self.json = json
        self.root = root ?? json
    }

    /// Limits the time that a schema takes which refers to itself, or to another in several places.
    private static let limit = 256

    /// The types that the schema allows; `nil` if it does not restrict them.
    var types: Set<String>? {
        var steps = Self.limit
        return types(of: json, &steps)
    }

    /// The schemas of an object's members by name.
    var properties: OrderedDictionary<String, JSONValue> { resolved["properties"]?.object ?? [:] }

    /// The schema of an object's member.
    func property(_ name: String) -> ParameterSchema? { properties[name].map { ParameterSchema($0, in: root) } }

    /// The schema of a list's elements.
    var items: ParameterSchema? { resolved["items"].map { ParameterSchema($0, in: root) } }

    /// The schema, or the one that it refers to.
    private var resolved: JSONValue {
        var json = json
        for _ in 0..<Self.limit {
            guard let target = target(of: json) else { return json }
            json = target
        }
        return json
    }
}

// MARK: - Types

extension ParameterSchema {
    /// Everything in a schema must hold, so the narrowest part of it decides.
    private func types(of schema: JSONValue, _ steps: inout Int) -> Set<String>? {
        guard steps > 0 else { return nil }
        steps -= 1
        var parts = [Self.declaredTypes(of: schema)]
        if let values = schema["enum"]?.array ?? schema["const"].map({ [$0] }) {
            parts.append(Set(values.map(\.typeName)))
        }
        for part in [target(of: schema)].compactMap(\.self) + (schema["allOf"]?.array ?? []) {
            parts.append(types(of: part, &steps))
        }
        for choices in [schema["anyOf"]?.array, schema["oneOf"]?.array].compactMap(\.self) {
            parts.append(types(ofAny: choices, &steps))
        }
        return parts.compactMap(\.self).min { $0.count < $1.count }
    }

    private static func declaredTypes(of schema: JSONValue) -> Set<String>? {
        switch schema["type"] {
        case .string(let type)?: [type]
        case .array(let types)?: Set(types.compactMap(\.string))
        default: nil
        }
    }

    /// The types of several schemas of which one holds; `nil` if one of them allows any.
    private func types(ofAny choices: [JSONValue], _ steps: inout Int) -> Set<String>? {
        var all: Set<String> = []
        for choice in choices {
            guard let types = types(of: choice, &steps) else { return nil }
            all.formUnion(types)
        }
        return all
    }
}

// MARK: - References

extension ParameterSchema {
    /// The schema that a schema refers to, if it is a part of the function's own, such as `#/$defs/Place`.
    private func target(of schema: JSONValue) -> JSONValue? {
        guard let reference = schema["$ref"]?.string else { return nil }
        if reference == "#" { return root }
        guard reference.hasPrefix("#/"), let keys = JSONPointer.keys(of: reference.dropFirst(2)) else { return nil }
        return keys.reduce(root) { part, key in part?.child(key) }
    }
}
