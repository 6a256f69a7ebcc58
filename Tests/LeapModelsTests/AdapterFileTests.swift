import LeapBlocks
import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Adapters that contradict themselves or the model are refused with an error that names the cause.
@Suite("Adapter files")
struct AdapterFileTests {
    fileprivate static let base = "llama-tied-f32"

    @Test("an adapter's metadata and tensors are read")
    func read() throws {
        let file = try LoRAFile(GGUFFile(path: AdapterFixtures.path("all", of: "lfm2-tied-f32")))
        #expect(file.architecture == "lfm2")
        #expect(file.name == "lfm2-tied-f32.all")
        #expect(file.alpha == 5)
        #expect(file.changes.count == 2 * (3 + 2) + 2 * (3 + 4))
        let change = try #require(file.changes["blk.0.shortconv.in_proj.weight"])
        #expect(change.rank == 3)
        #expect(file.factor(of: change) == Float(5) / 3)
        let other = try LoRAFile(GGUFFile(path: AdapterFixtures.path("some", of: "lfm2-tied-f32")))
        #expect(try other.factor(of: #require(other.changes["blk.1.attn_q.weight"])) == 1)
    }

    @Test("a valid adapter is accepted", arguments: Draft.right)
    func right(draft: Draft) throws {
        try draft.load()
    }

