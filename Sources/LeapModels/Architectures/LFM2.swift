import LeapOps

/// LFM2: a hybrid of gated short convolutions and grouped-query attention.
///
/// A layer has attention where `lfm2.attention.head_count_kv` is not 0, and a short convolution elsewhere. Queries and
/// keys are normalised per head; rotary pairs are in NeoX order; the output projection may be tied to the embedding.
/// Source: LFM2 technical report (Liquid AI 2025); tensor names and keys as GGUF files have them.
struct LFM2: Architecture {
    static let name = "lfm2"
    static let embeddingName = "token_embd.weight"

    enum Operator: Sendable {
        case attention(SelfAttention)
        case convolution(GatedShortConvolution)
    }

    struct Layer: Sendable {
        let operatorNorm: FloatVector
        let `operator`: Operator
        let feedForwardNorm: FloatVector
        let feedForward: FeedForward
    }

    let configuration: ModelConfiguration
    let rotary: RotaryEmbedding
    let embedding: QuantizedMatrix
    let layers: [Layer]
    let outputNorm: FloatVector
    let output: QuantizedMatrix
    let attentionLayers: [Int]
    let convolutionLayers: [(channels: Int, taps: Int)]

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

    /// `x ← x + operator(norm(x));   x ← x + feedForward(norm(x))`
    ///
    /// - Parameter goesOn: Asked after each part of the layer.
    /// - Returns: Its last answer.
    private func forward(
        _ layer: Layer, _ x: Rows, _ pass: ForwardPass, _ compute: Compute, goesOn: (LayerPart) -> Bool
    ) -> Bool {
        let normed = compute.scratch.rows(x.count, width: x.width)
        compute.rmsNorm(x, layer.operatorNorm.base, epsilon: configuration.normEpsilon, into: normed)
        switch layer.operator {
        case .attention(let attention): compute.add(attention(normed, pass, compute), to: x)
        case .convolution(let convolution): compute.add(convolution(normed, pass, compute), to: x)
        }
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
                switch layer.operator {
                case .attention(let attention): attention.addScratch(of: batch, compute, to: &size)
                case .convolution(let convolution): convolution.addScratch(of: batch, compute, to: &size)
                }
                layer.feedForward.addScratch(of: batch, compute, to: &size)
            }
        }
        compute.addLogits(of: batch, output: output, to: &size)
        return size
    }
}

// MARK: - Binding

extension LFM2 {
    init(
        _ configuration: ModelConfiguration, _ parameters: HyperParameters, _ weights: Weights
    ) throws(ModelError) {
        let width = configuration.embeddingLength
        let taps = try parameters.integer("shortconv.l_cache", in: 2...64)
        var binder = Binder(configuration: configuration, weights: weights, taps: taps)
        var layers: [Layer] = []
        for block in 0..<configuration.blockCount { layers.append(try binder.layer(block)) }

        self.configuration = configuration
        self.layers = layers
        rotary = RotaryEmbedding(
            order: .neoX, dimensions: configuration.rotaryDimensions, base: configuration.rotaryBase,
            scaling: configuration.rotaryScaling)
        embedding = try weights.matrix(Self.embeddingName, rows: configuration.vocabularySize, columns: width)
        // The final norm goes by this name since the first converted files, although it stands at the other end.
        outputNorm = try weights.vector(
            weights.has("token_embd_norm.weight") ? "token_embd_norm.weight" : "output_norm.weight", count: width)
        output =
            weights.has("output.weight")
            ? try weights.matrix("output.weight", rows: configuration.vocabularySize, columns: width) : embedding
        attentionLayers = configuration.keyValueHeadCounts.filter { $0 > 0 }
        convolutionLayers = configuration.keyValueHeadCounts.filter { $0 == 0 }.map { _ in (width, taps) }
    }

    /// Names the tensors of a block, and counts the layers of each kind.
    private struct Binder {
        let configuration: ModelConfiguration
        let weights: Weights
        let taps: Int
        var attentions = 0
        var convolutions = 0

        mutating func layer(_ block: Int) throws(ModelError) -> Layer {
            let width = configuration.embeddingLength
            let keyValueHeads = configuration.keyValueHeadCounts[block]
            return Layer(
                operatorNorm: try weights.vector("blk.\(block).attn_norm.weight", count: width),
                operator: keyValueHeads > 0
                    ? .attention(try attention(block, keyValueHeads: keyValueHeads))
                    : .convolution(try convolution(block)),
                feedForwardNorm: try weights.vector("blk.\(block).ffn_norm.weight", count: width),
                feedForward: try feedForward(block))
        }

        private mutating func attention(_ block: Int, keyValueHeads: Int) throws(ModelError) -> SelfAttention {
            let width = configuration.embeddingLength
            let dimension = configuration.headDimension
            let queryWidth = configuration.headCount * dimension
            let keyWidth = keyValueHeads * dimension
            let prefix = "blk.\(block)"
            defer { attentions += 1 }
            return SelfAttention(
                query: Projection(try weights.matrix("\(prefix).attn_q.weight", rows: queryWidth, columns: width)),
                key: Projection(try weights.matrix("\(prefix).attn_k.weight", rows: keyWidth, columns: width)),
                value: Projection(try weights.matrix("\(prefix).attn_v.weight", rows: keyWidth, columns: width)),
                output: Projection(
                    try weights.matrix("\(prefix).attn_output.weight", rows: width, columns: queryWidth)),
                headNorms: (
                    query: try weights.vector("\(prefix).attn_q_norm.weight", count: dimension),
                    key: try weights.vector("\(prefix).attn_k_norm.weight", count: dimension)
                ),
                headDimension: dimension, epsilon: configuration.normEpsilon, cache: attentions)
        }

        private mutating func convolution(_ block: Int) throws(ModelError) -> GatedShortConvolution {
            let width = configuration.embeddingLength
            let prefix = "blk.\(block).shortconv"
            defer { convolutions += 1 }
            return GatedShortConvolution(
                input: try weights.matrix("\(prefix).in_proj.weight", rows: 3 * width, columns: width),
                filter: try weights.transposed("\(prefix).conv.weight", rows: width, columns: taps),
                output: try weights.matrix("\(prefix).out_proj.weight", rows: width, columns: width),
                channels: width, taps: taps, state: convolutions)
        }

        private func feedForward(_ block: Int) throws(ModelError) -> FeedForward {
            let width = configuration.embeddingLength
            let hidden = configuration.feedForwardLengths[block]
            let prefix = "blk.\(block)"
            return FeedForward(
                gate: Projection(try weights.matrix("\(prefix).ffn_gate.weight", rows: hidden, columns: width)),
                up: Projection(try weights.matrix("\(prefix).ffn_up.weight", rows: hidden, columns: width)),
                down: Projection(try weights.matrix("\(prefix).ffn_down.weight", rows: width, columns: hidden)))
        }
    }
}
