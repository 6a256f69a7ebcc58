#if Macros
/// Makes a struct, a class or an enum with strings a type that a model can be made to generate.
///
///     @Generatable("A fact about a city")
///     struct CityFact: Codable {
///         @Guide("Name of the city")
///         let name: String
///         @Guide("Inhabitants", .range(1...40_000_000))
///         let population: Int
///         let isCapital: Bool
///         let mayor: String?
///     }
///
/// The stored properties become the properties of a JSON Schema, under the names of `CodingKeys` where the type declares
/// them. Optional ones may be left out. Constants with a value, static, lazy and computed properties are none of them. An
/// enum of strings is a choice between its cases.
///
/// The type must conform to `Codable`; its properties must be ``GeneratableValue``s. A generic type is generatable where its
/// parameters are. A struct or class also gets a type `PartiallyGenerated` with the same properties, all of them optional,
/// for values that are being written.
///
/// - Parameter description: What the type means, for the model: a string literal without interpolation.
@attached(
    member,
    names: named(typeDescription), named(generationSchema), named(jsonSchema), named(PartiallyGenerated),
    named(partiallyGenerated)
)
@attached(
    extension, conformances: GeneratableType, GeneratableValue,
    names: named(typeDescription), named(generationSchema), named(jsonSchema), named(PartiallyGenerated),
    named(partiallyGenerated)
)
public macro Generatable(_ description: String = "") =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Generatable")

/// Same as ``Generatable(_:)``.
@attached(
    member,
    names: named(typeDescription), named(generationSchema), named(jsonSchema), named(PartiallyGenerated),
    named(partiallyGenerated)
)
@attached(
    extension, conformances: GeneratableType, GeneratableValue,
    names: named(typeDescription), named(generationSchema), named(jsonSchema), named(PartiallyGenerated),
    named(partiallyGenerated)
)
public macro Generatable(description: String) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Generatable")

/// Says what a property or a case of a `@Generatable` type means and, for properties, which values it may have.
///
///     @Guide("Age in years", .range(0...150)) var age: Int
///
/// - Parameters:
///   - description: What the property or case means, for the model: a string literal without interpolation.
///   - constraints: What the values must satisfy beyond their type; generation enforces it.
@attached(peer)
public macro Guide(_ description: String, _ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Guide")

/// Same as ``Guide(_:_:)``.
@attached(peer)
public macro Guide(description: String, _ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Guide")

/// Says which values a property of a `@Generatable` type may have.
@attached(peer)
public macro Guide(_ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Guide")

/// Makes `PartiallyGenerated` of a generic type `Sendable` if that of its parameters is. Used only by the expansion of
/// ``Generatable(_:)``.
@attached(extension, conformances: Sendable)
public macro _SendableWithParameters() =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "SendableWithParameters")
#endif
