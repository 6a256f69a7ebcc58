import LeapJSON

extension ArchitectureRecipe {
    /// Granite 4 with a state space in most layers and a dense network in all.
    static let granitehybrid = ArchitectureRecipe(
        name: "granitehybrid", classes: ["GraniteMoeHybridForCausalLM"],
        applies: { $0.isGraniteHybrid && !$0.hasExperts },
        layerNames: graniteHybridNames + ["shared_mlp.output_linear": "ffn_down"],
        halves: ["shared_mlp.input_linear": ("ffn_gate", "ffn_up")],
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true, arrange: arrangeStateSpace,
        defaults: graniteHybridDefaults,
        writeKeys: { configuration, keys throws(ConversionError) in try writeGraniteHybridKeys(configuration, &keys) },
        extraTensors: { configuration throws(ConversionError) in try graniteDivisors(configuration) })

    /// The same with mixtures of experts.
    static let granitehybridmoe = ArchitectureRecipe(
        name: "granitehybrid", classes: ["GraniteMoeHybridForCausalLM"],
        applies: { $0.isGraniteHybrid && $0.hasExperts },
        layerNames: graniteHybridNames + graniteExpertNames, halves: graniteExpertHalves,
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true, arrange: arrangeStateSpace,
        defaults: graniteHybridDefaults.merging(graniteExpertDefaults) { _, last in last },
        writeKeys: { configuration, keys throws(ConversionError) in try writeGraniteHybridKeys(configuration, &keys) },
        extraTensors: { configuration throws(ConversionError) in try graniteDivisors(configuration) })

    private static let graniteHybridNames =
        LayerNames.attention + LayerNames.norms + [
            "mamba.in_proj": "ssm_in", "mamba.conv1d": "ssm_conv1d", "mamba.A_log": "ssm_a", "mamba.D": "ssm_d",
            "mamba.dt_bias": "ssm_dt.bias", "mamba.norm": "ssm_norm", "mamba.out_proj": "ssm_out",
        ]

    private static let graniteHybridDefaults: [String: JSONValue] = graniteDefaults.merging([
        "mamba_d_conv": 4, "mamba_d_state": 256, "mamba_n_groups": 1, "mamba_n_heads": 128, "mamba_expand": 2,
    ]) { _, last in last }

    /// The context length for models without rotary positions, instead of the length that they were trained on.
    private static let unrotatedContext = 1 << 20

    private static func writeGraniteHybridKeys(
        _ configuration: Configuration, _ keys: inout KeyWriter
    ) throws(ConversionError) {
        try writeGraniteKeys(configuration, &keys)
        try writeGraniteNetworkKeys(configuration, &keys)
        try refuseOtherStateSpaces(configuration)
        keys.set("ssm.conv_kernel", try configuration.integer("mamba_d_conv"))
        keys.set("ssm.state_size", try configuration.integer("mamba_d_state"))
        keys.set("ssm.group_count", try configuration.integer("mamba_n_groups"))
        keys.set("ssm.inner_size", try stateSpaceWidth(configuration))
        keys.set("ssm.time_step_rank", try configuration.integer("mamba_n_heads"))
        let heads = try configuration.keyValueHeads
        keys.set("attention.head_count_kv", try attentionLayersOfGranite(configuration).map { $0 ? heads : 0 })
        if !configuration.isRotaryGranite { keys.set("context_length", unrotatedContext) }
    }

    private static func refuseOtherStateSpaces(_ configuration: Configuration) throws(ConversionError) {
        try configuration.refuse(
            "mamba_proj_bias", unless: { $0 == .bool(false) }, "biases in state-space projections are not supported")
        // Files write infinity, which JSON cannot represent as a number, as a word, or as a number that only Python reads.
        let limits = configuration.value("time_step_limit")?.array ?? []
        guard limits.isEmpty || limits.count == 2 && limits[0].double == 0 && limits[1].double ?? .infinity == .infinity
        else {
            throw .unsupportedFeature(
                path: configuration.path, key: "time_step_limit", value: JSONValue.array(limits).text(),
                reason: "limits on time steps are not supported")
        }
    }

    private static func stateSpaceWidth(_ configuration: Configuration) throws(ConversionError) -> Int {
        let width = try configuration.integer("mamba_expand", in: 1...1_024) * configuration.width
        let heads = try configuration.integer("mamba_n_heads")
        let isWhole = width.isMultiple(of: heads)
        let stated = configuration.value("mamba_d_head")?.wholeNumber ?? width / heads
        guard isWhole, stated == width / heads else {
            throw .configuration(
                path: configuration.path, key: "mamba_n_heads",
                problem: "is \(heads), but that many heads of size \(stated) do not add up to the width \(width)")
        }
        return width
    }

    /// Which layers have attention: published files and newer libraries use different names for both kinds.
    private static func attentionLayersOfGranite(_ configuration: Configuration) throws(ConversionError) -> [Bool] {
        let (attention, other) = (["attention", "full_attention"], ["mamba", "linear_attention"])
        let (types, layers) = (configuration.strings("layer_types") ?? [], try configuration.layers)
        guard types.count == layers, types.allSatisfy({ (attention + other).contains($0) }) else {
            throw .configuration(
                path: configuration.path, key: "layer_types",
                problem: "must have \(layers) entries, each 'mamba' or 'attention', but is \(types)")
        }
        return types.map(attention.contains)
    }

    /// Decays are −exp(A), and per-head scalars get a dimension of one.
    @Sendable private static func arrangeStateSpace(
        _ name: String, _ tensor: StoredTensor, _ configuration: Configuration
    ) throws(ConversionError) -> Arrangement {
        switch name.split(separator: ".", maxSplits: 2).last {
        case "ssm_a"?: return Arrangement(shape: tensor.shape + [1], change: .negativeExponential)
        case "ssm_d"?: return Arrangement(shape: tensor.shape + [1])
        case "ssm_norm.weight"?:
            let groups = try configuration.integer("mamba_n_groups")
            guard let width = tensor.shape.first, tensor.shape.count == 1, width.isMultiple(of: groups) else {
                throw .tensor(
                    name: tensor.name,
                    problem: "has shape \(tensor.shape), which cannot be divided into \(groups) groups")
            }
            return Arrangement(shape: [groups, width / groups])
        default: return Arrangement()
        }
    }
}