    @Test("a contradictory adapter is refused, and the error names the contradiction", arguments: Draft.wrong)
    func wrong(draft: Draft, expected: String) {
        #expect {
            try draft.load()
        } throws: { error in
            guard error is ModelError else { return false }
            let text = "\(error)"
            return text.contains(expected)
        }
    }

    @Test("a model file is refused as an adapter")
    func model() throws {
        let file = try GGUFFile(path: Fixture(name: Self.base).path)
        #expect {
            try LoRAFile(file)
        } throws: { "\($0)".contains("general.type is 'model', but must be 'adapter'") }
    }

    @Test("an adapter is refused as a model")
    func noModel() throws {
        let file = try GGUFFile(path: AdapterFixtures.path("all", of: Self.base))
        for load in [{ _ = try LanguageModel.load(file) }, { _ = try Embedder(file) }] as [() throws -> Void] {
            #expect {
                try load()
            } throws: { "\($0)".hasPrefix("the file is a LoRA adapter, not a model") }
        }
    }

    @Test(
        "a scale that is not finite or overflows is refused",
        arguments: [
            (Float.nan, "must be a finite number"), (.infinity, "must be a finite number"),
            (.greatestFiniteMagnitude, "is not a finite number: use a smaller scale"),
        ])
    func scale(scale: Float, expected: String) throws {
        let file = try LoRAFile(GGUFFile(path: AdapterFixtures.path("all", of: Self.base)))
        #expect {
            try LanguageModel.load(
                GGUFFile(path: Fixture(name: Self.base).path), adapters: [Adapter(file, scale: scale)])
        } throws: { "\($0)".hasSuffix(expected) }
    }

    /// An adapter under construction: rank 2 on one projection unless changed.
    struct Draft: Sendable, CustomStringConvertible {
        var base = AdapterFileTests.base
        var values: [String: GGUFValue] = [
            "general.type": .string("adapter"), "general.architecture": .string("llama"),
            "adapter.type": .string("lora"), "adapter.lora.alpha": .float32(4),
        ]
        var tensors: [(name: String, type: GGMLType, dimensions: [Int])] = [
            ("blk.0.attn_q.weight.lora_a", .F32, [44, 2]), ("blk.0.attn_q.weight.lora_b", .F32, [2, 56]),
        ]

        var description: String { "\(tensors.map(\.name)) \(values.keys.sorted())" }

        func load() throws {
            var writer = GGUFWriter()
            for (key, value) in values { writer.set(key, value) }
            for tensor in tensors {
                try writer.addTensor(tensor.name, type: tensor.type, dimensions: tensor.dimensions)
            }
            let bytes = try writer.encoded { output in
                for tensor in tensors {
                    let elements = tensor.dimensions.reduce(1, *)
                    try output.append([UInt8](repeating: 0, count: tensor.type.byteCount(elements: elements) ?? 0))
                }
            }
            let adapter = try LoRAFile(GGUFFile(bytes: bytes, name: "draft"))
            _ = try LanguageModel.load(
                GGUFFile(path: Fixture(name: base).path), adapters: [Adapter(adapter)])
        }

        private static func with(_ change: (inout Draft) -> Void) -> Draft {
            var draft = Draft()
            change(&draft)
            return draft
        }

        private static func with(_ name: String, _ a: [Int], _ b: [Int]) -> Draft {
            with { $0.tensors = [("\(name).lora_a", .F32, a), ("\(name).lora_b", .F32, b)] }
        }

        private static func withExperts(_ name: String, _ a: [Int], _ b: [Int]) -> Draft {
            var draft = with("blk.2.\(name).weight", a, b)
            draft.base = "lfm2moe-f32"
            draft.values["general.architecture"] = .string("lfm2moe")
            return draft
        }

        static let right: [Draft] = [
            Draft(), with("token_embd.weight", [2, 387], [2, 44]), with("output.weight", [44, 2], [2, 387]),
            withExperts("ffn_gate_exps", [28, 2, 5], [2, 22, 5]),
            withExperts("ffn_down_exps", [22, 1, 5], [1, 28, 5]),
            withExperts("ffn_gate_inp", [28, 2], [2, 5]),
        ]

        static let wrong: [(Draft, String)] = [
            (with { $0.values["general.type"] = nil }, "general.type is missing, but must be 'adapter'"),
            (with { $0.values["general.type"] = .uint32(1) }, "general.type"),
            (with { $0.values["adapter.type"] = nil }, "adapter.type"),
            (with { $0.values["adapter.type"] = .string("control_vector") }, "adapter.type is 'control_vector'"),
            (with { $0.values["general.architecture"] = nil }, "general.architecture"),
            (
                with { $0.values["general.architecture"] = .string("qwen3") },
                "trained for a model of architecture 'qwen3', but this model's architecture is 'llama'"
            ),
            (with { $0.values["adapter.lora.alpha"] = .float32(.nan) }, "adapter.lora.alpha is nan"),
            (with { $0.values["adapter.lora.alpha"] = .string("4") }, "adapter.lora.alpha"),
            (
                with { $0.values["adapter.alora.invocation_tokens"] = .uint32(1) },
                "adapter.alora.invocation_tokens is not supported"
            ),
            (with { $0.tensors = [] }, "it contains no tensors"),
            (with { $0.tensors.removeLast() }, "has no matching 'blk.0.attn_q.weight.lora_b'"),
            (with { $0.tensors.removeFirst() }, "has no matching 'blk.0.attn_q.weight.lora_a'"),
            (with { $0.tensors.append(("blk.0.attn_norm.weight", .F32, [44])) }, "neither lora_a nor lora_b"),
            (with("blk.0.attn_q", [44, 2], [2, 56]), "neither lora_a nor lora_b"),
            (with("blk.9.attn_q.weight", [44, 2], [2, 56]), "does not match any tensor of the model"),
            (with("token_embd.weight", [44, 2], [2, 387]), "must have 44 inputs, as many as"),
            (with("token_embd.weight", [2, 386], [2, 44]), "has shape [2, 386], but must have [2, 387]"),
            (with("token_embd.weight", [2, 387], [2, 43]), "has shape [2, 43], but must have [2, 44]"),
            (with("token_embd.weight", [2, 387, 2], [2, 44, 2]), "has shape [2, 387, 2], but must have [2, 387]"),
            (with("output.weight", [2, 387], [2, 44]), "must have 387 inputs, as many as"),
            (with("blk.0.attn_norm.weight", [44, 2], [2, 1]), "targets a tensor that adapters cannot change"),
            (with("blk.0.attn_q.weight", [43, 2], [2, 56]), "has shape [43, 2], but must have [44, 2]"),
            (with("blk.0.attn_q.weight", [44, 2], [2, 55]), "has shape [2, 55], but must have [2, 56]"),
            (with("blk.0.attn_q.weight", [44, 3], [2, 56]), "but must have 3 inputs"),
            (with("blk.0.ffn_gate_exps.weight", [44, 2, 4], [2, 70, 4]), "does not match any tensor of the model"),
            (with("blk.0.attn_q.weight", [44, 2, 2], [2, 56, 2]), "has shape [44, 2, 2], but must have [44, 2]"),
            (with("blk.0.attn_q.weight", [44, 2, 1, 2], [2, 56]), "must have two dimensions, or three for experts"),
            (withExperts("ffn_gate_exps", [28, 2], [2, 22, 5]), "has shape [28, 2], but must have [28, 2, 5]"),
            (withExperts("ffn_gate_exps", [28, 2, 4], [2, 22, 4]), "has shape [28, 2, 4], but must have [28, 2, 5]"),
            (withExperts("ffn_gate_exps", [28, 2, 5], [2, 22]), "has shape [2, 22], but must have [2, 22, 5]"),
            (withExperts("ffn_down_exps", [28, 2, 5], [2, 22, 5]), "has shape [28, 2, 5], but must have [22, 2, 5]"),
            (withExperts("ffn_gate_inp", [28, 2, 5], [2, 5, 5]), "has shape [28, 2, 5], but must have [28, 2]"),
            (withExperts("exp_probs_b", [5, 2], [2, 1]), "does not match any tensor of the model"),
            (
                with {
                    $0.tensors[0].type = .Q4_0; $0.tensors[0].dimensions = [64, 2]
                },
                "Supported: F32, F16, BF16, Q8_0"
            ),
        ]
    }
}
