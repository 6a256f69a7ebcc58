import LeapOps

/// Qwen 3.5: layers that remember by the gated delta rule, and in every fourth layer attention with a gate on its output.
///
/// Queries and keys of attention are normalised per head, and a part of each head rotates. Files number the heads of values so
/// that head h has the queries and keys of head h mod keyHeads; they hold the decay as −exp(A), and the gains of norms
/// with the 1 that the model adds to them. Blocks after the trunk, for multi-token prediction, are not used.
/// Source: the models of Qwen3.5 in Hugging Face's transformers; tensor names and keys as GGUF files have them.
enum Qwen35: Architecture {
    static let name = "qwen35"
    static let knownKeys: Set = ["nextn_predict_layers"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try graph(model) { block throws(ModelError) in .dense(try block.feedForward()) }
    }

    /// The same with the given networks.
    static func graph(
        _ model: Binder, channelMixer: (Block) throws(ModelError) -> ChannelMixer
    ) throws(ModelError) -> Graph {
        let shape = try recurrentShape(model)
        let isRecurrent = try recurrentBlocks(model)
        return try Graph(model, rotary: model.rotary(.neoX)) { block throws(ModelError) in
            try layer(block, isRecurrent: isRecurrent[block.index], shape, channelMixer: try channelMixer(block))
        }
    }

    private static func layer(
        _ block: Block, isRecurrent: Bool, _ shape: RecurrentShape, channelMixer: ChannelMixer
    ) throws(ModelError) -> Layer {
        Layer(
            mixerNorm: try block.norm("attn_norm"),
            mixer: isRecurrent
                ? .deltaNet(try deltaNet(block, shape))
                : .attention(try block.attention(norms: try block.headNorms(), isGated: true)),
            feedForwardNorm: try block.norm("post_attention_norm"),
            channelMixer: channelMixer)
    }

    /// Whether each block has the delta rule: as in `attention.recurrent_layers`, or all but every
    /// `full_attention_interval`-th.
    private static func recurrentBlocks(_ model: Binder) throws(ModelError) -> [Bool] {
        let key = "attention.recurrent_layers"
        let flags = try model.parameters.integersPerBlockIfPresent(
            key, blockCount: model.configuration.fileBlockCount, in: 0...1)
        if let flags { return flags.map { $0 == 1 } }
        let interval = try model.parameters.integerIfPresent("full_attention_interval", in: 1...4096) ?? 4
        return (1...model.configuration.blockCount).map { !$0.isMultiple(of: interval) }
    }

    private static func recurrentShape(_ model: Binder) throws(ModelError) -> RecurrentShape {
        let parameters = model.parameters
        let dimension = try parameters.integer("ssm.state_size", in: 1...4096)
        let keyHeads = try parameters.integer("ssm.group_count", in: 1...4096)
        let valueHeads = try parameters.integer("ssm.time_step_rank", in: 1...4096)
        let width = try parameters.integer("ssm.inner_size", in: 1...1 << 20)
        guard valueHeads.isMultiple(of: keyHeads) else {
            throw .contradiction(
                "\(parameters.key("ssm.time_step_rank")) is \(valueHeads), but must be a multiple of "
                    + "\(parameters.key("ssm.group_count")), \(keyHeads)")
        }
        guard width == valueHeads * dimension else {
            throw .contradiction(
                "\(parameters.key("ssm.inner_size")) is \(width), but must be \(valueHeads * dimension) for "
                    + "\(valueHeads) heads of \(dimension)")
        }
        return RecurrentShape(
            rule: .delta, keyHeads: keyHeads, valueHeads: valueHeads, keyDimension: dimension,
            valueDimension: dimension,
            taps: try parameters.integer("ssm.conv_kernel", in: 1...64))
    }

    private static func deltaNet(_ block: Block, _ shape: RecurrentShape) throws(ModelError) -> GatedDeltaNet {
        let width = block.configuration.embeddingLength
        let (weights, heads) = (block.model.weights, shape.valueHeads)
        return GatedDeltaNet(
            input: try block.projection("attn_qkv", rows: shape.channels, columns: width),
            gate: try block.projection("attn_gate", rows: shape.valueWidth, columns: width),
            alpha: try block.projection("ssm_alpha", rows: heads, columns: width),
            beta: try block.projection("ssm_beta", rows: heads, columns: width),
            filter: try block.transposed("ssm_conv1d", rows: shape.channels, columns: shape.taps),
            decay: try weights.vector(block.name("ssm_a"), count: heads),
            timeBias: try weights.vector(block.name("ssm_dt.bias"), count: heads),
            norms: unitNorms(weights, dimension: shape.keyDimension),
            outputNorm: Norm(
                gains: try weights.vector(block.name("ssm_norm.weight"), count: shape.valueDimension),
                epsilon: block.configuration.normEpsilon),
            output: try block.projection("ssm_out", rows: width, columns: shape.valueWidth), shape: shape)
    }

    /// Norms to the length 1, of queries to 1 / √dimension, as RMS norms: x / √(Σx² + 10⁻⁶) is
    /// x / √(mean(x²) + 10⁻⁶ / dimension) · 1 / √dimension.
    private static func unitNorms(_ weights: Weights, dimension: Int) -> SelfAttention.Norms {
        let (count, epsilon) = (Float(dimension), 1e-6 / Float(dimension))
        return SelfAttention.Norms(
            query: Norm(gains: weights.repeating(1 / count, count: dimension), epsilon: epsilon),
            key: Norm(gains: weights.repeating(1 / count.squareRoot(), count: dimension), epsilon: epsilon))
    }
}
