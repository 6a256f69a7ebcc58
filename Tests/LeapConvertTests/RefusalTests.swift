import Foundation
import LeapConvert
import LeapJSON
import OrderedCollections
import Testing
import _LeapTestSupport

@Suite("Folders that cannot be converted")
struct RefusalTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private struct Change: Sendable {
        let model: String
        let file: String
        let key: String
        let value: JSONValue
        let message: String
    }

    private static let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n"

    @Test(
        "What Git LFS left in a file's place is told",
        arguments: ["model.safetensors", "tokenizer.json", "config.json"])
    func pointer(name: String) throws {
        let fixture = try #require(FolderFixture.all.first { $0.name == "llama" })
        let path = try fixture.assemble(in: temporary)
        try Data(Self.pointer.utf8).write(to: URL(filePath: path).appending(path: name))
        let error = #expect(throws: ConversionError.self) { try ModelConversion(ModelFolder(path: path)) }
        #expect(
            error?.description.contains("/\(name) is a Git LFS pointer") == true, "\(error.map(\.description) ?? "")")
    }

    @Test("Weights in another format are told", arguments: ["pytorch_model.bin", "consolidated.00.pth"])
    func otherFormats(name: String) throws {
        let fixture = try #require(FolderFixture.all.first { $0.name == "llama" })
        let folder = URL(filePath: try fixture.assemble(in: temporary))
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.contains(".safetensors")
        {
            try FileManager.default.removeItem(at: folder.appending(path: file))
        }
        try Data([0]).write(to: folder.appending(path: name))
        let error = #expect(throws: ConversionError.self) { try ModelConversion(ModelFolder(path: folder.path)) }
        #expect(error?.description.contains("\(name): weights are read from safetensors files only") == true)
    }

    private static let changes: [Change] = [
        Change(
            model: "llama", file: "config.json", key: "architectures", value: ["MambaForCausalLM"],
            message: "models of class MambaForCausalLM cannot be converted; supported are"),
        Change(
            model: "llama", file: "config.json", key: "quantization_config", value: ["quant_method": "fp8"],
            message: "only weights that are plain numbers can be converted"),
        Change(
            model: "llama", file: "config.json", key: "hidden_act", value: "relu",
            message: "the engine computes silu or swish for this architecture"),
        Change(
            model: "llama", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "dynamic", "rope_theta": 1e4],
            message: "'rope_type' is dynamic"),
        Change(
            model: "llama", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "longrope", "rope_theta": 1e4, "factor": 4.0],
            message: "only Phi 3 has it"),
        Change(
            model: "llama", file: "config.json", key: "head_dim", value: 268_435_456,
            message: "'head_dim' is 268435456: expected a whole number"),
        Change(
            model: "llama-f16", file: "config.json", key: "num_hidden_layers", value: 3,
            message: "no tensor 'model.layers.2'"),
        Change(
            model: "llama-f16", file: "config.json", key: "num_hidden_layers", value: 1,
            message: "is of layer 1, but the model has 1"),
        Change(
            model: "llama", file: "config.json", key: "num_hidden_layers", value: -1,
            message: "'num_hidden_layers' is -1: expected a whole number"),
        Change(
            model: "llama", file: "config.json", key: "vocab_size", value: 5, message: "has only 5 rows for them"),
        Change(
            model: "qwen3moe", file: "config.json", key: "num_local_experts", value: 5,
            message: "5 experts, of which 4 are there"),
        Change(
            model: "qwen3moe", file: "config.json", key: "norm_topk_prob", value: false,
            message: "weights of experts must add up to 1"),
        Change(
            model: "smollm3", file: "config.json", key: "no_rope_layers", value: [1, 0, 1, 0],
            message: "only every fourth layer can do without rotation"),
        Change(
            model: "llama", file: "tokenizer.json", key: "pre_tokenizer",
            value: ["type": "Split", "pattern": ["Regex": "a+"], "behavior": "Isolated", "invert": false],
            message: "cuts texts by a rule that is not known: split a+"),
        Change(
            model: "llama", file: "tokenizer.json", key: "added_tokens",
            value: [["id": 9, "content": "<q>", "special": false, "single_word": true]],
            message: "'<q>' is found only as a word by itself ('single_word')"),
        Change(
            model: "llama", file: "tokenizer.json", key: "model", value: ["type": "Unigram", "vocab": []],
            message: "is of type Unigram"),
        Change(
            model: "qwen35", file: "config.json", key: "linear_value_head_dim", value: 8,
            message: "heads of values must be as long as those of keys, which have 4"),
        Change(
            model: "qwen35", file: "config.json", key: "linear_num_value_heads", value: 7,
            message: "must be a multiple of 'linear_num_key_heads', 2"),
        Change(
            model: "qwen35", file: "config.json", key: "attn_output_gate", value: false,
            message: "attention without gates is not implemented"),
        Change(
            model: "qwen35", file: "config.json", key: "layer_types", value: ["linear_attention", "conv"],
            message: "must be 2 times 'linear_attention' or 'full_attention'"),
        Change(
            model: "granitehybrid", file: "config.json", key: "mamba_proj_bias", value: true,
            message: "projections of state spaces have no biases"),
        Change(
            model: "granitehybrid", file: "config.json", key: "mamba_n_heads", value: 5,
            message: "have not the width 32"),
        Change(
            model: "granitehybrid", file: "config.json", key: "time_step_limit", value: [0.0, 1.0],
            message: "time steps are not bounded"),
        Change(
            model: "granitehybrid", file: "config.json", key: "position_embedding_type", value: "alibi",
            message: "only rope and nope are implemented"),
        Change(
            model: "gpt-oss", file: "config.json", key: "swiglu_limit", value: 5.0,
            message: "only the bound 7 is implemented"),
        Change(
            model: "gpt-oss", file: "config.json", key: "layer_types", value: ["full_attention", "full_attention"],
            message: "windows must be in every other layer"),
        Change(
            model: "gpt-oss", file: "config.json", key: "rope_parameters",
            value: [
                "rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 24,
                "truncate": true,
            ], message: "ramp are not rounded"),
        Change(
            model: "gpt-oss", file: "config.json", key: "quantization_config", value: ["quant_method": "fp8"],
            message: "only weights that are plain numbers can be converted"),
        Change(
            model: "nomic-bert", file: "config.json", key: "activation_function", value: "gelu",
            message: "only \"swiglu\" is implemented"),
        Change(
            model: "nomic-bert", file: "config.json", key: "moe_every_n_layers", value: 2,
            message: "experts are not implemented"),
        Change(
            model: "modern-bert", file: "config.json", key: "norm_bias", value: true,
            message: "biases are not implemented"),
        Change(
            model: "modern-bert", file: "config.json", key: "hidden_activation", value: "relu",
            message: "the engine computes gelu or silu for this architecture"),
        Change(
            model: "gemma-embedding", file: "config.json", key: "use_bidirectional_attention", value: false,
            message: "models of this class must look ahead"),
        Change(
            model: "gemma-embedding", file: "config.json", key: "query_pre_attn_scalar", value: 256,
            message: "scores are divided by the root of a head's length, 4"),
        Change(
            model: "gemma3", file: "config.json", key: "query_pre_attn_scalar", value: 256,
            message: "'query_pre_attn_scalar' is 256: scores are divided by the root of a head's length, 6"),
        Change(
            model: "gemma3", file: "config.json", key: "query_pre_attn_scalar", value: .null,
            message: "scores are divided by the root of a head's length, 6"),
        Change(
            model: "gemma3", file: "config.json", key: "num_hidden_layers", value: 62,
            message: "scores are divided by the root of the model's width over its heads, as there are 62 layers, 2"),
        Change(
            model: "gemma-embedding", file: "2_Dense/config.json", key: "activation_function",
            value: "torch.nn.modules.activation.Tanh", message: "nothing but a matrix can stand behind pooling"),
        Change(
            model: "lfm2", file: "config.json", key: "block_ffn_dim_multiplier", value: 1e30,
            message: "expected a number from 0 to 1024"),
        Change(
            model: "phi3", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 1e30],
            message: "expected a number from 0 to 1"),
        Change(
            model: "qwen2", file: "tokenizer.json", key: "normalizer",
            value: ["type": "Sequence", "normalizers": [["type": "NFC"], ["type": "Lowercase"]]],
            message: "changes texts by a step that GGUF files cannot say: Lowercase"),
        Change(
            model: "modern-bert", file: "tokenizer.json", key: "pre_tokenizer",
            value: ["type": "ByteLevel", "add_prefix_space": true, "use_regex": true],
            message: "a step that GGUF files cannot say: ByteLevel, add_prefix_space true"),
        Change(
            model: "bert", file: "tokenizer.json", key: "normalizer",
            value: ["type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": false],
            message: "GGUF files cannot say: BertNormalizer, clean_text true, handle_chinese_chars false"),
        Change(
            model: "bert", file: "tokenizer.json", key: "normalizer",
            value: ["type": "Sequence", "normalizers": [["type": "NFKC"], ["type": "BertNormalizer"]]],
            message: "GGUF files cannot say: NFKC"),
        Change(
            model: "bert", file: "tokenizer.json", key: "normalizer", value: .null,
            message: "needs BertNormalizer and BertPreTokenizer"),
        Change(
            model: "bert", file: "tokenizer.json", key: "pre_tokenizer", value: ["type": "WhitespaceSplit"],
            message: "GGUF files cannot say: WhitespaceSplit"),
        Change(
            model: "llama", file: "tokenizer.json", key: "post_processor",
            value: [
                "type": "TemplateProcessing",
                "single": [["SpecialToken": ["id": "<|end|>"]], ["Sequence": ["id": "A"]]],
            ], message: "puts '<|end|>' before every text, but 'bos_token' is '<|begin|>'"),
        Change(
            model: "llama", file: "tokenizer.json", key: "post_processor",
            value: [
                "type": "TemplateProcessing",
                "single": [
                    ["SpecialToken": ["id": "<|begin|>"]], ["SpecialToken": ["id": "<|begin|>"]],
                    ["Sequence": ["id": "A"]],
                ],
            ], message: "puts more than one token before or behind every text"),
        Change(
            model: "qwen3-reranker", file: "tokenizer.json", key: "added_tokens", value: [],
            message: "has no token 'yes'"),
    ]

    @Test("What would be computed wrongly is refused by name", arguments: changes.indices)
    func refused(index: Int) throws {
        let change = Self.changes[index]
        let path = try FolderFixture(name: change.model).assemble(in: temporary)
        try FolderFixture.edit(path, change.file) { $0[change.key] = change.value }
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains(change.message) ?? false, "\(error?.description ?? "")")
    }

    @Test(
        "A folder without a file that it needs is refused",
        arguments: ["config.json", "model.safetensors", "tokenizer.json"])
    func missing(name: String) throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        try FileManager.default.removeItem(atPath: path + "/" + name)
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains(name) ?? false, "\(error?.description ?? "")")
    }

    @Test(
        "An index that leads out of the folder is refused",
        arguments: ["../model.safetensors", "/etc/passwd", "..", ""])
    func index(part: String) throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        let index: JSONValue = ["weight_map": ["model.norm.weight": .string(part)]]
        try Data(index.text().utf8).write(to: URL(filePath: path + "/model.safetensors.index.json"))
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains("no name of a file in the same folder") ?? false)
    }

    @Test("A model in several files is the same as in one")
    func parts() throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        let whole = try ModelConversion(ModelFolder(path: path)).tensors.map(\.name)
        let index: JSONValue = ["weight_map": .object([:])]
        #expect(index["weight_map"] != nil)
        var members = JSONValue.object([:])
        for tensor in try SafetensorsFile(path: path + "/model.safetensors").tensors {
            var object = members.object ?? [:]
            object[tensor.name] = "model.safetensors"
            members = .object(object)
        }
        let document: JSONValue = ["weight_map": members]
        try Data(document.text().utf8).write(to: URL(filePath: path + "/model.safetensors.index.json"))
        #expect(try ModelConversion(ModelFolder(path: path)).tensors.map(\.name) == whole)
    }
}
