import LeapJSON
import OrderedCollections

/// Composes the JSON Schema of a type from its own schema and those of all types that it contains.
///
/// The uses of types are counted first. A type that is used once is described where it is used. One that is used more
/// often, or contains itself, is described under `$defs` and referenced; the root type is `#`.
struct SchemaComposer {
    private let root: ObjectIdentifier
    private var uses: [ObjectIdentifier: Int] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    private var definitions: OrderedDictionary<String, JSONValue> = [:]

    /// Returns the schema of a type's values.
    static func schema(of type: any GeneratableValue.Type) -> JSONValue {
        var composer = SchemaComposer(root: ObjectIdentifier(type))
        composer.count(type)
        var schema = composer.body(of: type)
        if !composer.definitions.isEmpty { schema["$defs"] = .object(composer.definitions) }
        return .object(schema)
    }

    private init(root: ObjectIdentifier) {
        self.root = root
    }

    // MARK: - Counting

    private mutating func count(_ type: any GeneratableValue.Type) {
        switch type.generationSchema.form {
        case .keywords, .document, .enumeration:
            uses[ObjectIdentifier(type), default: 0] += 1
        case .array(let element), .dictionary(let element), .optional(let element):
            count(element)
        case .object(_, _, let properties):
            uses[ObjectIdentifier(type), default: 0] += 1
            guard uses[ObjectIdentifier(type)] == 1 else { return }
            for property in properties { count(property.type) }
        }
    }

    // MARK: - Places

    /// The schema at a place where a type is used.
    private mutating func schema(of type: any GeneratableValue.Type) -> SchemaKeywords {
        switch type.generationSchema.form {
        case .keywords, .array, .dictionary, .optional:
            return body(of: type)
        case .object(let title, _, _), .enumeration(let title, _, _):
            if ObjectIdentifier(type) == root { return ["$ref": "#"] }
            guard uses[ObjectIdentifier(type), default: 0] > 1 else { return body(of: type) }
            return reference(to: type, named: title)
        case .document(let text):
            let document = SchemaDocument(text, of: type)
            guard uses[ObjectIdentifier(type), default: 0] > 1 || document.hasReferences else { return document.schema }
            return reference(to: type, named: "\(type)")
        }
    }

    /// Returns a reference to the definition of a type, which is added on first use.
    private mutating func reference(to type: any GeneratableValue.Type, named title: String) -> SchemaKeywords {
        let identifier = ObjectIdentifier(type)
        if let name = names[identifier] { return ["$ref": .string("#/$defs/\(name)")] }
        let name = unusedName(title)
        names[identifier] = name
        definitions[name] = .null
        definitions[name] = .object(body(of: type))
        return ["$ref": .string("#/$defs/\(name)")]
    }

    /// Returns a name for a definition that needs no escapes in a reference; types of the same name are numbered.
    private func unusedName(_ title: String) -> String {
        let isPlain = { (scalar: Unicode.Scalar) in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
        }
        let plain = String(String.UnicodeScalarView(title.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        var name = plain
        var number = 2
        while definitions[name] != nil {
            name = "\(plain)\(number)"
            number += 1
        }
        return name
    }

    // MARK: - Bodies

    /// The schema that describes a type.
    private mutating func body(of type: any GeneratableValue.Type) -> SchemaKeywords {
        switch type.generationSchema.form {
        case .keywords(let keywords): return keywords
        case .document(let text):
            let document = SchemaDocument(text, of: type)
            return names[ObjectIdentifier(type)].map(document.definition) ?? document.schema
        case .array(let element):
            return ["type": "array", "items": .object(schema(of: element))]
        case .dictionary(let element):
            return ["type": "object", "additionalProperties": .object(schema(of: element))]
        case .optional(let wrapped):
            return ["anyOf": [.object(schema(of: wrapped)), ["type": "null"]]]
        case .object(let title, let description, let properties):
            return object(title, description, properties)
        case .enumeration(let title, let description, let cases):
            return enumeration(title, description, cases)
        }
    }

    private mutating func object(
        _ title: String, _ description: String, _ properties: [GenerationSchema.Property]
    ) -> SchemaKeywords {
        var members: OrderedDictionary<String, JSONValue> = [:]
        var required: [JSONValue] = []
        for property in properties {
            var type = property.type
            if case .optional(let wrapped) = type.generationSchema.form {
                type = wrapped
            } else {
                required.append(.string(property.name))
            }
            var schema = schema(of: type)
            if let description = property.description, !description.isEmpty { schema.describe(description) }
            for guide in property.guides { guide.apply(to: &schema) }
            members[property.name] = .object(schema)
        }
        var schema = SchemaKeywords(type: "object")
        schema["title"] = .string(title)
        if !description.isEmpty { schema["description"] = .string(description) }
        schema["properties"] = .object(members)
        schema["required"] = .array(required)
        schema["additionalProperties"] = false
        return schema
    }

    /// Cases with descriptions become alternatives with a description each; otherwise they become an `enum` list.
    private func enumeration(
        _ title: String, _ description: String, _ cases: [GenerationSchema.Case]
    ) -> SchemaKeywords {
        var schema = SchemaKeywords(type: "string")
        schema["title"] = .string(title)
        if !description.isEmpty { schema["description"] = .string(description) }
        guard cases.contains(where: { $0.description != nil }) else {
            schema["enum"] = .array(cases.map { .string($0.value) })
            return schema
        }
        schema["oneOf"] = .array(
            cases.map { one in
                var alternative: SchemaKeywords = ["const": .string(one.value)]
                alternative["description"] = one.description.map { .string($0) }
                return .object(alternative)
            })
        return schema
    }
}
