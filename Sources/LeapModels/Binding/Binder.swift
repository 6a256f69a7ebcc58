import LeapOps

/// The inputs from which an architecture binds a model: the common hyper-parameters, its own keys, and the
/// tensors. Here are the parts outside the layers, by the names that nearly all files give them.
struct Binder {
    let configuration: ModelConfiguration
    let parameters: HyperParameters
    let weights: Weights
    /// How the residual stream is normalised.
    let normKind: StreamNorm.Kind
    /// What the model is for.
    let purpose: ModelPurpose

    /// The token embedding, whose rows are the vocabulary.
    static let embeddingName = "token_embd.weight"

    /// The token embedding, `[vocabularySize, embeddingLength]`.
    func embedding() throws(ModelError) -> QuantizedMatrix {
        try weights.matrix(
            Self.embeddingName, rows: configuration.vocabularySize, columns: configuration.embeddingLength)
    }

    /// The output matrix, `[vocabularySize, embeddingLength]`: the embedding if the file has no other.
    func output() throws(ModelError) -> Projection {
        let size = configuration.vocabularySize
        guard weights.has("output.weight") else {
            // Adapters name changes of a tied output matrix as if it were a separate tensor.
            return Projection(
                try embedding(), bias: try weights.vectorIfPresent("output.bias", count: size),
                changes: try weights.adapters?.changes(
                    of: "output.weight", rows: size, columns: configuration.embeddingLength))
        }
        return try weights.projection("output", rows: size, columns: configuration.embeddingLength)
    }

    /// A norm of the residual stream, `NAME.weight`, and `NAME.bias` if the architecture's norms have one.
    ///
    /// - Parameter scale: A factor on the normalised values.
    func norm(_ name: String, scaledBy scale: Float = 1) throws(ModelError) -> StreamNorm {
        let (width, epsilon) = (configuration.embeddingLength, configuration.normEpsilon)
        let gains = try weights.vector("\(name).weight", count: width)
        let scaled = scale == 1 ? gains : weights.scaled(gains, by: scale)
        switch normKind {
        case .rootMeanSquare: return .rootMeanSquare(Norm(gains: scaled, epsilon: epsilon))
        case .layer(let hasBiases):
            let biases =
                hasBiases
                ? try weights.vector("\(name).bias", count: width) : weights.repeating(0, count: width)
            return .layer(LayerNorm(gains: scaled, biases: biases, epsilon: epsilon))
        }
    }

    /// The rotary angles of the configuration.
    ///
    /// - Parameters:
    ///   - factors: One divisor per pair, or none at all.
    ///   - scaling: How they are scaled; `nil` for the configuration's scaling.
    func rotary(
        _ order: RotaryOrder, factors: [Float] = [], scaling: RotaryScaling? = nil
    ) -> RotaryEmbedding {
        RotaryEmbedding(
            order: order, dimensions: configuration.rotaryDimensions, base: configuration.rotaryBase,
            scaling: scaling ?? configuration.rotaryScaling, factors: factors, magnitude: configuration.rotaryMagnitude)
    }

    /// `NAME.weight`: a divisor of every rotary frequency; none if the file has none.
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
    ///   - base: The base if the file has no `rope.freq_base_swa`.
    ///   - scaling: How they are stretched.
    ///   - magnitude: A factor on the rotated values, in addition to that of `scaling`.
    func windowedRotary(
        _ order: RotaryOrder, base: Float, scaling: RotaryScaling = .none, magnitude: Float = 1
    ) throws(ModelError) -> RotaryEmbedding {
        let base = try parameters.floatIfPresent("rope.freq_base_swa") ?? base
        guard base > 1 else {
            throw .contradiction("\(parameters.key("rope.freq_base_swa")) is \(base), but must be greater than 1")
        }
        return RotaryEmbedding(
            order: order, dimensions: configuration.rotaryDimensions, base: base, scaling: scaling, magnitude: magnitude
        )
    }

    /// The sliding window of every block, `attention.sliding_window` positions including the row's own; `nil` for full
    /// attention.
    ///
    /// `attention.sliding_window_pattern` determines which blocks have the window: a Boolean for each, or a period, in
    /// which one block has full attention. With a period of 0, none has.
    ///
    /// - Parameters:
    ///   - period: The period if the file has no pattern.
    ///   - first: Whether the block with full attention is the first of its period, and not the last.
    func windows(
        period: Int, seesAllFirst first: Bool = false
    ) throws(ModelError) -> [Int?] {
        let count = configuration.blockCount
        let all = [Int?](repeating: nil, count: count)
        let key = "attention.sliding_window"
        // A window as long as the context hides nothing, but layers with a window may have rotary angles of their own.
        guard let window = try parameters.integerIfPresent(key, in: 0...Int(UInt32.max)), window > 0 else { return all }
        let pattern = "attention.sliding_window_pattern"
        if parameters.isArray(pattern) {
            let isWindowed = try parameters.integersPerBlock(
                pattern, blockCount: configuration.fileBlockCount, in: 0...1
            ).prefix(count)
            return isWindowed.map { $0 == 1 ? window : nil }
        }
        let length = try parameters.integerIfPresent(pattern, in: 0...Int(UInt32.max)) ?? period
        let exception = first ? 0 : length - 1
        return (0..<count).map { length == 0 || $0 % length != exception ? window : nil }
    }

    /// Whether a row sees only what is before it, `attention.causal`.
    ///
    /// - Parameter value: The value if the file does not say.
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
