#if Macros
/// Makes a struct, a class or a string enum a type whose values a model can generate.
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
/// The stored properties become the properties of a JSON Schema, under the names in `CodingKeys` if the type declares
/// them. Optional properties may be omitted. Constants with an initial value and static, lazy and computed properties
/// are ignored. A string enum becomes a choice between its cases.
///
/// The type must conform to `Codable`, and its properties to ``GeneratableValue``. A generic type is generatable if its
/// type parameters are. For a struct or class, the macro also generates a type `PartiallyGenerated` with the same
/// properties, all of them optional, for partially generated values.
///
/// - Parameter description: What the type means, as shown to the model: a string literal without interpolation.
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

/// Describes a property or a case of a `@Generatable` type and, for properties, constrains its values.
///
///     @Guide("Age in years", .range(0...150)) var age: Int
///
/// - Parameters:
///   - description: What the property or case means, as shown to the model: a string literal without interpolation.
///   - constraints: Constraints on the values beyond their type, enforced during generation.
@attached(peer)
public macro Guide(_ description: String, _ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Guide")

/// Same as ``Guide(_:_:)``.
@attached(peer)
public macro Guide(description: String, _ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Guide")

/// Constrains the values of a property of a `@Generatable` type.
@attached(peer)
public macro Guide(_ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "Guide")

/// Makes the `PartiallyGenerated` of a generic type `Sendable` if those of its type parameters are. Used only by the
/// expansion of ``Generatable(_:)``.
@attached(extension, conformances: Sendable)
public macro _SendableWithParameters() =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "SendableWithParameters")
#endif
