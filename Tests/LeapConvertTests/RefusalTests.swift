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
        "A Git LFS pointer in place of a file is reported",
        arguments: ["model.safetensors", "tokenizer.json", "config.json"])
    func pointer(name: String) throws {
        let fixture = try #require(FolderFixture.all.first { $0.name == "llama" })
        let path = try fixture.assemble(in: temporary)
        try Data(Self.pointer.utf8).write(to: URL(filePath: path).appending(path: name))
        let error = #expect(throws: ConversionError.self) { try ModelConversion(ModelFolder(path: path)) }
        #expect(
            error?.description.contains("/\(name) is a Git LFS pointer") == true, "\(error.map(\.description) ?? "")")
    }

    @Test("Weights in another format are reported", arguments: ["pytorch_model.bin", "consolidated.00.pth"])
    func otherFormats(name: String) throws {
        let fixture = try #require(FolderFixture.all.first { $0.name == "llama" })
        let folder = URL(filePath: try fixture.assemble(in: temporary))
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.contains(".safetensors")
        {
            try FileManager.default.removeItem(at: folder.appending(path: file))
        }
        try Data([0]).write(to: folder.appending(path: name))
        let error = #expect(throws: ConversionError.self) { try ModelConversion(ModelFolder(path: folder.path)) }
        #expect(error?.description.contains("\(name): only safetensors files are supported") == true)
    }

    private static let changes: [Change] = [
        Change(
            model: "llama", file: "config.json", key: "architectures", value: ["MambaForCausalLM"],
            message: "models of class MambaForCausalLM cannot be converted; supported classes are"),
        Change(
            model: "llama", file: "config.json", key: "quantization_config", value: ["quant_method": "fp8"],
            message: "this quantisation cannot be converted"),
        Change(
            model: "llama", file: "config.json", key: "hidden_act", value: "relu",
            message: "only silu or swish is supported for this architecture"),
        Change(
            model: "llama", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "dynamic", "rope_theta": 1e4],
            message: "'rope_type' is dynamic"),
        Change(
            model: "llama", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "longrope", "rope_theta": 1e4, "factor": 4.0],
            message: "'rope_type' is longrope: for this architecture, only these are supported: default, linear, llama3"
        ),
        Change(
            model: "qwen2", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0],
            message: "'rope_type' is llama3: for this architecture, only these are supported: default, linear, yarn"),
        Change(
            model: "modern-bert", file: "config.json", key: "rope_parameters",
            value: ["full_attention": ["rope_type": "linear", "rope_theta": 1e4, "factor": 4.0]],
            message: "'rope_type' is linear: for this architecture, only these are supported: default"),
        Change(
            model: "gemma3", file: "config.json", key: "rope_parameters",
            value: ["rope_type": "linear", "rope_theta": 1e4, "factor": 4.0],
            message: "must have parameters for each kind of layers, 'full_attention' and 'sliding_attention'"),
        Change(
            model: "bert", file: "config.json", key: "is_decoder", value: true,
            message: "causal attention is not supported for this architecture"),
        Change(
            model: "smollm3", file: "config.json", key: "layer_types",
            value: ["full_attention", "sliding_attention", "full_attention", "full_attention"],
            message: "sliding windows are not supported for this architecture"),
        Change(
            model: "granite", file: "config.json", key: "attention_multiplier", value: 0.0,
            message: "a factor of 0 is not supported"),
        Change(
            model: "gemma3", file: "config.json", key: "rope_parameters",
            value: ["sliding_attention": ["rope_type": "linear", "rope_theta": 1e4, "factor": 4.0]],
            message: "'rope_parameters.sliding_attention' is linear: RoPE scaling in layers with a sliding window"),
        Change(
            model: "llama", file: "config.json", key: "rope_parameters",
            value: [
                "rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 24,
                "truncate": false,
            ], message: "'rope_parameters.truncate' is false: a YaRN ramp whose ends are not rounded is not supported"),
        Change(
            model: "llama", file: "config.json", key: "head_dim", value: 268_435_456,
            message: "'head_dim' is 268435456: expected an integer"),
        Change(
            model: "llama-f16", file: "config.json", key: "num_hidden_layers", value: 3,
            message: "no tensor 'model.layers.2'"),
        Change(
            model: "llama-f16", file: "config.json", key: "num_hidden_layers", value: 1,
            message: "belongs to layer 1, but the model has only 1 layers"),
        Change(
            model: "llama", file: "config.json", key: "num_hidden_layers", value: -1,
            message: "'num_hidden_layers' is -1: expected an integer"),
        Change(
            model: "llama", file: "config.json", key: "vocab_size", value: 5, message: "has only 5 embedding rows"),
        Change(
            model: "qwen3moe", file: "config.json", key: "num_local_experts", value: 5,
            message: "5 experts, of which 4 were found"),
        Change(
            model: "qwen3moe", file: "config.json", key: "norm_topk_prob", value: false,
            message: "expert weights must be normalised to a sum of 1"),
        Change(
            model: "smollm3", file: "config.json", key: "no_rope_layers", value: [1, 0, 1, 0],
            message: "only every fourth layer may lack RoPE"),
        Change(
            model: "llama", file: "tokenizer.json", key: "pre_tokenizer",
            value: ["type": "Split", "pattern": ["Regex": "a+"], "behavior": "Isolated", "invert": false],
            message: "has an unsupported pre-tokenizer: split a+"),
        Change(
            model: "llama", file: "tokenizer.json", key: "added_tokens",
            value: [["id": 9, "content": "<q>", "special": false, "single_word": true]],
            message: "'<q>' matches only as a separate word ('single_word')"),
        Change(
            model: "llama", file: "tokenizer.json", key: "added_tokens",
            value: [["id": .integer(.max), "content": "<q>", "special": false]],
            message: "the id of '<q>' is 9223372036854775807: expected a number from 0 to 16777215"),
        Change(
            model: "llama", file: "tokenizer_config.json", key: "added_tokens_decoder",
            value: ["9223372036854775807": ["content": "<q>", "special": false]],
            message: "the id of '<q>' is 9223372036854775807"),
        Change(
            model: "llama", file: "tokenizer.json", key: "model",
            value: ["type": "BPE", "vocab": ["a": .integer(.max)], "merges": []],
            message: "the id of 'a' is 9223372036854775807"),
        Change(
            model: "bert", file: "tokenizer.json", key: "model",
            value: ["type": "WordPiece", "vocab": ["a": .integer(.max)]],
            message: "the id of 'a' is 9223372036854775807"),
        Change(
            model: "llama", file: "tokenizer.json", key: "model", value: ["type": "Unigram", "vocab": []],
            message: "is of type Unigram"),
        Change(
            model: "qwen35", file: "config.json", key: "linear_value_head_dim", value: 8,
            message: "value heads must have the same size as key heads, 4"),
        Change(
            model: "qwen35", file: "config.json", key: "linear_num_value_heads", value: 7,
            message: "must be a multiple of 'linear_num_key_heads', 2"),
        Change(
            model: "qwen35", file: "config.json", key: "attn_output_gate", value: false,
            message: "attention without output gates is not supported"),
        Change(
            model: "qwen35", file: "config.json", key: "layer_types", value: ["linear_attention", "conv"],
            message: "must have 2 entries, each 'linear_attention' or 'full_attention'"),
        Change(
            model: "granitehybrid", file: "config.json", key: "mamba_proj_bias", value: true,
            message: "biases in state-space projections are not supported"),
        Change(
            model: "granitehybrid", file: "config.json", key: "mamba_n_heads", value: 5,
            message: "do not add up to the width 32"),
        Change(
            model: "granitehybrid", file: "config.json", key: "time_step_limit", value: [0.0, 1.0],
            message: "limits on time steps are not supported"),
        Change(
            model: "granitehybrid", file: "config.json", key: "position_embedding_type", value: "alibi",
            message: "only rope and nope are supported"),
        Change(
            model: "gpt-oss", file: "config.json", key: "swiglu_limit", value: 5.0,
            message: "only 7 is supported"),
        Change(
            model: "gpt-oss", file: "config.json", key: "layer_types", value: ["full_attention", "full_attention"],
            message: "every other layer, starting with the first, must use a sliding window"),
        Change(
            model: "gpt-oss", file: "config.json", key: "rope_parameters",
            value: [
                "rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 24,
                "truncate": true,
            ], message: "rounding the ends of the YaRN ramp is not supported"),
        Change(
            model: "gpt-oss", file: "config.json", key: "quantization_config", value: ["quant_method": "fp8"],
            message: "this quantisation cannot be converted"),
        Change(
            model: "nomic-bert", file: "config.json", key: "activation_function", value: "gelu",
            message: "only \"swiglu\" is supported"),
        Change(
            model: "nomic-bert", file: "config.json", key: "moe_every_n_layers", value: 2,
            message: "mixture of experts is not supported"),
        Change(
            model: "modern-bert", file: "config.json", key: "norm_bias", value: true,
            message: "biases are not supported"),
        Change(
            model: "modern-bert", file: "config.json", key: "hidden_activation", value: "relu",
            message: "only gelu or silu is supported for this architecture"),
        Change(
            model: "gemma3", file: "config.json", key: "use_bidirectional_attention", value: true,
            message: "only embedding models, of class Gemma3TextModel, can have bidirectional attention"),
        Change(
            model: "nomic-bert", file: "1_Pooling/config.json", key: "pooling_mode_cls_token", value: true,
            message: "has pooling by cls_token and mean_tokens, but only one of mean, cls and lasttoken"),
        Change(
            model: "nomic-bert", file: "1_Pooling/config.json", key: "pooling_mode", value: "weightedmean",
            message: "has pooling by weightedmean, but only one of mean, cls and lasttoken"),
        Change(
            model: "gemma-embedding", file: "config.json", key: "use_bidirectional_attention", value: false,
            message: "models of this class need bidirectional attention"),
        Change(
            model: "gemma-embedding", file: "config.json", key: "query_pre_attn_scalar", value: 256,
            message: "must be the head size, 4"),
        Change(
            model: "gemma3", file: "config.json", key: "query_pre_attn_scalar", value: 256,
            message: "'query_pre_attn_scalar' is 256: must be the head size, 6"),
        Change(
            model: "gemma3", file: "config.json", key: "query_pre_attn_scalar", value: .null,
            message: "must be the head size, 6"),
        Change(
            model: "gemma3", file: "config.json", key: "num_hidden_layers", value: 62,
            message: "must be the width divided by the number of heads, because there are 62 layers, 2"),
        Change(
            model: "gemma-embedding", file: "2_Dense/config.json", key: "activation_function",
            value: "torch.nn.modules.activation.Tanh",
            message: "dense modules after pooling cannot have an activation function"),
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
            message: "has a normalizer or pre-tokenizer step that GGUF files cannot express: Lowercase"),
        Change(
            model: "modern-bert", file: "tokenizer.json", key: "pre_tokenizer",
            value: ["type": "ByteLevel", "add_prefix_space": true, "use_regex": true],
            message: "pre-tokenizer step that GGUF files cannot express: ByteLevel, add_prefix_space true"),
        Change(
            model: "bert", file: "tokenizer.json", key: "normalizer",
            value: ["type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": false],
            message: "GGUF files cannot express: BertNormalizer, clean_text true, handle_chinese_chars false"),
        Change(
            model: "bert", file: "tokenizer.json", key: "normalizer",
            value: ["type": "Sequence", "normalizers": [["type": "NFKC"], ["type": "BertNormalizer"]]],
            message: "GGUF files cannot express: NFKC"),
        Change(
            model: "bert", file: "tokenizer.json", key: "normalizer", value: .null,
            message: "needs BertNormalizer and BertPreTokenizer"),
        Change(
            model: "bert", file: "tokenizer.json", key: "pre_tokenizer", value: ["type": "WhitespaceSplit"],
            message: "GGUF files cannot express: WhitespaceSplit"),
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
            ], message: "puts more than one token before or after every text"),
        Change(
            model: "qwen3-reranker", file: "tokenizer.json", key: "added_tokens", value: [],
            message: "has no token 'yes'"),
    ]

    @Test("Unsupported configurations are refused, and the error names the cause", arguments: changes.indices)
    func refused(index: Int) throws {
        let change = Self.changes[index]
        let path = try FolderFixture(name: change.model).assemble(in: temporary)
        try FolderFixture.edit(path, change.file) { $0[change.key] = change.value }
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains(change.message) ?? false, "\(error?.description ?? "")")
    }

    @Test(
        "Modules that would change vectors are refused",
        arguments: ["LayerNorm", "CNN", "WeightedLayerPooling"].map { "sentence_transformers.models.\($0)" })
    func modules(type: String) throws {
        let path = try FolderFixture(name: "nomic-bert").assemble(in: temporary)
        let url = URL(filePath: path).appending(path: "modules.json")
        let others = try JSONValue(parsing: Data(contentsOf: url)).array ?? []
        func add(_ type: String) throws {
            let module: JSONValue = ["idx": 2, "name": "2", "path": "2_Module", "type": .string(type)]
            try Data(JSONValue.array(others + [module]).text().utf8).write(to: url)
        }
        try add("sentence_transformers.base.modules.normalize.Normalize")
        _ = try ModelConversion(ModelFolder(path: path))
        try add(type)
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(
            error?.description.contains("'type' is \(type): modules of this kind cannot be converted") ?? false,
            "\(error?.description ?? "")")
    }

    @Test(
        "A folder without a required file is refused",
        arguments: ["config.json", "model.safetensors", "tokenizer.json"])
    func missing(name: String) throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        try FileManager.default.removeItem(atPath: path + "/" + name)
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains(name) ?? false, "\(error?.description ?? "")")
    }

    @Test(
        "An index with a path outside the folder is refused",
        arguments: ["../model.safetensors", "/etc/passwd", "..", ""])
    func index(part: String) throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        try FileManager.default.removeItem(atPath: path + "/model.safetensors")
        let index: JSONValue = ["weight_map": ["model.norm.weight": .string(part)]]
        try Data(index.text().utf8).write(to: URL(filePath: path + "/model.safetensors.index.json"))
        let error = #expect(throws: ConversionError.self) { _ = try ModelConversion(ModelFolder(path: path)) }
        #expect(error?.description.contains("does not name a file in the same folder") ?? false)
    }

    @Test("A folder in place of a file of weights is refused as what it is")
    func folderOfWeights() throws {
        let path = try FolderFixture(name: "llama").assemble(in: temporary)
        let weights = path + "/model.safetensors"
        try FileManager.default.removeItem(atPath: weights)
        try FileManager.default.createDirectory(atPath: weights, withIntermediateDirectories: false)
        let error = #expect(throws: (any Error).self) { _ = try ModelConversion(ModelFolder(path: path)) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasSuffix(": expected a regular file, found a folder. Check the path."), "\(text)")
    }

    @Test("Control characters of names are escaped in errors")
    func controlCharacters() {
        let error = ConversionError.tensor(name: "a\u{1B}[2J\nb", problem: "is unknown")
        #expect(error.description == #"tensor 'a\u{1B}[2J\nb' is unknown"#)
    }
}
