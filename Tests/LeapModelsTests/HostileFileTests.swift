import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Absurd hyper-parameters are refused or computed with; the process survives either way.
@Suite("Hostile hyper-parameters")
struct HostileFileTests {
    private static let integers = [
        "context_length", "embedding_length", "block_count", "attention.head_count", "attention.head_count_kv",
        "attention.key_length", "attention.value_length", "feed_forward_length", "rope.dimension_count",
        "shortconv.l_cache", "pooling_type", "attention.sliding_window_pattern",
        "rope.scaling.original_context_length", "expert_count", "attention.sliding_window",
        "expert_used_count", "expert_feed_forward_length", "expert_gating_func", "leading_dense_block_count",
        "ssm.conv_kernel", "ssm.state_size", "ssm.group_count", "ssm.time_step_rank", "ssm.inner_size",
        "full_attention_interval", "expert_shared_feed_forward_length",
    ]
    private static let floats = [
        "attention.layer_norm_rms_epsilon", "rope.freq_base", "rope.scaling.factor", "rope.scaling.yarn_beta_fast",
        "rope.scaling.yarn_beta_slow", "rope.scaling.yarn_ext_factor", "rope.scaling.attn_factor",
        "rope.scaling.yarn_log_multiplier", "attention.scale", "embedding_scale", "residual_scale", "logit_scale",
        "rope.freq_base_swa", "final_logit_softcapping", "attention.temperature_scale", "expert_weights_scale",
    ]
    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 1 << 16, 1 << 20, 1 << 27, 1 << 30, 1 << 31, 1 << 32, 1 << 62, 1 << 63,
        .max,
    ]
    private static let fractions: [Float] = [
        0, -0.0, 1, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e-30, 1e30,
    ]

    /// Loads an edited file; if that succeeds, plans its memory and computes a pass.
    private func use(_ edited: EditedFile) throws {
        let compute = Compute(threads: 1)
        do throws(ModelError) {
            let model = try LanguageModel.load(try Self.encoded(edited))
            let context = model.configuration.contextLength
            let plan = try model.memoryPlan(contextSize: context, compute)
            #expect(plan.privateBytes > 0)
            _ = try model.largestContext(within: 1 << 30, compute)
            let state = try model.makeState(capacity: min(context, 300))
            var batch = Batch(of: .prompt)
            batch.append(tokens: [5, 6, 7].prefix(state.capacity), to: state, wantsLogits: true)
            try model.forward(batch, compute)
        } catch {
            #expect(error.isAboutTheFile, "\(error)")
        }
    }

    private static func encoded(_ edited: EditedFile) throws(ModelError) -> GGUFFile {
        do { return try edited.encoded() } catch { throw .contradiction("\(error)") }
    }

    @Test(
        "a file with one integer changed is refused or computes",
        arguments: [
            "lfm2-tied-f32", "llama-tied-f32", "qwen3-tied-f32", "gemma3-f32", "olmo3-f32", "phi4-long-f32",
            "mistral3-f32", "lfm2moe-f32", "qwen3moe-f32", "gpt-oss-f32", "qwen35-f32", "granitehybrid-f32",
        ], integers)
    func oneNumber(fixture: String, key: String) throws {
        let file = try GGUFFile(path: Fixture(name: fixture).path)
        let architecture = try file.metadata.string("general.architecture")
        for number in Self.numbers {
            var edited = EditedFile(file)
            edited.values["\(architecture).\(key)"] = .uint64(number)
            try use(edited)
        }
    }

    @Test(
        "a file with one fraction changed is refused or computes",
        arguments: [
            "llama-tied-f32", "llama-rope-yarn-f32", "granite-scales-f32", "gemma3-f32", "mistral3-f32", "lfm2moe-f32",
            "gpt-oss-f32",
        ],
        floats
    )
    func oneFraction(fixture: String, key: String) throws {
        let file = try GGUFFile(path: Fixture(name: fixture).path)
        let architecture = try file.metadata.string("general.architecture")
        for number in Self.fractions {
            var edited = EditedFile(file)
            edited.values["\(architecture).\(key)"] = .float32(number)
            try use(edited)
        }
    }

    @Test("a file with several integers changed is refused or computes", arguments: 1...6)
    func severalNumbers(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        for _ in 0..<60 {
            let name = ["lfm2", "llama", "qwen3"].randomElement(using: &random) ?? "lfm2"
            var edited = EditedFile(try GGUFFile(path: Fixture(name: "\(name)-tied-f32").path))
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                guard let key = Self.integers.randomElement(using: &random),
                    let number = Self.numbers.randomElement(using: &random)
                else { continue }
                edited.values["\(name).\(key)"] = .uint64(number)
            }
            try use(edited)
        }
    }

    @Test("heads of one element are refused, whether stated or derived")
    func headsOfOne() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-tied-f32").path)
        let width = try file.metadata.integer("llama.embedding_length")
        var keys = EditedFile(file)
        keys.values["llama.attention.key_length"] = .uint32(1)
        var heads = EditedFile(file)
        heads.values["llama.attention.head_count"] = .uint32(UInt32(width))
        heads.removed = ["llama.attention.key_length", "llama.attention.value_length", "llama.rope.dimension_count"]
        for (edited, text) in [
            (keys, "metadata key 'llama.attention.key_length' is 1"),
            (heads, "embedding_length \(width) divided by head_count \(width) gives a head size of 1"),
        ] {
            let error = #expect(throws: ModelError.self) { try LanguageModel.load(edited.encoded()) }
            #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        }
    }
}
