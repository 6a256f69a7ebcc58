import LeapOps

/// One block of a file: the tensors whose names begin with `blk.N.`, and the hyper-parameters that blocks may differ in.
/// Here are the parts that nearly all architectures have, by the names that nearly all files give them; a part of one
/// architecture alone is bound in its own file.
struct Block {
    let index: Int
    let model: Binder

    var configuration: ModelConfiguration { model.configuration }
    var parameters: HyperParameters { model.parameters }

    /// Key/value heads; 0 where the block has no attention.
    var keyValueHeads: Int { configuration.keyValueHeadCounts[index] }

    /// The full name of a tensor of the block.
    func name(_ tail: String) -> String { "blk.\(index).\(tail)" }

    // MARK: - Tensors

    /// `NAME.weight`, `[rows, columns]`, and `NAME.bias` where the file has it.
    func projection(_ name: String, rows: Int, columns: Int) throws(ModelError) -> Projection {
        try model.weights.projection(self.name(name), rows: rows, columns: columns)
    }

    /// `NAME.weight`, a small matrix `[rows, columns]`, as floats `[columns, rows]`.
    func transposed(_ name: String, rows: Int, columns: Int) throws(ModelError) -> FloatVector {
        try model.weights.transposed(self.name(name) + ".weight", rows: rows, columns: columns)
    }

    /// A norm of the residual stream, `NAME.weight`.
    func norm(_ name: String) throws(ModelError) -> Norm { try model.norm(self.name(name)) }

    // MARK: - Parts

    /// `attn_q`, `attn_k`, `attn_v` and `attn_output`.
    func attention(headNorms: SelfAttention.HeadNorms? = nil) throws(ModelError) -> SelfAttention {
        guard keyValueHeads > 0 else {
            throw .contradiction(
                "block \(index) has no key/value heads, but every layer of \(configuration.architecture) has attention")
        }
        let width = configuration.embeddingLength
        let dimension = configuration.headDimension
        let (queryWidth, keyWidth) = (configuration.headCount * dimension, keyValueHeads * dimension)
        return SelfAttention(
            query: try projection("attn_q", rows: queryWidth, columns: width),
            key: try projection("attn_k", rows: keyWidth, columns: width),
            value: try projection("attn_v", rows: keyWidth, columns: width),
            output: try projection("attn_output", rows: width, columns: queryWidth),
            headNorms: headNorms,
            rule: AttentionRule(keyValueHeads: keyValueHeads, headDimension: dimension))
    }

    /// `attn_q_norm` and `attn_k_norm`, which queries and keys are normalised by head by head.
    func headNorms() throws(ModelError) -> SelfAttention.HeadNorms {
        SelfAttention.HeadNorms(query: try headNorm("attn_q_norm"), key: try headNorm("attn_k_norm"))
    }

    private func headNorm(_ name: String) throws(ModelError) -> Norm {
        Norm(
            gains: try model.weights.vector(self.name(name) + ".weight", count: configuration.headDimension),
            epsilon: configuration.normEpsilon)
    }

    /// `ffn_gate`, `ffn_up` and `ffn_down`.
    func feedForward() throws(ModelError) -> FeedForward {
        let (width, hidden) = (configuration.embeddingLength, configuration.feedForwardLengths[index])
        return FeedForward(
            gate: try projection("ffn_gate", rows: hidden, columns: width),
            up: try projection("ffn_up", rows: hidden, columns: width),
            down: try projection("ffn_down", rows: width, columns: hidden))
    }
}
