extension Array: GeneratableValue where Element: GeneratableValue {
    /// `array` of the elements' schema.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .array(of: Element.self)) }
}

extension Set: GeneratableValue where Element: GeneratableValue {
    /// `array` of the elements' schema. Equal elements become one when they are decoded.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .array(of: Element.self)) }
}

extension Dictionary: GeneratableValue where Key == String, Value: GeneratableValue {
    /// `object` with any keys and the values' schema.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .dictionary(of: Value.self)) }
}

extension Optional: GeneratableValue where Wrapped: GeneratableValue {
    /// The wrapped type's schema or `null`; as a property, one that may be left out.
    public static var generationSchema: GenerationSchema { GenerationSchema(form: .optional(Wrapped.self)) }
}
