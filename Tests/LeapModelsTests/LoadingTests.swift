import Foundation
import LeapBlocks
import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Contradictory files are refused when they are loaded, with an error that names the contradiction.
@Suite struct LoadingTests {
    @Test("Every fixture loads, and its configuration matches its metadata", arguments: Fixture.all)
    func fixtures(fixture: Fixture) throws {
        let file = try GGUFFile(path: fixture.path)
        let configuration = try LanguageModel.load(file).configuration
        let name = try file.metadata.string("general.architecture")
        #expect(configuration.architecture == name)
        #expect(configuration.blockCount == (try file.metadata.integer("\(name).block_count", in: 1...100)))
        #expect(configuration.vocabularySize == file.tensor(named: "token_embd.weight")?.dimensions[1])
    }

    @Test("A norm with a value that is not finite is refused", arguments: [Float.nan, .infinity])
    func damagedNorm(_ value: Float) throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: Fixture(name: "llama-tied-f32").path)))
        let file = try GGUFFile(bytes: bytes, name: "model.gguf")
        let offset = try #require(file.tensor(named: "output_norm.weight")).fileOffset + 3 * 4
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
        let damaged = try GGUFFile(bytes: bytes, name: "model.gguf")
        #expect {
            try LanguageModel.load(damaged)
        } throws: { error in
            "\(error)"
                == "tensor 'output_norm.weight' has the value \(value) at index 3, but all values must be finite: "
                + "the file is damaged or was converted by a faulty tool. Download it again or convert the model again"
        }
    }

    @Test("The localised description of an error is its text")
    func localizedDescription() {
        let error = ModelError.missingTensor(name: "output.weight", architecture: "llama")
        #expect(error.errorDescription == error.description)
        #expect((error as any Error).localizedDescription == "\(error)")
    }

    @Test("Invalid batches are refused before a sequence changes")
    func refusedBatches() throws {
        let model = try TestModel(Fixture(name: "lfm2-tied-f32"))
        let state = try model.model.makeState(capacity: 3)
        func error(_ tokens: [Int32]) -> ModelError? {
            var batch = Batch(of: .prompt)
            batch.append(tokens: tokens, to: state, wantsLogits: true)
            do throws(ModelError) {
                try model.model.forward(batch, model.compute)
                return nil
            } catch { return error }
        }
        #expect(error([])?.description == "the batch has no rows")
        #expect(error([-1])?.description.hasPrefix("token -1 is not in the vocabulary, whose ids are 0 to") == true)
        #expect(error([Int32.max])?.description.hasPrefix("token 2147483647 is not in the vocabulary") == true)
        #expect(
            error([1, 2, 3, 4])?.description
                == "4 more tokens do not fit: the context holds 0 of at most 3 tokens")
        #expect(state.position == 0)
        #expect(error([1, 2, 3]) == nil)
        #expect(error([1])?.description == "1 more tokens do not fit: the context holds 3 of at most 3 tokens")
    }

    @Test("A capacity or context size outside the model's range is refused", arguments: [0, -1, Int.max, Int.min])
    func capacity(asked: Int) throws {
        let test = try TestModel(Fixture(name: "lfm2-tied-f32"))
        #expect(throws: ModelError.self) { _ = try test.model.makeState(capacity: asked) }
        #expect(throws: ModelError.self) { _ = try test.model.memoryPlan(contextSize: asked, test.compute) }
    }

    @Test("The memory plan grows with the context and counts every weight")
    func memoryPlan() throws {
        let test = try TestModel(Fixture(name: "lfm2-tied-f32"))
        let model = test.model
        let small = try model.memoryPlan(contextSize: 128, test.compute)
        let large = try model.memoryPlan(contextSize: 512, test.compute)
        #expect(small.weightBytes == model.file.tensors.reduce(0) { $0 + $1.byteCount })
        #expect(large.stateBytes > small.stateBytes && small.stateBytes > 0)
        #expect(small.privateBytes == small.stateBytes + small.scratchBytes)
    }
}

