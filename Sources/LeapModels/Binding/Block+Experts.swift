import LeapOps

// Mixtures of experts, by the names and keys that all files give them.

/// The properties of an architecture's experts that its files may omit.
struct ExpertDefaults {
    /// The gating function if `expert_gating_func` is absent or 0.
    let gate: ExpertRouting.Gate
    /// Added to the sum of the chosen weights before they are divided by it.
    let epsilon: Float
    /// Whether every router has a bias that affects which experts are chosen, but not their weights.
    let hasChoiceBias: Bool
    /// The activation of their gates.
    var unit: GatedUnit = .swiGLU
    /// Whether all matrices of experts have a bias for each of their rows.
    var hasBiases = false
    /// The key of an expert's hidden width.
    var lengthKey = "expert_feed_forward_length"
    /// The shared expert, if there is one.
    var shared: Shared?

    /// An expert that all rows share.
    enum Shared: Sendable {
        /// A separate gate determines how much of it a row takes.
        case gated
        /// All rows take all of it; not every file of the architecture has it.
        case optional
    }
}

extension Binder {
    /// The keys of ``MeaningfulKey`` that are read for experts.
    static let expertKeys: Set = ["expert_count"]

    /// The keys of ``MeaningfulKey`` that are read if there is a shared expert, too.
    static let sharedExpertKeys = expertKeys.union(["expert_shared_count"])

    /// Leading blocks that have one feed-forward network, `leading_dense_block_count`; the others have experts.
    func leadingDenseBlocks() throws(ModelError) -> Int {
        let key = "leading_dense_block_count"
        let count = try parameters.integerIfPresent(key, in: 0...configuration.blockCount) ?? 0
        for block in 0..<configuration.blockCount {
            let hasExperts = weights.has("blk.\(block).ffn_gate_inp.weight")
            let isDense = weights.has("blk.\(block).ffn_gate.weight")
            if block < count ? hasExperts : isDense && !hasExperts {
                throw .contradiction(
                    "\(parameters.key(key)) is \(count), but block \(block) has \(hasExperts ? "experts" : "no experts")"
                )
            }
        }
        return count
    }
}

extension Block {
    /// The network of a block: dense in the leading ones, else experts.
    func channelMixer(leadingDense: Int, _ defaults: ExpertDefaults) throws(ModelError) -> ChannelMixer {
        index < leadingDense ? .dense(try feedForward()) : .experts(try experts(defaults))
    }

    /// `ffn_gate_inp`, `exp_probs_b`, `ffn_gate_exps`, `ffn_up_exps` and `ffn_down_exps`.
    func experts(_ defaults: ExpertDefaults) throws(ModelError) -> ExpertMixture {
        try validateCounts()
        try refuseWhatExpertsLack(defaults)
        let (width, count) = (configuration.embeddingLength, configuration.expertCount)
        let hidden = try expertLength(defaults)
        let bias = name("exp_probs_b.bias")
        return ExpertMixture(
            router: try projection("ffn_gate_inp", rows: count, columns: width),
            choiceBias: defaults.hasChoiceBias
                ? try model.weights.vector(bias, count: count)
                : try model.weights.vectorIfPresent(bias, count: count),
            routing: try routing(defaults),
            gate: try expertProjection("ffn_gate_exps", rows: hidden, columns: width, defaults),
            up: try expertProjection("ffn_up_exps", rows: hidden, columns: width, defaults),
            down: try expertProjection("ffn_down_exps", rows: width, columns: hidden, defaults),
            unit: defaults.unit,
            shared: try sharedExpert(defaults))
    }

