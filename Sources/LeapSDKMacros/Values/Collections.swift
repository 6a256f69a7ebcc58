import LeapJSON

extension Array: GeneratableValue where Element: GeneratableValue {
    /// An array of partially generated elements.
    public typealias PartiallyGenerated = [Element.PartiallyGenerated]

    /// `array` of the elements' schema.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .array(of: Element.self)) }

    /// Returns the elements generated so far; only the last one can be incomplete.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        json.value.array.map { _ in json.elements.compactMap(Element.partiallyGenerated) }
    }
}

extension Set: GeneratableValue where Element: GeneratableValue {
    /// An array of partially generated elements.
    public typealias PartiallyGenerated = [Element.PartiallyGenerated]

    /// `array` of the elements' schema. Decoding removes duplicates.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .array(of: Element.self)) }

    /// Returns the elements generated so far, in order; only the last one can be incomplete.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        [Element].partiallyGenerated(from: json)
    }
}

extension Dictionary: GeneratableValue where Key == String, Value: GeneratableValue {
    /// A dictionary of partially generated values.
    public typealias PartiallyGenerated = [String: Value.PartiallyGenerated]

    /// `object` with any keys and the values' schema.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .dictionary(of: Value.self)) }

    /// Returns the members generated so far; only one can be incomplete.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        guard json.value.object != nil else { return nil }
        var members: [String: Value.PartiallyGenerated] = [:]
        for (key, value) in json.members { members[key] = Value.partiallyGenerated(from: value) }
        return members
    }
}

extension Optional: GeneratableValue where Wrapped: GeneratableValue {
    /// The partially generated wrapped value.
    public typealias PartiallyGenerated = Wrapped.PartiallyGenerated?

    /// The wrapped type's schema or `null`. A property of this type may be omitted.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .optional(Wrapped.self)) }

    /// Returns the wrapped value generated so far; `.some(nil)` for `null`.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        if case .null = json.value { return .some(nil) }
        return Wrapped.partiallyGenerated(from: json).map(Optional<Wrapped.PartiallyGenerated>.some)
    }
}
