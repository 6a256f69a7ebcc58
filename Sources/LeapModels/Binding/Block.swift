import LeapOps

/// One block of a file: the tensors whose names begin with `blk.N.`, and the hyper-parameters that blocks may differ in.
/// Here are the parts that nearly all architectures have, by the names that nearly all files give them; a part of one
/// architecture alone is bound in its own file.
struct Block {
    let index: Int
    let model: Binder

    var configuration: ModelConfiguration { model.configuration }
    var parameters: HyperParameters { model.parameters }

    /// Key/value heads; 0 if the block has no attention.
    var keyValueHeads: Int { configuration.keyValueHeadCounts[index] }

    /// The full name of a tensor of the block.
    func name(_ tail: String) -> String { "blk.\(index).\(tail)" }

    // MARK: - Tensors

    /// `NAME.weight`, `[rows, columns]`, and `NAME.bias` if the file has it.
    func projection(_ name: String, rows: Int, columns: Int) throws(ModelError) -> Projection {
        try model.weights.projection(self.name(name), rows: rows, columns: columns)
    }

    /// `NAME.weight`, a small matrix `[rows, columns]`, as floats `[columns, rows]`.
    func transposed(_ name: String, rows: Int, columns: Int) throws(ModelError) -> FloatVector {
        try model.weights.transposed(self.name(name) + ".weight", rows: rows, columns: columns)
    }

    /// A norm of the residual stream, by its name.
    func norm(_ name: String) throws(ModelError) -> StreamNorm { try model.norm(self.name(name)) }

    /// Projections of one input whose rows follow each other in one matrix, `NAME.weight`, and in its bias.
    func projections(_ name: String, rows: [Int], columns: Int) throws(ModelError) -> [Projection] {
        let joint = try projection(name, rows: rows.reduce(0, +), columns: columns)
        var start = 0
        return rows.map { count in
            defer { start += count }
            return joint.rows(start..<start + count)
        }
    }

    // MARK: - Parts

    /// `attn_q`, `attn_k` and `attn_v`, or `attn_qkv` in the place of the three, and `attn_output`.
    ///
    /// - Parameters:
    ///   - norms: The norms of queries and keys.
    ///   - rotary: The angles that queries and keys are rotated by; `nil` for none.
    ///   - scale: A factor on the scores; `1 / √headDimension` if it is `nil`.
    ///   - window: Positions that a row sees, back from its own or, without causality, around it; `nil` for all.
    ///   - temperature: How queries grow with their positions.
    ///   - sinks: A score without a value for each query head.
    ///   - isCausal: Whether a row sees the positions up to its own, or else all of its text.
    ///   - isGated: Whether every head has a gate after its query.
    func attention(
        norms: SelfAttention.Norms? = nil, rotary: RotaryChoice? = .global, scale: Float? = nil, window: Int? = nil,
        temperature: QueryTemperature? = nil, sinks: FloatVector? = nil, isCausal: Bool = true,
        isGated: Bool = false
    ) throws(ModelError) -> SelfAttention {
        guard keyValueHeads > 0 else {
            throw .contradiction(
                "block \(index) has no key/value heads, but every layer of \(configuration.architecture) has attention")
        }
        let width = configuration.embeddingLength
        let dimension = configuration.headDimension
        let queryWidth = configuration.headCount * dimension
        let inputs = try attentionInputs(
            queryWidth: isGated ? 2 * queryWidth : queryWidth, keyWidth: keyValueHeads * dimension)
        return SelfAttention(
            query: inputs[0], key: inputs[1], value: inputs[2],
            output: try projection("attn_output", rows: width, columns: queryWidth), norms: norms, rotary: rotary,
            isGated: isGated,
            rule: AttentionRule(
                keyValueHeads: keyValueHeads, headDimension: dimension, scale: scale, window: window,
                temperature: temperature, sinks: sinks?.base, isCausal: isCausal))
    }

    /// The projections to queries, keys and values.
    private func attentionInputs(queryWidth: Int, keyWidth: Int) throws(ModelError) -> [Projection] {
        let width = configuration.embeddingLength
        if model.weights.has(name("attn_qkv.weight")) {
            return try projections("attn_qkv", rows: [queryWidth, keyWidth, keyWidth], columns: width)
        }
        return [
            try projection("attn_q", rows: queryWidth, columns: width),
            try projection("attn_k", rows: keyWidth, columns: width),
            try projection("attn_v", rows: keyWidth, columns: width),
        ]
    }

    /// `attn_q_norm` and `attn_k_norm`, which normalise queries and keys head by head.
    func headNorms() throws(ModelError) -> SelfAttention.Norms {
        SelfAttention.Norms(
            query: try norm("attn_q_norm", count: configuration.headDimension),
            key: try norm("attn_k_norm", count: configuration.headDimension))
    }

    /// `attn_q_norm` and `attn_k_norm`, which normalise all queries of a row together, and likewise its keys.
    func rowNorms() throws(ModelError) -> SelfAttention.Norms {
        SelfAttention.Norms(
            query: try norm("attn_q_norm", count: configuration.headCount * configuration.headDimension),
            key: try norm("attn_k_norm", count: keyValueHeads * configuration.headDimension))
    }

    /// `attn_sinks`: a score without a value for each query head.
    func sinks() throws(ModelError) -> FloatVector {
        try model.weights.vector(name("attn_sinks.weight"), count: configuration.headCount)
    }

    private func norm(_ name: String, count: Int) throws(ModelError) -> Norm {
        Norm(
            gains: try model.weights.vector(self.name(name) + ".weight", count: count),
            epsilon: configuration.normEpsilon)
    }

    /// `ffn_gate`, `ffn_up` and `ffn_down`.
    func feedForward(_ unit: GatedUnit = .swiGLU) throws(ModelError) -> FeedForward {
        let (width, hidden) = (configuration.embeddingLength, configuration.feedForwardLengths[index])
        guard hidden > 0 else {
            throw .contradiction("\(parameters.key("feed_forward_length")) is missing, but block \(index) is dense")
        }
        return FeedForward(
            gate: try projection("ffn_gate", rows: hidden, columns: width),
            up: try projection("ffn_up", rows: hidden, columns: width),
            down: try projection("ffn_down", rows: width, columns: hidden), unit: unit)
    }

    /// `ffn_up` and `ffn_down`, with GELU between them.
    func ungatedFeedForward() throws(ModelError) -> FeedForward {
        let (width, hidden) = (configuration.embeddingLength, configuration.feedForwardLengths[index])
        return FeedForward(
            gate: nil, up: try projection("ffn_up", rows: hidden, columns: width),
            down: try projection("ffn_down", rows: width, columns: hidden))
    }

    /// `ffn_up`, whose first half is the gate, and `ffn_down`.
    func jointFeedForward(_ unit: GatedUnit = .swiGLU) throws(ModelError) -> FeedForward {
        let (width, hidden) = (configuration.embeddingLength, configuration.feedForwardLengths[index])
        let inputs = try projections("ffn_up", rows: [hidden, hidden], columns: width)
        return FeedForward(
            gate: inputs[0], up: inputs[1], down: try projection("ffn_down", rows: width, columns: hidden),
            unit: unit)
    }
}
