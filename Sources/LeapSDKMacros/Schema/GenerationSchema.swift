import LeapJSON
import OrderedCollections

/// What a type says of its own values; ``JSONSchemaGenerator`` makes a JSON Schema of it and of the types that it names.
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

    /// An object with properties in the order of the type's declaration.
    ///
    /// - Parameters:
    ///   - title: The type's name.
    ///   - description: What the type means; empty for nothing.
    ///   - properties: What its values consist of.
    public static func object(title: String, description: String, properties: [Property]) -> GenerationSchema {
        GenerationSchema(form: .object(title: title, description: description, properties: properties))
    }

    /// One of several strings.
    ///
    /// - Parameters:
    ///   - title: The type's name.
    ///   - description: What the type means; empty for nothing.
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

        /// Describes a property.
        ///
        /// - Parameters:
        ///   - name: The key in JSON.
        ///   - type: The type; optional types make properties that may be left out.
        ///   - description: What the property means, if anything is to be said.
        ///   - guides: What its values must satisfy beyond their type.
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

        /// Describes a case by its string in JSON and, if anything is to be said, by what it means.
        public init(_ value: String, description: String? = nil) {
            self.value = value
            self.description = description
        }
    }
}