// MARK: - Contradictions

extension LoadingTests {
    /// A change to a valid file, and the text that the error must contain.
    struct Change: CustomStringConvertible, Sendable {
        let description: String
        let fixture: String
        let expected: String
        let apply: @Sendable (inout EditedFile) -> Void

        init(
            _ fixture: String, _ description: String, says expected: String,
            _ apply: @escaping @Sendable (inout EditedFile) -> Void
        ) {
            self.fixture = fixture
            self.description = "\(fixture): \(description)"
            self.expected = expected
            self.apply = apply
        }
    }

    static let lfm2 = "lfm2-tied-f32"
    static let llama = "llama-tied-f32"
    static let qwen3 = "qwen3-tied-f32"

    static let changes: [Change] = [
        Change(
            lfm2, "unknown architecture",
            says:
                "architecture 'mamba2' is not supported. Supported: gemma3, gpt-oss, granite, granitehybrid, granitemoe, lfm2, "
                + "lfm2moe, llama, mistral3, olmo2, phi3, qwen2, qwen3, qwen35, qwen35moe, qwen3moe, smollm3."
        ) {
            $0.values["general.architecture"] = .string("mamba2")
        },
        Change(lfm2, "no architecture", says: "general.architecture") { $0.removed.insert("general.architecture") },
        Change(lfm2, "a block count one too large", says: "has 4 entries for 5 blocks") {
            $0.add(1, to: "lfm2.block_count")
        },
        Change(llama, "a block count one too large", says: "is missing, which architecture 'llama' requires") {
            $0.add(1, to: "llama.block_count")
        },
        Change(llama, "a block count one too small", says: "tensor 'blk.1.") { $0.add(-1, to: "llama.block_count") },
        Change(lfm2, "no block count", says: "lfm2.block_count") { $0.removed.insert("lfm2.block_count") },
        Change(lfm2, "zero blocks", says: "lfm2.block_count") { $0.values["lfm2.block_count"] = .uint32(0) },
        Change(lfm2, "another filter length", says: "shortconv.conv.weight") {
            $0.values["lfm2.shortconv.l_cache"] = .uint32(4)
        },
        Change(lfm2, "heads that do not divide the width", says: "is not a multiple of head_count") {
            $0.values["lfm2.attention.head_count"] = .uint32(5)
            $0.removed.insert("lfm2.attention.key_length")
        },
        Change(llama, "key/value heads that do not divide the heads", says: "which must divide the") {
            $0.values["llama.attention.head_count_kv"] = .uint32(3)
        },
        Change(llama, "no key/value heads", says: "every layer of llama has attention") {
            $0.values["llama.attention.head_count_kv"] = .uint32(0)
        },
        Change(llama, "more key/value heads than heads", says: "llama.attention.head_count_kv") {
            $0.values["llama.attention.head_count_kv"] = .uint32(64)
        },
        Change(llama, "a wider feed-forward network", says: "blk.0.ffn_gate.weight") {
            $0.add(32, to: "llama.feed_forward_length")
        },
        Change(llama, "an odd number of rotated elements", says: "but must be even") {
            $0.values["llama.rope.dimension_count"] = .uint32(3)
        },
        Change(qwen3, "a sliding window", says: "qwen3.attention.sliding_window = 20 is not supported") {
            $0.values["qwen3.attention.sliding_window"] = .uint32(20)
        },
        Change(llama, "an attention scale", says: "llama.attention.scale = 0.5 is not supported") {
            $0.values["llama.attention.scale"] = .float32(0.5)
        },
        Change(llama, "a soft cap of attention scores", says: "llama.attn_logit_softcapping = 50.0 is not supported") {
            $0.values["llama.attn_logit_softcapping"] = .float32(50)
        },
        Change(
            llama, "no causal mask", says: "llama.attention.causal = false is not supported: bidirectional attention"
        ) {
            $0.values["llama.attention.causal"] = .bool(false)
        },
        Change("granite-scales-f32", "a negative scale", says: "granite.residual_scale is -1.0, but must be from") {
            $0.values["granite.residual_scale"] = .float32(-1)
        },
        Change("granite-scales-f32", "an infinite scale", says: "granite.logit_scale") {
            $0.values["granite.logit_scale"] = .float32(.infinity)
        },
        Change("gemma3-f32", "a RoPE base that is not a number", says: "gemma3.rope.freq_base_swa") {
            $0.values["gemma3.rope.freq_base_swa"] = .float32(.nan)
        },
        Change("gemma3-f32", "a RoPE base of 1", says: "gemma3.rope.freq_base_swa is 1.0, but must be greater than 1") {
            $0.values["gemma3.rope.freq_base_swa"] = .float32(1)
        },
        Change("gemma3-f32", "heads of two sizes", says: "gemma3.attention.key_length_swa = 32 is not supported") {
            $0.values["gemma3.attention.key_length_swa"] = .uint32(32)
        },
        Change("olmo3-f32", "a pattern for another number of layers", says: "pattern has 8 entries for 7 blocks") {
            $0.add(-1, to: "olmo2.block_count")
            for tail in [
                "attn_q", "attn_k", "attn_v", "attn_output", "attn_q_norm", "attn_k_norm", "post_attention_norm",
                "ffn_gate", "ffn_up", "ffn_down", "post_ffw_norm",
            ] { $0.removedTensors.insert("blk.7.\(tail).weight") }
        },
        Change("olmo3-f32", "no norm after a branch", says: "tensor 'blk.2.post_ffw_norm.weight' is missing") {
            $0.removedTensors.insert("blk.2.post_ffw_norm.weight")
        },
        Change("phi4-long-f32", "another number of heads", says: "tensor 'blk.0.attn_qkv.weight' has shape [32, 64]") {
            $0.values["phi3.attention.head_count_kv"] = .uint32(2)
        },
        Change("phi4-long-f32", "more rotated elements", says: "rope_factors_short.weight' has shape [6]") {
            $0.values["phi3.rope.dimension_count"] = .uint32(16)
        },
        Change(llama, "experts", says: "mixture of experts is not implemented") {
            $0.values["llama.expert_count"] = .uint32(8)
        },
        Change(llama, "an unknown RoPE scaling", says: "supported values are none, linear and yarn") {
            $0.values["llama.rope.scaling.type"] = .string("longrope")
        },
        Change(llama, "an epsilon that is not a number", says: "layer_norm_rms_epsilon") {
            $0.values["llama.attention.layer_norm_rms_epsilon"] = .float32(.nan)
        },
        Change(llama, "a mistyped width", says: "llama.embedding_length") {
            $0.values["llama.embedding_length"] = .string("64")
        },
        Change(llama, "an absurd width", says: "llama.embedding_length") {
            $0.values["llama.embedding_length"] = .uint64(1 << 40)
        },
        Change(llama, "a missing norm", says: "tensor 'output_norm.weight' is missing") {
            $0.removedTensors.insert("output_norm.weight")
        },
        Change(llama, "another model's tensors", says: "is missing, which architecture 'llama' requires") {
            for block in 0..<8 { $0.removedTensors.insert("blk.\(block).attn_q.weight") }
        },
        Change(
            llama, "norms of queries and keys",
            says: "architecture 'llama' does not use 'blk.0.attn_k_norm.weight' and 1 more tensors of the file"
        ) {
            $0.copies["blk.0.attn_k_norm.weight"] = "output_norm.weight"
            $0.copies["blk.0.attn_q_norm.weight"] = "output_norm.weight"
        },
        Change(qwen3, "RoPE frequency factors", says: "architecture 'qwen3' does not use 'rope_freqs.weight' of the") {
            $0.copies["rope_freqs.weight"] = "output_norm.weight"
        },
        Change(lfm2, "an output scale", says: "does not use 'output.scale'") {
            $0.copies["output.scale"] = "token_embd_norm.weight"
        },
        Change(qwen3, "no norm of the keys", says: "tensor 'blk.1.attn_k_norm.weight' is missing") {
            $0.removedTensors.insert("blk.1.attn_k_norm.weight")
        },
        Change(qwen3, "heads of another width", says: "attn_q_norm.weight' has shape [18]") {
            $0.values["qwen3.attention.key_length"] = .uint32(20)
            $0.values["qwen3.attention.value_length"] = .uint32(20)
        },
        Change(qwen3, "layers without attention", says: "every layer of qwen3 has attention") {
            $0.values["qwen3.attention.head_count_kv"] = .uint32(0)
        },
        Change(qwen3, "an embedding model", says: "qwen3.pooling_type = 3 is not supported") {
            $0.values["qwen3.pooling_type"] = .uint32(3)
        },
        Change(llama, "a vocabulary of another size", says: "tokens, but the embedding has") {
            $0.values["tokenizer.ggml.tokens"] = nil
            $0.strings["tokenizer.ggml.tokens"] = ["a", "b"]
        },
    ]

