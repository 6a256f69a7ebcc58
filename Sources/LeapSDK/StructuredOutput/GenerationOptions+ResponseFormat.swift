import LeapJSON

extension GenerationOptions {
    /// Makes answers values of a type: sets ``jsonSchemaConstraint`` to its schema.
    ///
    ///     let options = GenerationOptions(temperature: 0.2)
    ///     try options.setResponseFormat(type: CityFact.self)
    ///
    /// Answers that end by themselves decode with `JSONDecoder.generatable`; with any `JSONDecoder`, where the type contains
    /// no dates.
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if a schema written by hand is not JSON.
    public func setResponseFormat<Value: GeneratableValue>(type: Value.Type) throws {
        let schema = JSONSchemaGenerator.getJSONSchema(for: type)
        do { _ = try JSONValue(parsing: schema) } catch {
            throw LeapError.generationFailure("the schema of '\(type)' is not JSON: \(error)", error)
        }
        jsonSchemaConstraint = schema
    }
}
