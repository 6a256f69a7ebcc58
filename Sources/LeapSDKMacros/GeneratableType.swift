/// A type whose values a model can be made to generate, as JSON that satisfies a schema.
///
/// `@Generatable("…")` writes the conformance. By hand it takes the two members below:
///
///     extension CityFact: GeneratableType {
///         static var typeDescription: String { "A fact about a city" }
///         static func jsonSchema() -> String { #"{"type":"object", …}"# }
///     }
public protocol GeneratableType: GeneratableValue {
    /// What the type means, for the model; empty where there is nothing to say.
    static var typeDescription: String { get }

    /// The JSON Schema of the type's values, as text: a whole document, with the definitions that it refers to.
    static func jsonSchema() -> String
}

extension GeneratableType {
    /// The schema of ``jsonSchema()``, for types that contain this one.
    public static var generationSchema: GenerationSchema {
        .document(jsonSchema())
    }
}
