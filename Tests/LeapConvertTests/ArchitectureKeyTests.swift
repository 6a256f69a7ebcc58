import Foundation
import LeapGGUF
import LeapJSON
import LeapModels
import OrderedCollections
import Testing
import _LeapTestSupport

@testable import LeapConvert

/// Expectations follow the classes of `transformers`.
@Suite("What becomes of the settings in config.json")
struct ArchitectureKeyTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    /// Rounding of a quotient of two sums in single precision.
    private static let tolerance: Float = 1e-6

    private static let llama3: JSONValue = [
        "rope_type": "llama3", "rope_theta": 1e4, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 24,
    ]

    /// A fixture's folder with another configuration.
    private func folder(_ model: String, _ change: (inout [String: JSONValue]) -> Void) throws -> String {
        try? FileManager.default.removeItem(atPath: temporary.path(model))
        let path = try FolderFixture(name: model).assemble(in: temporary)
        try FolderFixture.edit(path, "config.json", change)
        return path
    }

    private func converted(_ path: String) throws -> GGUFFile {
        let output = temporary.path("model.gguf")
        try? FileManager.default.removeItem(atPath: output)
        try ModelConversion(ModelFolder(path: path)).write(to: output)
        return try GGUFFile(path: output)
    }

    private func metadata(
        _ model: String, _ change: (inout [String: JSONValue]) -> Void
    ) throws -> GGUFMetadata {
        try converted(folder(model, change)).metadata
    }

    private func rotation(_ configuration: [String: JSONValue], _ changes: [String: JSONValue]) -> JSONValue {
        var rope = configuration["rope_parameters"]?.object ?? [:]
        for (key, value) in changes { rope[key] = value }
        return .object(rope)
    }

    @Test(
        "Llama 3's RoPE scaling becomes a tensor in models that rotate, which then load",
        arguments: [
            ("llama", nil, true), ("smollm3", nil, true), ("granite", nil, true), ("granitemoe", nil, true),
            ("granite4", "rope", true), ("granite4", "nope", false), ("granitehybrid", "rope", true),
            ("granitehybrid", "nope", false), ("mistral3", nil, true),
        ] as [(String, JSONValue?, Bool)])
    func llama3(model: String, positions: JSONValue?, rotates: Bool) throws {
        let path = try folder(model) {
            $0["rope_parameters"] = Self.llama3
            if let positions { $0["position_embedding_type"] = positions }
            if model == "mistral3" { $0["model_type"] = "mistral" }
        }
        let file = try converted(path)
        #expect((file.tensor(named: "rope_freqs.weight") != nil) == rotates)
        _ = try LanguageModel.load(file)
    }

    @Test("YaRN's factor on rotated values follows from attention_factor, or else from mscale and mscale_all_dim")
    func temperature() throws {
        /// The factor, and the multiplier that stands for it in some files.
        func keys(_ model: String, _ changes: [String: JSONValue]) throws -> [Float?] {
            let found = try metadata(model) { $0["rope_parameters"] = rotation($0, changes) }
            let prefix = "\(model == "mistral3" ? model : "llama").rope.scaling.yarn_"
            return try ["attn_factor", "log_multiplier"].map { try found.floatIfPresent(prefix + $0) }
        }
        func isFactor(_ found: [Float?], _ expected: Double) -> Bool {
            found[1] == nil && found[0].map { abs($0 - Float(expected)) < Self.tolerance } ?? false
        }
        let stretch = 0.1 * log(4.0)
        let (more, less, none) = (1 + 0.7 * stretch, 1 + 0.4 * stretch, [Float?](repeating: nil, count: 2))

        #expect(try isFactor(keys("llama-f16", ["mscale": 0.7, "mscale_all_dim": 0.4]), more / less))
        #expect(try keys("llama-f16", ["mscale": 0.7]) == none)
        #expect(try keys("llama-f16", ["mscale": 0.7, "mscale_all_dim": 0]) == none)
        let stated: [String: JSONValue] = ["attention_factor": 1.5, "mscale": 2, "mscale_all_dim": 1]
        #expect(try keys("llama-f16", stated) == [1.5, nil])

        #expect(try keys("mistral3", [:]) == [nil, 1])
        #expect(try isFactor(keys("mistral3", ["mscale": 0.7]), more / (1 + stretch)))
        #expect(try keys("mistral3", ["mscale": .null]) == none)
        #expect(try keys("mistral3", stated) == [1.5, nil])
    }

    @Test(
        "Mistral's sliding window is converted, and Llama's class has none",
        arguments: [
            ("llama", "MistralForCausalLM", 16, 16), ("llama", "MistralForCausalLM", .null, nil),
            ("llama", "LlamaForCausalLM", 16, nil), ("mistral3", "Ministral3ForCausalLM", 16, 16),
            ("llama", "MistralForCausalLM", nil, 4_096), ("llama", "LlamaForCausalLM", nil, nil),
            ("mistral3", "Ministral3ForCausalLM", nil, nil),
        ] as [(String, JSONValue, JSONValue?, UInt32?)])
    func windows(model: String, name: JSONValue, window: JSONValue?, expected: UInt32?) throws {
        let path = try folder(model) { ($0["architectures"], $0["sliding_window"]) = ([name], window) }
        let file = try converted(path)
        #expect(file.metadata.value("\(model).attention.sliding_window") == expected.map { .uint32($0) })
        _ = try LanguageModel.load(file)
    }

    @Test(
        "Heads that are not as wide as the model divided by their number load",
        arguments: [
            ("granite", 6), ("granitemoe", 6), ("phi3", 12),
        ])
    func headLength(model: String, length: Int) throws {
        let path = try folder(model) {
            $0["head_dim"] = .integer(length)
            $0["rope_parameters"] = ["rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5]
        }
        // Both lengths are one and a half of the fixture's.
        try resize(path) { name, shape in
            guard name.contains("self_attn.") else { return shape }
            guard name.contains("o_proj") else { return [shape[0] * 3 / 2] + shape.dropFirst() }
            return shape.count == 2 ? [shape[0], shape[1] * 3 / 2] : shape
        }
        let file = try converted(path)
        let rotated = model == "phi3" ? length / 2 : length
        let keys = ["attention.key_length", "attention.value_length", "rope.dimension_count"].map { "\(model).\($0)" }
        for (key, value) in zip(keys, [length, length, rotated]) {
            #expect(file.metadata.value(key) == .uint32(UInt32(value)), "\(key)")
        }
        _ = try LanguageModel.load(file)
    }

    /// Replaces tensors of a folder by zeros of other shapes.
    private func resize(_ path: String, _ newShape: (_ name: String, _ shape: [Int]) -> [Int]) throws {
        let url = URL(filePath: path).appending(path: "model.safetensors")
        var (header, data): (OrderedDictionary<String, JSONValue>, [UInt8]) = ([:], [])
        for tensor in try SafetensorsFile(path: url.path).tensors {
            let (shape, start) = (newShape(tensor.name, tensor.shape), data.count)
            let size = tensor.bytes.count / tensor.shape.reduce(1, *)
            data +=
                shape == tensor.shape
                ? Array(tensor.bytes) : [UInt8](repeating: 0, count: size * shape.reduce(1, *))
            header[tensor.name] = [
                "dtype": .string(tensor.type.rawValue), "shape": .array(shape.map { .integer($0) }),
                "data_offsets": [.integer(start), .integer(data.count)],
            ]
        }
        let file = HandmadeSafetensors(header: JSONValue.object(header).text(), data: data)
        try Data(file.bytes).write(to: url, options: .atomic)
    }

    @Test(
        "Configurations without a RoPE base get that of their class",
        arguments: [
            ("lfm2", "lfm2.rope.freq_base", 1e6), ("lfm2moe", "lfm2moe.rope.freq_base", 1e6),
            ("smollm3", "smollm3.rope.freq_base", 2e6), ("olmo3", "olmo2.rope.freq_base", 5e5),
            ("olmo2", "olmo2.rope.freq_base", nil), ("modern-bert", "modern-bert.rope.freq_base", 160_000),
            ("modern-bert", "modern-bert.rope.freq_base_swa", 10_000),
            ("nomic-bert", "nomic-bert.rope.freq_base", 1000),
        ] as [(String, String, Float?)])
    func bases(model: String, key: String, expected: Float?) throws {
        let found = try metadata(model) {
            for key in ["rope_parameters", "rope_theta", "rotary_emb_base"] { $0[key] = .null }
        }
        #expect(try found.floatIfPresent(key) == expected)
    }

    @Test(
        "Configurations without the number of experts for each row get that of their class",
        arguments: [("lfm2moe", 4), ("granitemoe", 2), ("granitehybridmoe", 2), ("gpt-oss", 4)] as [(String, UInt32)])
    func usedExperts(model: String, expected: UInt32) throws {
        let found = try metadata(model) { $0["num_experts_per_tok"] = nil }
        let architecture = try found.string("general.architecture")
        #expect(found.value("\(architecture).expert_used_count") == .uint32(expected))
    }

    /// The keys of rotary embeddings, without the architecture, and without `rope.dimension_count`.
    private func rotaryKeys(_ path: String) throws -> [String: GGUFValue] {
        let metadata = try converted(path).metadata
        let pairs = metadata.keys.compactMap { key -> (String, GGUFValue)? in
            guard let range = key.firstRange(of: ".rope."), !key.hasSuffix("dimension_count") else { return nil }
            return metadata.value(key).map { (String(key[range.upperBound...]), $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static let yarn: JSONValue = ["rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 48]
    private static let yarnKeys: [String: GGUFValue] = [
        "scaling.type": .string("yarn"), "scaling.factor": .float32(2), "scaling.original_context_length": .uint32(48),
    ]

    @Test("rope_scaling counts instead of rope_parameters")
    func scalingInstead() throws {
        func keys(_ parameters: JSONValue?, _ scaling: JSONValue?, base: JSONValue? = nil) throws -> [String: GGUFValue]
        {
            try rotaryKeys(
                folder("qwen2") {
                    ($0["rope_parameters"], $0["rope_scaling"], $0["rope_theta"]) = (parameters, scaling, base)
                })
        }
        let usual: JSONValue = ["rope_type": "default", "rope_theta": 1e4]
        let linear: JSONValue = ["rope_type": "linear", "factor": 8.0, "rope_theta": 1e4]
        let other: JSONValue = ["rope_type": "default", "rope_theta": 5e5]
        #expect(try keys(usual, Self.yarn) == Self.yarnKeys)
        #expect(try keys(linear, Self.yarn) == Self.yarnKeys)
        #expect(try keys(nil, Self.yarn) == Self.yarnKeys)
        #expect(try keys(usual, [:]) == ["freq_base": .float32(1e4)])
        #expect(try keys(usual, .null) == ["freq_base": .float32(1e4)])
        #expect(try keys(other, Self.yarn, base: 5e5) == Self.yarnKeys.merging(["freq_base": .float32(5e5)]) { $1 })
        let error = #expect(throws: ConversionError.self) { try keys(other, Self.yarn) }
        let message = "'rope_scaling' replaces 'rope_parameters', whose 'rope_theta', 500000.0, is lost"
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("rope_scaling is merged into the parameters of layers with global attention")
    func scalingMerged() throws {
        func keys(_ model: String, _ scaling: JSONValue, flat: Bool = false) throws -> [String: GGUFValue] {
            try rotaryKeys(
                folder(model) {
                    $0["rope_scaling"] = scaling
                    if flat { $0["rope_parameters"] = ["rope_type": "default", "rope_theta": 1e4] }
                })
        }
        let bases: [String: GGUFValue] = ["freq_base": .float32(5e5), "freq_base_swa": .float32(5e5)]
        #expect(try keys("olmo3", Self.yarn) == Self.yarnKeys.merging(bases) { $1 })
        let gemma = try keys("gemma3", ["rope_type": "linear", "factor": 2.0])
        #expect(gemma["scaling.factor"] == .float32(2) && gemma["freq_base"] == .float32(1e6))
        for (model, scaling, flat, message) in [
            (
                "olmo3", Self.yarn, true,
                "'rope_scaling' cannot be merged into 'rope_parameters', which has no 'full_att"
            ),
            (
                "gemma3", ["type": "yarn", "factor": 2.0], false,
                "'rope_scaling' has 'type' \"yarn\", but the 'rope_type'"
            ),
            ("modern-bert", Self.yarn, false, "'rope_type' is yarn"),
        ] as [(String, JSONValue, Bool, String)] {
            let error = #expect(throws: ConversionError.self) { try keys(model, scaling, flat: flat) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test("The original context length is the one beside the parameters, the one among them, or the model's")
    func originalLength() throws {
        func length(inner: JSONValue?, outer: JSONValue?, model: String = "llama-f16") throws -> GGUFValue? {
            let path = try folder(model) {
                var rope = $0["rope_parameters"]?.object ?? [:]
                rope["original_max_position_embeddings"] = inner
                ($0["rope_parameters"], $0["original_max_position_embeddings"]) = (.object(rope), outer)
            }
            return try rotaryKeys(path)["scaling.original_context_length"]
        }
        #expect(try length(inner: 24, outer: nil) == .uint32(24))
        #expect(try length(inner: nil, outer: 48) == .uint32(48))
        #expect(try length(inner: 24, outer: 48) == .uint32(48))
        #expect(try length(inner: nil, outer: nil) == .uint32(96))
        #expect(try length(inner: 24, outer: nil, model: "phi3") == .uint32(4_096))
    }

    @Test(
        "Granite without a factor on scores has that of its class, 1, not that of the head length",
        arguments: ["granite", "granitemoe", "granite4", "granitehybrid", "granitehybridmoe"])
    func scaleOfGranite(model: String) throws {
        let found = try metadata(model) { $0["attention_multiplier"] = nil }
        let architecture = try found.string("general.architecture")
        #expect(found.value("\(architecture).attention.scale") == .float32(1))
    }

    @Test("gpt-oss without rotary parameters has the YaRN of its class")
    func rotationOfGPTOSS() throws {
        func keys(_ changes: [String: JSONValue]) throws -> [String: GGUFValue] {
            try rotaryKeys(
                folder("gpt-oss") {
                    $0["rope_parameters"] = nil
                    $0.merge(changes) { $1 }
                })
        }
        let usual: [String: GGUFValue] = [
            "freq_base": .float32(150_000), "scaling.type": .string("yarn"), "scaling.factor": .float32(32),
            "scaling.original_context_length": .uint32(4_096), "scaling.yarn_beta_fast": .float32(32),
            "scaling.yarn_beta_slow": .float32(1),
        ]
        #expect(try keys([:]) == usual)
        #expect(try keys(["rope_theta": 1e4]) == usual.merging(["freq_base": .float32(1e4)]) { $1 })
        #expect(try keys(["rope_parameters": [:]]) == ["freq_base": .float32(150_000)])
        let linear: [String: GGUFValue] = [
            "freq_base": .float32(150_000), "scaling.type": .string("linear"), "scaling.factor": .float32(2),
        ]
        #expect(try keys(["rope_scaling": ["rope_type": "linear", "factor": 2.0]]) == linear)
    }

    @Test("SmolLM 3's layers without RoPE follow from their period, if they are not stated")
    func rotatedLayers() throws {
        func convert(_ layers: JSONValue?, _ period: JSONValue?) throws {
            _ = try metadata("smollm3") { ($0["no_rope_layers"], $0["no_rope_layer_interval"]) = (layers, period) }
        }
        try convert(nil, nil)
        try convert(nil, 4)
        try convert([1, 1, 1, 0], 2)
        for period: JSONValue in [2, 3, 5] {
            let error = #expect(throws: ConversionError.self) { try convert(nil, period) }
            let message = "'no_rope_layer_interval' is \(period.text()): only every fourth layer may lack RoPE"
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test(
        "The language model of Mistral 3 has the defaults of its own class",
        arguments: [("ministral3", 1e-5, nil), ("mistral", 1e-6, 4_096)] as [(JSONValue, Float, UInt32?)])
    func textOfMistral3(type: JSONValue, epsilon: Float, window: UInt32?) throws {
        let found = try metadata("mistral3") {
            $0["model_type"] = type
            for key in ["rms_norm_eps", "sliding_window"] { $0[key] = nil }
        }
        #expect(try found.floatIfPresent("mistral3.attention.layer_norm_rms_epsilon") == epsilon)
        #expect(found.value("mistral3.attention.sliding_window") == window.map { .uint32($0) })
    }

    @Test("OLMo 3 without a stated window has that of its class")
    func windowOfOLMo3() throws {
        let found = try metadata("olmo3") { $0["sliding_window"] = nil }
        #expect(found.value("olmo2.attention.sliding_window") == .uint32(4_096))
    }

    @Test("Phi 3's factor on rotated values is the stated one, or else follows from the stated factor on the context")
    func magnitude() throws {
        func factor(_ changes: [String: JSONValue]) throws -> Float {
            try metadata("phi3") { $0["rope_parameters"] = rotation($0, changes) }.float(
                "phi3.rope.scaling.attn_factor")
        }
        func isNear(_ found: Float, _ scale: Double) -> Bool {
            abs(found - Float((1 + log(scale) / log(24)).squareRoot())) < Self.tolerance
        }
        #expect(try isNear(factor([:]), 4))
        #expect(try isNear(factor(["factor": 8.0]), 8))
        #expect(try factor(["factor": 8.0, "attention_factor": 1.9]) == 1.9)
    }

    @Test("A shared network of width 0 means that there is none")
    func noSharedExpert() throws {
        let found = try metadata("granitemoe") { $0["shared_intermediate_size"] = 0 }
        #expect(found.value("granitemoe.expert_shared_feed_forward_length") == nil)
    }

    @Test(
        "Pooling is converted from flags or names, and is the mean without either",
        arguments: [
            (["pooling_mode": "cls"], 2), (["pooling_mode": ["mean"]], 1), (["pooling_mode_lasttoken": true], 3),
            (["pooling_mode_cls_token": true, "pooling_mode_max_tokens": false], 2), ([:], 1),
        ] as [([String: JSONValue], UInt32)])
    func pooling(settings: [String: JSONValue], expected: UInt32) throws {
        let path = try folder("nomic-bert") { _ in }
        try FolderFixture.edit(path, "1_Pooling/config.json") { $0 = settings }
        #expect(try converted(path).metadata.value("nomic-bert.pooling_type") == .uint32(expected))
    }
}