    /// `ffn_gate_shexp`, `ffn_up_shexp`, `ffn_down_shexp`, and for a gate `ffn_gate_inp_shexp`; as wide as
    /// `expert_shared_feed_forward_length` specifies, else as the other experts.
    private func sharedExpert(_ defaults: ExpertDefaults) throws(ModelError) -> SharedExpert? {
        let key = "expert_shared_feed_forward_length"
        let (width, all) = (configuration.embeddingLength, try expertLength(defaults))
        let stated = try parameters.integerIfPresent(key, in: 0...1 << 20)
        let hidden = stated.flatMap { $0 > 0 ? $0 : nil } ?? all
        switch defaults.shared {
        case nil: return nil
        case .optional where stated ?? 0 == 0 && !model.weights.has(name("ffn_up_shexp.weight")): return nil
        case .gated, .optional:
            let network = FeedForward(
                gate: try projection("ffn_gate_shexp", rows: hidden, columns: width),
                up: try projection("ffn_up_shexp", rows: hidden, columns: width),
                down: try projection("ffn_down_shexp", rows: width, columns: hidden))
            return SharedExpert(
                network: network,
                gate: defaults.shared == .gated ? try projection("ffn_gate_inp_shexp", rows: 1, columns: width) : nil)
        }
    }

    private func validateCounts() throws(ModelError) {
        let (count, used) = (configuration.expertCount, configuration.expertUsedCount)
        guard count > 0 else {
            throw .contradiction(
                "\(parameters.key("expert_count")) is 0, but block \(index) of \(configuration.architecture) has experts"
            )
        }
        guard (1...count).contains(used) else {
            throw .contradiction(
                "\(parameters.key("expert_used_count")) is \(used), but must be from 1 to the \(count) of "
                    + parameters.key("expert_count"))
        }
    }

    /// Hidden width of the block's experts.
    private func expertLength(_ defaults: ExpertDefaults) throws(ModelError) -> Int {
        let key = defaults.lengthKey
        let lengths = try parameters.integersPerBlock(key, blockCount: configuration.fileBlockCount, in: 0...1 << 20)
        guard lengths[index] > 0 else {
            throw .contradiction("\(parameters.key(key)) is 0 for block \(index), which has experts")
        }
        return lengths[index]
    }

    /// `NAME.weight`, `[experts, rows, columns]`, and `NAME.bias`, `[experts, rows]`, if experts have biases.
    private func expertProjection(
        _ name: String, rows: Int, columns: Int, _ defaults: ExpertDefaults
    ) throws(ModelError) -> ExpertProjection {
        let (name, count) = (self.name(name), configuration.expertCount)
        return try model.weights.expertProjection(
            name, count: count, rows: rows, columns: columns,
            bias: defaults.hasBiases ? try model.weights.floats("\(name).bias", dimensions: [rows, count]) : nil)
    }

    /// `expert_gating_func`, `expert_used_count`, `expert_weights_norm` and `expert_weights_scale`.
    private func routing(_ defaults: ExpertDefaults) throws(ModelError) -> ExpertRouting {
        ExpertRouting(
            gate: try gate(defaults.gate), used: configuration.expertUsedCount,
            normalizes: try parameters.boolIfPresent("expert_weights_norm") ?? true, epsilon: defaults.epsilon,
            scale: try parameters.factorIfPresent("expert_weights_scale") ?? 1)
    }

    private func gate(_ standard: ExpertRouting.Gate) throws(ModelError) -> ExpertRouting.Gate {
        let key = "expert_gating_func"
        let number = try parameters.integerIfPresent(key, in: 0...Int(UInt32.max)) ?? 0
        switch number {
        case 0: return standard
        case 1: return .softmax
        case 2: return .sigmoid
        case 3: return .softmaxOfChosen
        default:
            throw .unsupportedFeature(
                key: parameters.key(key), value: "\(number)",
                reason: "supported values are 1 (softmax), 2 (sigmoid) and 3 (softmax of the selected experts)")
        }
    }

    /// Refuses expert biases and shared experts in files of an architecture that has none.
    private func refuseWhatExpertsLack(_ defaults: ExpertDefaults) throws(ModelError) {
        let biases = ["ffn_gate_exps.bias", "ffn_up_exps.bias", "ffn_down_exps.bias"]
        let shared = ["ffn_gate_shexp.weight", "ffn_up_shexp.weight", "ffn_down_shexp.weight"]
        let others = ((defaults.hasBiases ? [] : biases) + (defaults.shared != nil ? [] : shared)).map(name)
        if let tensor = others.first(where: { model.weights.has($0) }) {
            throw .unsupportedFeature(
                key: tensor, value: "present",
                reason: "expert biases and shared experts are not implemented for this architecture")
        }
    }
}
