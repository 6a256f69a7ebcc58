import LeapJSON

extension Array: GeneratableValue where Element: GeneratableValue {
    /// An array of the elements while they are being written.
    public typealias PartiallyGenerated = [Element.PartiallyGenerated]

    /// `array` of the elements' schema.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .array(of: Element.self)) }

    /// The elements so far; only the last one can be unfinished.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        json.value.array.map { _ in json.elements.compactMap(Element.partiallyGenerated) }
    }
}

extension Set: GeneratableValue where Element: GeneratableValue {
    /// An array of the elements while they are being written.
    public typealias PartiallyGenerated = [Element.PartiallyGenerated]

    /// `array` of the elements' schema. Equal elements become one when they are decoded.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .array(of: Element.self)) }

    /// The elements so far, in the order in which they were written; only the last one can be unfinished.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        [Element].partiallyGenerated(from: json)
    }
}

extension Dictionary: GeneratableValue where Key == String, Value: GeneratableValue {
    /// A dictionary of the values while they are being written.
    public typealias PartiallyGenerated = [String: Value.PartiallyGenerated]

    /// `object` with any keys and the values' schema.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .dictionary(of: Value.self)) }

    /// The members so far; only one can be unfinished.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        guard json.value.object != nil else { return nil }
        var members: [String: Value.PartiallyGenerated] = [:]
        for (key, value) in json.members { members[key] = Value.partiallyGenerated(from: value) }
        return members
    }
}

extension Optional: GeneratableValue where Wrapped: GeneratableValue {
    /// The wrapped value while it is being written.
    public typealias PartiallyGenerated = Wrapped.PartiallyGenerated?

    /// The wrapped type's schema or `null`; as a property, one that may be left out.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .optional(Wrapped.self)) }

    /// The wrapped value so far; nil inside for `null`.
    public static func partiallyGenerated(from json: PartialJSON) -> PartiallyGenerated? {
        if case .null = json.value { return .some(nil) }
        return Wrapped.partiallyGenerated(from: json).map(Optional<Wrapped.PartiallyGenerated>.some)
    }
}
