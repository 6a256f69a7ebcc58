import LeapQuantize

/// A tensor of a model: its name, its role, and its size.
struct TensorShape: Hashable, Sendable {
    let name: String
    let role: TensorRole
    /// In ggml's order: columns, rows and, for a stack of matrices, their number.
    let dimensions: [Int]

    /// Elements of a row.
    var columns: Int { dimensions[0] }
    /// The total number of elements.
    var elementCount: Int { dimensions.reduce(1, *) }
}

extension ModelShape {
    /// All tensors in the order of the file, by the names that GGUF gives them.
    var tensors: [TensorShape] {
        var tensors = [TensorShape("token_embd", isTied ? .output : .embedding, embeddingLength, vocabulary.size)]
        if !isTied { tensors.append(TensorShape("output", .output, embeddingLength, vocabulary.size)) }
        // LFM2's final norm has the embedding's name in its files.
        let finalNorm = architecture.isLFM2 ? "token_embd_norm" : "output_norm"
        tensors.append(TensorShape(finalNorm, .norm, embeddingLength))
        if llama3Scaling != nil { tensors.append(TensorShape("rope_freqs", .rotaryFactors, headDimension / 2)) }
        let attentions = (0..<blockCount).filter { keyValueHeadCount(ofBlock: $0) > 0 }
        for block in 0..<blockCount {
            tensors.append(TensorShape("blk.\(block).attn_norm", .norm, embeddingLength))
            if let index = attentions.firstIndex(of: block) {
                tensors += attention("blk.\(block).", index: index, count: attentions.count)
            } else if let deltaNet {
                tensors += deltaRule("blk.\(block).", deltaNet)
            } else {
                tensors += convolution("blk.\(block).shortconv.")
            }
            tensors += feedForward("blk.\(block).", block: block)
            guard architecture.hasOutputNorms else { continue }
            tensors += ["post_attention_norm", "post_ffw_norm"].map {
                TensorShape("blk.\(block).\($0)", .norm, embeddingLength)
            }
        }
        return tensors
    }

    private func attention(_ prefix: String, index: Int, count: Int) -> [TensorShape] {
        let queryWidth = headCount * headDimension
        let keyWidth = keyValueHeadCount * headDimension
        let headNorms = [
            TensorShape("\(prefix)attn_q_norm", .norm, headDimension),
            TensorShape("\(prefix)attn_k_norm", .norm, headDimension),
        ]
        let biases = ["attn_q": queryWidth, "attn_k": keyWidth, "attn_v": keyWidth, "attn_output": embeddingLength]
        let extra = biases.sorted { $0.key < $1.key }.map { TensorShape(bias: prefix + $0.key, $0.value) }
        let sinks = [TensorShape("\(prefix)attn_sinks", .bias, headCount)]
        return [
            TensorShape(
                "\(prefix)attn_q", .matrix, embeddingLength, architecture == .qwen35 ? 2 * queryWidth : queryWidth),
            TensorShape("\(prefix)attn_k", .matrix, embeddingLength, keyWidth),
            TensorShape("\(prefix)attn_v", .value(index: index, count: count), embeddingLength, keyWidth),
            TensorShape("\(prefix)attn_output", .attentionOutput, queryWidth, embeddingLength),
        ] + (architecture.hasHeadNorms ? headNorms : []) + (architecture == .gptOSS ? extra + sinks : [])
    }

    private func convolution(_ prefix: String) -> [TensorShape] {
        [
            TensorShape("\(prefix)in_proj", .matrix, embeddingLength, 3 * embeddingLength),
            TensorShape("\(prefix)conv", .filter, Self.convolutionTaps, embeddingLength),
            TensorShape("\(prefix)out_proj", .matrix, embeddingLength, embeddingLength),
        ]
    }

    /// The decay and the time-step bias are 0: the model forgets nothing.
    private func deltaRule(_ prefix: String, _ net: DeltaNet) -> [TensorShape] {
        [
            TensorShape("\(prefix)attn_qkv", .matrix, embeddingLength, net.channels),
            TensorShape("\(prefix)attn_gate", .matrix, embeddingLength, net.valueWidth),
            TensorShape("\(prefix)ssm_alpha", .matrix, embeddingLength, net.valueHeads),
            TensorShape("\(prefix)ssm_beta", .matrix, embeddingLength, net.valueHeads),
            TensorShape("\(prefix)ssm_conv1d", .filter, net.taps, net.channels),
            TensorShape(name: "\(prefix)ssm_a", role: .bias, dimensions: [net.valueHeads]),
            TensorShape(bias: "\(prefix)ssm_dt", net.valueHeads),
            TensorShape("\(prefix)ssm_norm", .norm, net.dimension),
            TensorShape("\(prefix)ssm_out", .matrix, net.valueWidth, embeddingLength),
        ]
    }

    private func feedForward(_ prefix: String, block: Int) -> [TensorShape] {
        if let experts = experts(ofBlock: block) { return mixture(prefix, experts, block: block) }
        return [
            TensorShape("\(prefix)\(feedForwardNorm)", .norm, embeddingLength),
            TensorShape("\(prefix)ffn_gate", .matrix, embeddingLength, feedForwardLength),
            TensorShape("\(prefix)ffn_up", .matrix, embeddingLength, feedForwardLength),
            TensorShape(
                "\(prefix)ffn_down", .down(index: block, count: blockCount), feedForwardLength, embeddingLength),
        ]
    }
}

extension ModelShape {
    /// The name in files of the norm before the second half of a block.
    private var feedForwardNorm: String {
        architecture == .gptOSS || architecture == .qwen35 ? "post_attention_norm" : "ffn_norm"
    }

    private func mixture(_ prefix: String, _ experts: Experts, block: Int) -> [TensorShape] {
        let (hidden, count) = (experts.feedForwardLength, experts.count)
        let isGPTOSS = architecture == .gptOSS
        let biases = [
            TensorShape(bias: "\(prefix)ffn_gate_inp", count),
            TensorShape(bias: "\(prefix)ffn_gate_exps", hidden, count),
            TensorShape(bias: "\(prefix)ffn_up_exps", hidden, count),
            TensorShape(bias: "\(prefix)ffn_down_exps", embeddingLength, count),
        ]
        return [
            TensorShape("\(prefix)\(feedForwardNorm)", .norm, embeddingLength),
            TensorShape("\(prefix)ffn_gate_inp", .router, embeddingLength, count),
            TensorShape("\(prefix)ffn_gate_exps", .matrix, embeddingLength, hidden, count),
            TensorShape("\(prefix)ffn_up_exps", .matrix, embeddingLength, hidden, count),
            TensorShape(
                "\(prefix)ffn_down_exps", .down(index: block, count: blockCount), hidden, embeddingLength, count),
        ] + (isGPTOSS ? biases : [TensorShape(bias: "\(prefix)exp_probs_b", count)])
    }
}

extension TensorShape {
    fileprivate init(_ name: String, _ role: TensorRole, _ dimensions: Int...) {
        self.init(name: "\(name).weight", role: role, dimensions: dimensions)
    }

    fileprivate init(bias name: String, _ dimensions: Int...) {
        self.init(name: "\(name).bias", role: .bias, dimensions: dimensions)
    }
}
