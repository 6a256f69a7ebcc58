/// A type whose values a model can generate, as JSON that satisfies a schema.
///
/// `@Generatable("…")` generates the conformance. A handwritten one needs two members:
///
///     extension CityFact: GeneratableType {
///         static var typeDescription: String { "A fact about a city" }
///         static func jsonSchema() -> String { #"{"type":"object", …}"# }
///     }
public protocol GeneratableType: GeneratableValue {
    /// What the type means, as shown to the model; empty for no description.
    static var typeDescription: String { get }

    /// Returns the JSON Schema of the type's values, as text: a complete document, including the definitions that it
    /// refers to.
    static func jsonSchema() -> String
}

extension GeneratableType {
    /// The schema returned by ``jsonSchema()``, for types that contain this one.
    public static var generationSchema: GenerationSchema {
        .document(jsonSchema())
    }
}
