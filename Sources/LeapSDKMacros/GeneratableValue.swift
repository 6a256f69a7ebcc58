/// What the properties of a ``GeneratableType`` may be: such types themselves, strings, numbers, booleans, dates,
/// identifiers, and arrays, sets, dictionaries and optionals of all these.
public protocol GeneratableValue: Codable {
    /// What the type says of its own values. Types that it consists of are named, not described, so that types may contain
    /// each other.
    static var generationSchema: GenerationSchema { get }
}
