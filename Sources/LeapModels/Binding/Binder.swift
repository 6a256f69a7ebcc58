import LeapOps

/// What an architecture binds a model with: the hyper-parameters that all architectures have, the keys of its own, and the
/// tensors. Here are the parts outside the layers, by the names that nearly all files give them.
struct Binder {
    let configuration: ModelConfiguration
    let parameters: HyperParameters
    let weights: Weights

    /// The token embedding, whose rows are the vocabulary.
    static let embeddingName = "token_embd.weight"

    /// The token embedding, `[vocabularySize, embeddingLength]`.
    func embedding() throws(ModelError) -> QuantizedMatrix {
        try weights.matrix(
            Self.embeddingName, rows: configuration.vocabularySize, columns: configuration.embeddingLength)
    }

    /// The output matrix, `[vocabularySize, embeddingLength]`: the embedding where the file has no other.
    func output() throws(ModelError) -> Projection {
        guard weights.has("output.weight") else { return Projection(try embedding()) }
        return try weights.projection(
            "output", rows: configuration.vocabularySize, columns: configuration.embeddingLength)
    }

    /// A norm of the residual stream, `NAME.weight`.
    func norm(_ name: String) throws(ModelError) -> Norm {
        Norm(
            gains: try weights.vector("\(name).weight", count: configuration.embeddingLength),
            epsilon: configuration.normEpsilon)
    }

    /// The rotary angles of the configuration.
    ///
    /// - Parameter factors: One divisor per pair, or none at all.
    func rotary(_ order: RotaryOrder, factors: [Float] = []) -> RotaryEmbedding {
        RotaryEmbedding(
            order: order, dimensions: configuration.rotaryDimensions, base: configuration.rotaryBase,
            scaling: configuration.rotaryScaling, factors: factors)
    }

    /// Binds every block of the file in turn.
    func layers(_ bind: (Block) throws(ModelError) -> Layer) throws(ModelError) -> [Layer] {
        var layers: [Layer] = []
        for index in 0..<configuration.blockCount { layers.append(try bind(Block(index: index, model: self))) }
        return layers
    }
}
