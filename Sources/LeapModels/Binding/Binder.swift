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
        let size = configuration.vocabularySize
        guard weights.has("output.weight") else {
            return Projection(try embedding(), bias: try weights.vectorIfPresent("output.bias", count: size))
        }
        return try weights.projection("output", rows: size, columns: configuration.embeddingLength)
    }

    /// A norm of the residual stream, `NAME.weight`.
    ///
    /// - Parameter scale: A factor on what is normalised.
    func norm(_ name: String, scaledBy scale: Float = 1) throws(ModelError) -> Norm {
        let gains = try weights.vector("\(name).weight", count: configuration.embeddingLength)
        return Norm(gains: scale == 1 ? gains : weights.scaled(gains, by: scale), epsilon: configuration.normEpsilon)
    }

    /// A layer norm of the residual stream, `NAME.weight` and `NAME.bias`.
    func layerNorm(_ name: String) throws(ModelError) -> LayerNorm {
        try weights.layerNorm(name, count: configuration.embeddingLength, epsilon: configuration.normEpsilon)
    }

    /// The rotary angles of the configuration.
    ///
    /// - Parameters:
    ///   - factors: One divisor per pair, or none at all.
    ///   - scaling: How they are stretched; as the configuration says where it is `nil`.
    func rotary(
        _ order: RotaryOrder, factors: [Float] = [], scaling: RotaryScaling? = nil
    ) -> RotaryEmbedding {
        RotaryEmbedding(
            order: order, dimensions: configuration.rotaryDimensions, base: configuration.rotaryBase,
            scaling: scaling ?? configuration.rotaryScaling, factors: factors, magnitude: configuration.rotaryMagnitude)
    }

    /// `NAME.weight`: a divisor of every rotary frequency; none where the file has none.
    func rotaryFactors(_ name: String = "rope_freqs") throws(ModelError) -> [Float] {
        let factors = try weights.valuesIfPresent("\(name).weight", count: configuration.rotaryDimensions / 2)
        if let index = factors.firstIndex(where: { $0 <= 0 }) {
            throw .contradiction("\(name).weight[\(index)] is \(factors[index]), but must be positive")
        }
        return factors
    }

    /// Rotary angles for the layers of a model that look back over a window.
    ///
    /// - Parameters:
    ///   - base: Where the file has no `rope.freq_base_swa`.
    ///   - scaling: How they are stretched.
    func windowedRotary(
        _ order: RotaryOrder, base: Float, scaling: RotaryScaling = .none
    ) throws(ModelError) -> RotaryEmbedding {
        let base = try parameters.floatIfPresent("rope.freq_base_swa") ?? base
        guard base > 1 else {
            throw .contradiction("\(parameters.key("rope.freq_base_swa")) is \(base), but must be more than 1")
        }
        return RotaryEmbedding(
            order: order, dimensions: configuration.rotaryDimensions, base: base, scaling: scaling)
    }

    /// For every block the window that it looks back over, `attention.sliding_window` positions with its own; `nil` for
    /// those that see all.
    ///
    /// Which blocks have the window is said by `attention.sliding_window_pattern`: a truth value for each, or a period, of
    /// which only the last block sees all. A period of 0 means that none does.
    ///
    /// - Parameter period: Where the file has no pattern.
    func windows(period: Int) throws(ModelError) -> [Int?] {
        let count = configuration.blockCount
        let all = [Int?](repeating: nil, count: count)
        let key = "attention.sliding_window"
        guard let window = try parameters.integerIfPresent(key, in: 0...Int(UInt32.max)),
            window > 0, window < configuration.contextLength
        else { return all }
        let pattern = "attention.sliding_window_pattern"
        if parameters.isArray(pattern) {
            let isWindowed = try parameters.integersPerBlock(
                pattern, blockCount: configuration.fileBlockCount, in: 0...1
            ).prefix(count)
            return isWindowed.map { $0 == 1 ? window : nil }
        }
        let length = try parameters.integerIfPresent(pattern, in: 0...Int(UInt32.max)) ?? period
        return (0..<count).map { length == 0 || $0 % length < length - 1 ? window : nil }
    }

    /// Whether a row sees only what is before it, `attention.causal`.
    ///
    /// - Parameter value: Where the file does not say.
    func isCausal(default value: Bool) throws(ModelError) -> Bool {
        try parameters.boolIfPresent("attention.causal") ?? value
    }

    /// Binds every block of the file in turn.
    func layers(_ bind: (Block) throws(ModelError) -> Layer) throws(ModelError) -> [Layer] {
        var layers: [Layer] = []
        for index in 0..<configuration.blockCount { layers.append(try bind(Block(index: index, model: self))) }
        return layers
    }
}
