import LeapJSON

/// The options of versions up to 0.9, which versions 0.10 kept beside their own. Here both are the same type.
public typealias GenerationOptionsCompat = GenerationOptions

/// The name of ``CacheControl`` in versions up to 0.9.
public typealias LiquidCacheControl = CacheControl

/// The name of ``CacheControlPolicy`` in versions up to 0.9.
public typealias LiquidCacheControlType = CacheControlPolicy

/// The statistics of a runner in versions up to 0.9.
public typealias LiquidGenerationStats = GenerationStats

extension GenerationOptions {
    /// Sets ``jsonSchemaConstraint`` to a JSON Schema, given as text.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the text is not JSON. The schema itself is checked when a
    ///   generation starts.
    public func setResponseFormat(jsonSchema: String) throws {
        do {
            _ = try JSONValue(parsing: jsonSchema)
        } catch { throw LeapError.serializationFailure("the schema is not valid JSON: \(error)", error) }
        jsonSchemaConstraint = jsonSchema
    }

    /// Returns the options themselves: `nil` values are replaced by the defaults when a generation starts.
    public func withDefaults() -> GenerationOptions { self }

    /// Returns the options themselves.
    public func toKmpGenerationOptions() -> GenerationOptions { self }
}
