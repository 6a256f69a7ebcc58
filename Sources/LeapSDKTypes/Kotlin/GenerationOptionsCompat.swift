import LeapJSON

/// The options of versions up to 0.9, as versions 0.10 kept them beside their own. Here they are one.
public typealias GenerationOptionsCompat = GenerationOptions

/// The name of ``CacheControl`` in versions up to 0.9.
public typealias LiquidCacheControl = CacheControl

/// The name of ``CacheControlPolicy`` in versions up to 0.9.
public typealias LiquidCacheControlType = CacheControlPolicy

/// The statistics that a runner of versions up to 0.9 gave.
public typealias LiquidGenerationStats = GenerationStats

extension GenerationOptions {
    /// Sets ``jsonSchemaConstraint``.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for what is no JSON. What a schema may say is checked when a
    ///   generation begins.
    public func setResponseFormat(jsonSchema: String) throws {
        do {
            _ = try JSONValue(parsing: jsonSchema)
        } catch { throw LeapError.serializationFailure("the schema is not JSON: \(error)", error) }
        jsonSchemaConstraint = jsonSchema
    }

    /// The options themselves: what is `nil` follows the defaults when a generation begins.
    public func withDefaults() -> GenerationOptions { self }

    /// The options themselves.
    public func toKmpGenerationOptions() -> GenerationOptions { self }
}
