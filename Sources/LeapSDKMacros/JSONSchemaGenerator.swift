import LeapJSON

/// Makes the JSON Schemas of types.
public enum JSONSchemaGenerator {
    /// The JSON Schema of a type's values, as text.
    ///
    /// - Parameter type: A type with `@Generatable`, or an array, a dictionary or another value made of such types.
    public static func getJSONSchema<Value: GeneratableValue>(for type: Value.Type) -> String {
        if let type = type as? any GeneratableType.Type { return type.jsonSchema() }
        return composedSchema(of: type)
    }

    /// The JSON Schema of a type and of all types that it consists of: what `@Generatable` lets `jsonSchema()` return.
    ///
    /// The keys stand in the same order every time. A type stands where it is used; one that is used more than once, or
    /// contains itself, stands under `$defs`.
    public static func composedSchema<Value: GeneratableValue>(of type: Value.Type) -> String {
        SchemaComposer.schema(of: type).text()
    }
}
