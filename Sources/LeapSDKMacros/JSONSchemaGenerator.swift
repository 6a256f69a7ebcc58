import LeapJSON

/// Generates the JSON Schemas of types.
public enum JSONSchemaGenerator {
    /// Returns the JSON Schema of a type's values, as text.
    ///
    /// - Parameter type: A `@Generatable` type, or an array, dictionary or other value that consists of such types.
    public static func getJSONSchema<Value: GeneratableValue>(for type: Value.Type) -> String {
        if let type = type as? any GeneratableType.Type { return type.jsonSchema() }
        return composedSchema(of: type)
    }

    /// Returns the JSON Schema of a type and of all types that it contains, as text. `@Generatable` implements
    /// `jsonSchema()` with this method.
    ///
    /// The order of keys is always the same. The schema of a type is placed where the type is used; that of a type
    /// which is used more than once, or contains itself, is placed under `$defs`.
    public static func composedSchema<Value: GeneratableValue>(of type: Value.Type) -> String {
        SchemaComposer.schema(of: type).text()
    }
}
