public import LeapJSON

extension PartialJSON {
    /// The value of a key of an object as a value of a type; nil as long as nothing can be said about it.
    public subscript<Value: GeneratableValue>(key: String, as type: Value.Type) -> Value.PartiallyGenerated? {
        self[key].flatMap { Value.partiallyGenerated(from: $0) }
    }
}
