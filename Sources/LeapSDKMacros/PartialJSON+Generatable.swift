public import LeapJSON

extension PartialJSON {
    /// The partially generated value of an object's key; `nil` as long as nothing of it is known.
    public subscript<Value: GeneratableValue>(key: String, as type: Value.Type) -> Value.PartiallyGenerated? {
        self[key].flatMap { Value.partiallyGenerated(from: $0) }
    }
}