    @Test(
        "A contradictory file is refused, and the error names the contradiction",
        arguments: changes + expertChanges + deltaNetChanges + stateSpaceChanges)
    func contradictions(change: Change) throws {
        var edited = EditedFile(try GGUFFile(path: Fixture(name: change.fixture).path))
        change.apply(&edited)
        let file = try edited.encoded()
        let error = #expect(throws: ModelError.self) { _ = try LanguageModel.load(file) }
        let text = error?.description ?? ""
        #expect(text.contains(change.expected), "\(text)")
    }
}

extension ModelError {
    /// Whether it is a reason for which a changed file may be refused: a key, a tensor, or a size for which there is no
    /// memory. The others are about how a model is used.
    var isAboutTheFile: Bool {
        switch self {
        case .metadata, .unsupportedFeature, .contradiction, .missingTensor, .unusedTensors, .wrongShape,
            .unsupportedType, .unsupportedKeyValueTypes, .notFinite, .outOfMemory:
            true
        default: false
        }
    }
}

/// A model file with some parts changed.
struct EditedFile {
    private let original: GGUFFile
    var values: [String: GGUFValue] = [:]
    var strings: [String: [String]] = [:]
    var removed: Set<String> = []
    var removedTensors: Set<String> = []
    /// The names of additional tensors, each with the name of the tensor that it copies.
    var copies: [String: String] = [:]

    init(_ original: GGUFFile) { self.original = original }

    /// Adds to an integer.
    mutating func add(_ amount: Int, to key: String) {
        let value = (try? original.metadata.integer(key)) ?? 0
        values[key] = .uint32(UInt32(value + amount))
    }

    func encoded() throws -> GGUFFile {
        var writer = GGUFWriter()
        writer.add(contentsOf: original.metadata)
        for key in removed { writer.remove(key) }
        for (key, value) in values { writer.set(key, value) }
        for (key, texts) in strings { writer.set(key, strings: texts) }
        let kept = original.tensors.filter { !removedTensors.contains($0.name) }
        var copied: [(name: String, tensor: GGUFTensor)] = []
        for (name, source) in copies.sorted(by: <) {
            if let tensor = original.tensor(named: source) { copied.append((name, tensor)) }
        }
        for tensor in kept { try writer.addTensor(tensor) }
        for (name, tensor) in copied { try writer.addTensor(name, type: tensor.type, dimensions: tensor.dimensions) }
        let bytes = try writer.encoded { output in
            for tensor in kept + copied.map(\.tensor) { try output.append(tensor.bytes) }
        }
        return try GGUFFile(bytes: bytes, name: "edited")
    }
}
