import LeapJSON
import OrderedCollections

/// A schema given as text, made embeddable in another one.
struct SchemaDocument {
    private let root: SchemaKeywords

    /// Reads the text of a type's schema. Invalid text becomes a schema that nothing satisfies and that says why, so
    /// that it is rejected before anything is generated.
    init(_ text: String, of type: any GeneratableValue.Type) {
        do {
            root = try Self.keywords(JSONValue(parsing: text))
        } catch {
            root = ["not": [:], "$comment": .string("the schema of '\(type)' is not valid JSON: \(error)")]
        }
    }

    private static func keywords(_ value: JSONValue) -> SchemaKeywords {
        switch value {
        case .object(var keywords):
            keywords["$schema"] = nil
            return keywords
        case .bool(true): return [:]
        case .bool(false): return ["not": [:]]
        default: return ["not": [:], "$comment": "a schema is an object, true or false"]
        }
    }

    /// Whether the schema refers to parts of itself, and so needs a definition of its own.
    var hasReferences: Bool { Self.contains(reference: .object(root)) }

    /// The schema where it is the whole document, or refers to nothing.
    var schema: SchemaKeywords { root }

    /// Returns the schema as a definition with a name, with its references adjusted.
    func definition(_ name: String) -> SchemaKeywords {
        guard case .object(let keywords) = Self.moved(.object(root), to: "#/$defs/\(name)") else { return root }
        return keywords
    }

    /// Keywords whose values are data rather than schemas.
    private static let data: Set<String> = ["const", "enum", "default", "examples", "example"]
    /// Keywords whose values are objects of schemas by name. The names are not keywords.
    private static let named: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
    ]

    /// - Parameter isSchema: Whether the keys of an object are keywords.
    private static func contains(reference schema: JSONValue, isSchema: Bool = true) -> Bool {
        switch schema {
        case .object(let members):
            members.contains { key, value in
                guard isSchema else { return contains(reference: value) }
                guard !data.contains(key) else { return false }
                return key == "$ref" || contains(reference: value, isSchema: !named.contains(key))
            }
        case .array(let elements): elements.contains { contains(reference: $0) }
        default: false
        }
    }

    private static func moved(_ schema: JSONValue, to place: String, isSchema: Bool = true) -> JSONValue {
        switch schema {
        case .array(let elements): .array(elements.map { moved($0, to: place) })
        case .object(let members) where !isSchema: .object(members.mapValues { moved($0, to: place) })
        // References within a schema that has an identifier start from there.
        case .object(let members) where members["$id"]?.string?.hasPrefix("#") == false: schema
        case .object(let members):
            .object(
                OrderedDictionary(
                    uniqueKeysWithValues: members.map { key, value in
                        if data.contains(key) { return (key, value) }
                        if key == "$ref", let target = value.string, target == "#" || target.hasPrefix("#/") {
                            return (key, .string(place + target.dropFirst()))
                        }
                        return (key, moved(value, to: place, isSchema: !named.contains(key)))
                    }))
        default: schema
        }
    }
}
