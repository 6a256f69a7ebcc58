import LeapJSON
import LeapSDKMacros
import OrderedCollections

/// A schema with accessors for tests.
struct Schema {
    private let value: JSONValue

    init(_ type: any GeneratableValue.Type) throws {
        value = try JSONValue(parsing: JSONSchemaGenerator.getJSONSchema(for: type))
    }

    var properties: [String] { Array(value["properties"]?.object?.keys ?? []) }
    var required: [String] { value["required"]?.array?.compactMap(\.string) ?? [] }
    var definitions: [String] { Array(value["$defs"]?.object?.keys ?? []) }

    /// The text of a property's schema.
    subscript(property: String) -> String? { value["properties"]?[property]?.text() }

    func description(of property: String) -> String? {
        value["properties"]?[property]?["description"]?.string
    }
}
