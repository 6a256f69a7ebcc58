import LeapJSON
import OrderedCollections

/// The schema of a type's own values. ``JSONSchemaGenerator`` generates a JSON Schema from it and from the types that
/// it references.
public struct GenerationSchema {
    enum Form {
        /// A schema without names of other types.
        case keywords(SchemaKeywords)
        /// A JSON Schema as text, with definitions of its own.
        case document(String)
        case array(of: any GeneratableValue.Type)
        case dictionary(of: any GeneratableValue.Type)
        case optional(any GeneratableValue.Type)
        case object(title: String, description: String, properties: [Property])
        case enumeration(title: String, description: String, cases: [Case])
    }

    let form: Form

    /// Creates the schema of an object, with properties in the order of the type's declaration.
    ///
    /// - Parameters:
    ///   - title: The type's name.
    ///   - description: What the type means; empty for no description.
    ///   - properties: The properties of the object.
    public static func object(title: String, description: String, properties: [Property]) -> GenerationSchema {
        GenerationSchema(form: .object(title: title, description: description, properties: properties))
    }

    /// Creates the schema of a string that has one of several values.
    ///
    /// - Parameters:
    ///   - title: The type's name.
    ///   - description: What the type means; empty for no description.
    ///   - cases: The strings, in the order of the type's declaration.
    public static func enumeration(title: String, description: String, cases: [Case]) -> GenerationSchema {
        GenerationSchema(form: .enumeration(title: title, description: description, cases: cases))
    }

    static func keywords(_ keywords: SchemaKeywords) -> GenerationSchema {
        GenerationSchema(form: .keywords(keywords))
    }

    static func document(_ text: String) -> GenerationSchema {
        GenerationSchema(form: .document(text))
    }
}

extension GenerationSchema {
    /// A property of an object.
    public struct Property {
        let name: String
        let type: any GeneratableValue.Type
        let description: String?
        let guides: [GuideConstraint]

        /// Creates a property.
        ///
        /// - Parameters:
        ///   - name: The JSON key.
        ///   - type: The type; properties of optional types may be omitted.
        ///   - description: What the property means; `nil` for no description.
        ///   - guides: Constraints on its values beyond their type.
        public init(
            _ name: String, _ type: any GeneratableValue.Type, description: String? = nil,
            guides: [GuideConstraint] = []
        ) {
            self.name = name
            self.type = type
            self.description = description
            self.guides = guides
        }
    }

    /// A case of an enumeration.
    public struct Case: Sendable {
        let value: String
        let description: String?

        /// Creates a case from its JSON string and a description of what it means; `nil` for no description.
        public init(_ value: String, description: String? = nil) {
            self.value = value
            self.description = description
        }
    }
}
