/// What a mix asks about the model whose tensors it gives types to.
package struct MixedModel: Sendable {
    /// Query heads that share a key/value head in the first block; 0 where that has no attention.
    package let queriesPerKey: Int
    /// Whether every block has eight experts, as those of Mixtral.
    package let hasEightExperts: Bool
    /// Whether the model is one of those of 70 billion parameters, whose values are an eighth as large as their queries, so
    /// that more bits cost next to nothing.
    package let hasSmallValues: Bool

    package init(queriesPerKey: Int, hasEightExperts: Bool = false, hasSmallValues: Bool = false) {
        self.queriesPerKey = queriesPerKey
        self.hasEightExperts = hasEightExperts
        self.hasSmallValues = hasSmallValues
    }
}
