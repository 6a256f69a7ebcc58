/// Properties of a model on which a mix's choice of types depends.
package struct MixedModel: Sendable {
    /// Query heads that share a key/value head in the first block; 0 if it has no attention.
    package let queriesPerKey: Int
    /// Whether every block has eight experts, like Mixtral's.
    package let hasEightExperts: Bool
    /// Whether the model is one of those of 70 billion parameters whose value projections are an eighth the size of
    /// their query projections, so that more bits for them cost next to nothing.
    package let hasSmallValues: Bool

    package init(queriesPerKey: Int, hasEightExperts: Bool = false, hasSmallValues: Bool = false) {
        self.queriesPerKey = queriesPerKey
        self.hasEightExperts = hasEightExperts
        self.hasSmallValues = hasSmallValues
    }
}
