import LeapOps

/// Llama, and the many models converted to its shape (SmolLM, Mistral, …): attention and a gated feed-forward network
/// in every layer.
///
/// Rotary pairs are neighbours, because the converter permutes the rows of `attn_q` and `attn_k`. Llama 3's scaling
/// comes as one divisor per pair, `rope_freqs.weight`. Biases and the output projection are optional.
/// Source: Touvron et al. 2023, "LLaMA", section 2.2; tensor names and keys as GGUF files have them.
struct Llama: Architecture {
    static let name = "llama"
    static let embeddingName = "token_embd.weight"

    struct Layer: Sendable {
        let attentionNorm: FloatVector
        let attention: SelfAttention
        let feedForwardNorm: FloatVector
        let feedForward: FeedForward
    }

    let configuration: ModelConfiguration
    let rotary: RotaryEmbedding
    let embedding: QuantizedMatrix
    let layers: [Layer]
    let outputNorm: FloatVector
    let output: QuantizedMatrix

    let convolutionLayers: [(channels: Int, taps: Int)] = []
    var attentionLayers: [Int] { configuration.keyValueHeadCounts }

    // MARK: - Forward

    func forward(_ batch: Batch, _ compute: Compute, _ observer: LayerObserver) -> Logits? {
        let pass = compute.forwardPass(over: batch, rotary)
        let x = compute.embed(batch, from: embedding)
        for index in layers.indices {
            let goesOn = compute.scratch.scope {
                forward(layers[index], x, pass, compute) { observer(index, $0, x) }
            }
            guard goesOn else { return nil }
        }
        return compute.logits(of: batch, x, norm: outputNorm, epsilon: configuration.normEpsilon, output: output)
    }

    /// `x ← x + attention(norm(x));   x ← x + feedForward(norm(x))`
    ///
    /// - Parameter goesOn: Asked after each part of the layer.
    /// - Returns: Its last answer.
    private func forward(
        _ layer: Layer, _ x: Rows, _ pass: ForwardPass, _ compute: Compute, goesOn: (LayerPart) -> Bool
    ) -> Bool {
        let normed = compute.scratch.rows(x.count, width: x.width)
        compute.rmsNorm(x, layer.attentionNorm.base, epsilon: configuration.normEpsilon, into: normed)
        compute.add(layer.attention(normed, pass, compute), to: x)
        guard goesOn(.mixer) else { return false }
        compute.rmsNorm(x, layer.feedForwardNorm.base, epsilon: configuration.normEpsilon, into: normed)
        compute.add(layer.feedForward(normed, pass, compute), to: x)
        return goesOn(.feedForward)
    }

    func scratchSize(of batch: Batch, _ compute: Compute) -> ScratchSize {
        var size = ScratchSize()
        compute.addForwardPass(over: batch, rotary, to: &size)
        compute.addEmbedding(of: batch, from: embedding, to: &size)
        for index in layers.indices {
            let layer = layers[index]
            size.scope { size in
                size.rows(batch.count, width: embedding.columns)
                layer.attention.addScratch(of: batch, compute, to: &size)
                layer.feedForward.addScratch(of: batch, compute, to: &size)
            }
        }
        compute.addLogits(of: batch, output: output, to: &size)
        return size
    }
}

// MARK: - Binding

extension Llama {
    init(
        _ configuration: ModelConfiguration, _ parameters: HyperParameters, _ weights: Weights
    ) throws(ModelError) {
        let width = configuration.embeddingLength
        let pairs = configuration.rotaryDimensions / 2
        if let block = configuration.keyValueHeadCounts.firstIndex(of: 0) {
            throw .contradiction("block \(block) has no key/value heads, but every layer of llama has attention")
        }
        var layers: [Layer] = []
        for block in 0..<configuration.blockCount {
            layers.append(try Self.layer(block, configuration, weights))
        }

        self.configuration = configuration
        self.layers = layers
        let factors = try weights.vectorIfPresent("rope_freqs.weight", count: pairs)
        rotary = RotaryEmbedding(
            order: .interleaved, dimensions: configuration.rotaryDimensions, base: configuration.rotaryBase,
            scaling: configuration.rotaryScaling,
            factors: factors.map { [Float](UnsafeBufferPointer(start: $0.base, count: $0.count)) } ?? [])
        embedding = try weights.matrix(Self.embeddingName, rows: configuration.vocabularySize, columns: width)
        outputNorm = try weights.vector("output_norm.weight", count: width)
        output =
            weights.has("output.weight")
            ? try weights.matrix("output.weight", rows: configuration.vocabularySize, columns: width) : embedding
    }

    private static func layer(
        _ block: Int, _ configuration: ModelConfiguration, _ weights: Weights
    ) throws(ModelError) -> Layer {
        let width = configuration.embeddingLength
        return Layer(
            attentionNorm: try weights.vector("blk.\(block).attn_norm.weight", count: width),
            attention: try attention(block, configuration, weights),
            feedForwardNorm: try weights.vector("blk.\(block).ffn_norm.weight", count: width),
            feedForward: try feedForward(block, configuration, weights))
    }

    private static func attention(
        _ block: Int, _ configuration: ModelConfiguration, _ weights: Weights
    ) throws(ModelError) -> SelfAttention {
        let width = configuration.embeddingLength
        let dimension = configuration.headDimension
        let queryWidth = configuration.headCount * dimension
        let keyWidth = configuration.keyValueHeadCounts[block] * dimension
        return SelfAttention(
            query: try projection("blk.\(block).attn_q", rows: queryWidth, columns: width, weights),
            key: try projection("blk.\(block).attn_k", rows: keyWidth, columns: width, weights),
            value: try projection("blk.\(block).attn_v", rows: keyWidth, columns: width, weights),
            output: try projection("blk.\(block).attn_output", rows: width, columns: queryWidth, weights),
            headNorms: nil, headDimension: dimension, epsilon: configuration.normEpsilon, cache: block)
    }

    private static func feedForward(
        _ block: Int, _ configuration: ModelConfiguration, _ weights: Weights
    ) throws(ModelError) -> FeedForward {
        let width = configuration.embeddingLength
        let hidden = configuration.feedForwardLengths[block]
        return FeedForward(
            gate: try projection("blk.\(block).ffn_gate", rows: hidden, columns: width, weights),
            up: try projection("blk.\(block).ffn_up", rows: hidden, columns: width, weights),
            down: try projection("blk.\(block).ffn_down", rows: width, columns: hidden, weights))
    }

    /// `NAME.weight`, and `NAME.bias` where the file has it.
    private static func projection(
        _ name: String, rows: Int, columns: Int, _ weights: Weights
    ) throws(ModelError) -> Projection {
        Projection(
            try weights.matrix("\(name).weight", rows: rows, columns: columns),
            bias: try weights.vectorIfPresent("\(name).bias", count: rows))
    }
}
