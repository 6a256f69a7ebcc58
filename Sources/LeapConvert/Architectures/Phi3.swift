import LeapJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension ArchitectureRecipe {
    /// Phi 3, 3.5 and 4-mini: queries, keys and values in one matrix, gate and up projections in another, and divisors
    /// of the rotary frequencies for short and for long contexts.
    static let phi3 = ArchitectureRecipe(
        name: "phi3", classes: ["Phi3ForCausalLM"],
        layerNames: LayerNames.norms + [
            "self_attn.qkv_proj": "attn_qkv", "self_attn.o_proj": "attn_output", "mlp.gate_up_proj": "ffn_up",
            "mlp.down_proj": "ffn_down",
        ],
        rotaryKinds: ["default", "linear", "longrope", "su"],
        defaults: ["rms_norm_eps": 1e-5, "original_max_position_embeddings": 4_096, "rope_theta": 10_000],
        writeKeys: { configuration, keys throws(ConversionError) in
            keys.remove("rope.scaling.type")
            try keys.removeUsualHeadLength(configuration)
            keys.set("rope.dimension_count", try phi3RotatedLength(configuration))
            keys.set("rope.scaling.original_context_length", try configuration.rope.originalContextLength ?? 4_096)
            keys.set(
                "attention.sliding_window",
                try configuration.integerIfPresent("sliding_window", in: 0...Int(Int32.max)) ?? 0)
            if let factor = try phi3Magnitude(configuration) { keys.set("rope.scaling.attn_factor", factor) }
        },
        extraTensors: { configuration throws(ConversionError) in try phi3Divisors(configuration) })

    /// The number of elements of a head that are rotated.
    private static func phi3RotatedLength(_ configuration: Configuration) throws(ConversionError) -> Int {
        let factor = try configuration.rope.partialFactor ?? 1
        return Int(factor * Double(try configuration.headLength))
    }

    /// The factor on sines and cosines if the context is longer than that of the original training.
    ///
    /// Source: Ding et al. 2024, "LongRoPE", as `transformers` has it.
    private static func phi3Magnitude(_ configuration: Configuration) throws(ConversionError) -> Float? {
        let rope = try configuration.rope
        guard rope.floats("long_factor") != nil else { return nil }
        guard ["su", "longrope"].contains(rope.kind) else {
            throw .unsupportedFeature(
                path: configuration.path, key: "rope_type", value: rope.kind,
                reason: "expected longrope, because 'long_factor' is given")
        }
        if let stated = rope.float("attention_factor") { return stated }
        let original = Double(rope.originalContextLength ?? 4_096)
        let ratio = Double(try configuration.integer("max_position_embeddings")) / original
        let scale = rope.float("factor").map(Double.init) ?? ratio
        return scale > 1 ? Float((1 + log(scale) / log(original)).squareRoot()) : 1
    }

    private static func phi3Divisors(_ configuration: Configuration) throws(ConversionError) -> [ComputedTensor] {
        let rope = try configuration.rope
        guard let long = rope.floats("long_factor") else { return [] }
        let count = try phi3RotatedLength(configuration) / 2
        guard let short = rope.floats("short_factor"), short.count == count, long.count == count else {
            throw .configuration(
                path: configuration.path, key: "rope_parameters",
                problem: "needs 'long_factor' and 'short_factor' of \(count) numbers each")
        }
        return [
            ComputedTensor(name: "rope_factors_long.weight", numbers: long),
            ComputedTensor(name: "rope_factors_short.weight", numbers: short),
        ]
    }
}
