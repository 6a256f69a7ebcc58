import LeapJSON

extension GenerationOptions {
    /// Constrains answers to values of a type, by setting ``jsonSchemaConstraint`` to its schema.
    ///
    ///     let options = GenerationOptions(temperature: 0.2)
    ///     try options.setResponseFormat(type: CityFact.self)
    ///
    /// Complete answers can be decoded with `JSONDecoder.generatable`, or with any `JSONDecoder` if the type contains
    /// no dates.
    ///
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if a handwritten schema is not JSON; in versions 0.10
    ///   `LeapGeneratableSchematizationException`.
    public func setResponseFormat<Value: GeneratableValue>(type: Value.Type) throws {
        let schema = JSONSchemaGenerator.getJSONSchema(for: type)
        do { _ = try JSONValue(parsing: schema) } catch {
            let text = "the schema of '\(type)' is not valid JSON: \(error)"
            #if Leap0107 || Leap010
            throw LeapGeneratableSchematizationException(message: text, cause: error)
            #else
            throw LeapError.generationFailure(text, error)
            #endif
        }
        jsonSchemaConstraint = schema
    }
}
