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
            model: "llama", file: "tokenizer.json", key: "model", value: ["type": "Unigram", "vocab": []],
            message: "is of type Unigram"),
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
