import Foundation
import LeapBlocks
import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Metadata keys about a model's layers: windows, RoPE, scale factors.
@Suite struct LayerRuleTests {
    private func model(_ fixture: String, _ values: [String: GGUFValue] = [:]) throws -> TestModel {
        var edited = EditedFile(try GGUFFile(path: Fixture(name: fixture).path))
        edited.values = values
        return TestModel(try LanguageModel.load(edited.encoded()))
    }

    /// Tokens without a pattern.
    private func tokens(_ count: Int) -> [Int32] { (0..<count).map { Int32(37 + $0 * $0 % 83) } }

    @Test(
        "The file's pattern determines which layers have a window, and otherwise the architecture does",
        arguments: [
            (nil, [0, 1, 2, 3, 4, 6, 7]), (GGUFValue.uint32(0), [0, 1, 2, 3, 4, 5, 6, 7]), (.uint32(1), []),
            (.uint32(2), [0, 2, 4, 6]), (.uint32(3), [0, 1, 3, 4, 6, 7]), (.uint32(.max), [0, 1, 2, 3, 4, 5, 6, 7]),
        ] as [(GGUFValue?, [Int])])
    func patterns(pattern: GGUFValue?, expected: [Int]) throws {
        let model = try model("gemma3-f32", pattern.map { ["gemma3.attention.sliding_window_pattern": $0] } ?? [:])
        let windows = model.model.windows
        #expect(windows.indices.filter { windows[$0] != nil } == expected)
        #expect(windows.allSatisfy { $0 == nil || $0 == 20 })
    }

    @Test("In gpt-oss, the first of every two layers has a window unless the file's pattern differs")
    func patternOfGPTOSS() throws {
        #expect(try model("gpt-oss-f32").model.windows == [20, nil, 20, nil])
        let pattern = GGUFValue.uint32(4)
        let key = "gpt-oss.attention.sliding_window_pattern"
        #expect(try model("gpt-oss-f32", [key: pattern]).model.windows == [20, 20, 20, nil])
    }

    @Test("In gpt-oss, layers with a window use the file's separate RoPE base if it has one")
    func windowedBaseOfGPTOSS() throws {
        let plain = try model("gpt-oss-f32").logits(after: tokens(30))
        let base = try GGUFFile(path: Fixture(name: "gpt-oss-f32").path).metadata.float("gpt-oss.rope.freq_base")
        let key = "gpt-oss.rope.freq_base_swa"
        #expect(try model("gpt-oss-f32", [key: .float32(base)]).logits(after: tokens(30)) == plain)
        #expect(try model("gpt-oss-f32", [key: .float32(2 * base)]).logits(after: tokens(30)) != plain)
    }

    /// The fixtures' ramps end at whole pairs, so that rounding would not show there.
    @Test("The YaRN ramp of gpt-oss is not rounded to whole pairs")
    func rampOfGPTOSS() throws {
        let (length, base) = ("rope.scaling.original_context_length", "rope.freq_base")
        func logits(_ fixture: String, _ architecture: String, original: UInt32) throws -> [Float] {
            let values: [String: GGUFValue] = [
                "\(architecture).\(length)": .uint32(original), "\(architecture).\(base)": .float32(1000),
            ]
            return try model(fixture, values).logits(after: tokens(30))
        }
        // Heads of 12 and of 16: with rounding, the ramps of both contexts would run from pair 0 to the same pair.
        #expect(try logits("gpt-oss-f32", "gpt-oss", original: 256) != logits("gpt-oss-f32", "gpt-oss", original: 280))
        #expect(
            try logits("llama-rope-yarn-f32", "llama", original: 256)
                == logits("llama-rope-yarn-f32", "llama", original: 280))
    }

    @Test("A window of 0 means no window")
    func noWindow() throws {
        let model = try model("gemma3-f32", ["gemma3.attention.sliding_window": .uint32(0)])
        #expect(model.model.windows.allSatisfy { $0 == nil })
    }

    @Test("A window that no sequence fills hides nothing, but its layers still use their own RoPE base")
    func longWindow() throws {
        func logits(_ window: UInt32, _ base: Float? = nil) throws -> [Float] {
            var values: [String: GGUFValue] = [
                "gemma3.attention.sliding_window": .uint32(window), "gemma3.rope.scaling.type": .string("none"),
            ]
            if let base { values["gemma3.rope.freq_base_swa"] = .float32(base) }
            return try model("gemma3-f32", values).logits(after: tokens(60))
        }
        let metadata = try GGUFFile(path: Fixture(name: "gemma3-f32").path).metadata
        let base = try metadata.float("gemma3.rope.freq_base")
        let context = try metadata.integer("gemma3.context_length", in: 1...Int(UInt32.max))
        let long = try logits(UInt32(context) - 1)
        for window in [UInt32(context), 100_000, .max] { #expect(try logits(window) == long) }
        #expect(try logits(0) != long)
        #expect(try logits(0) == logits(UInt32(context), base))
    }

    /// Hugging Face's `attention_factor`, which such files have in addition to the factor that determines it.
    @Test("YaRN uses the file's own attention factor if it has one")
    func temperatureOfYaRN() throws {
        let factor = try GGUFFile(path: Fixture(name: "llama-rope-yarn-f32").path).metadata.float(
            "llama.rope.scaling.factor")
        let key = "llama.rope.scaling.yarn_attn_factor"
        let plain = try model("llama-rope-yarn-f32").logits(after: tokens(30))
        let computed = Float(1 + 0.1 * log(Double(factor)))
        let explicit = try model("llama-rope-yarn-f32", [key: .float32(computed)]).logits(after: tokens(30))
        #expect(zip(explicit, plain).allSatisfy { abs($0 - $1) < 1e-4 } && plain.count > 1)
        #expect(try model("llama-rope-yarn-f32", [key: .float32(2 * computed)]).logits(after: tokens(30)) != plain)
        #expect(
            try model("llama-tied-f32", [key: .float32(3)]).logits(after: tokens(30))
                == model("llama-tied-f32").logits(after: tokens(30)))
    }

    @Test("In gpt-oss, the RoPE attention factor applies to layers with and without a window")
    func magnitudeOfGPTOSS() throws {
        func logits(pattern: UInt32, factor: Float) throws -> [Float] {
            // A pattern of 0 gives all layers a window, one of 1 none.
            try model(
                "gpt-oss-f32",
                [
                    "gpt-oss.attention.sliding_window": .uint32(1000),
                    "gpt-oss.attention.sliding_window_pattern": .uint32(pattern),
                    "gpt-oss.rope.scaling.attn_factor": .float32(factor),
                ]
            ).logits(after: tokens(30))
        }
        #expect(try logits(pattern: 0, factor: 1.3) == logits(pattern: 1, factor: 1.3))
        #expect(try logits(pattern: 0, factor: 1.3) != logits(pattern: 0, factor: 1))
    }

    @Test("The logit scale does not affect embeddings")
    func vectorsOfGranite() throws {
        func vector(_ scale: Float) throws -> [[[Float]]] {
            var edited = EditedFile(try GGUFFile(path: Fixture(name: "granite-scales-f32").path))
            edited.values["granite.logit_scale"] = .float32(scale)
            let embedder = try Embedder(edited.encoded())
            return try embedder.vectors(of: [tokens(20)], embedder.pooling(.mean), Compute(threads: 1))
        }
        #expect(try vector(16) == vector(1))
    }

    @Test(
        "Where all layers have a window, it changes nothing until it is full and then hides earlier tokens",
        arguments: [("phi4-short-f32", "phi3"), ("llama-tied-f32", "llama"), ("mistral3-f32", "mistral3")])
    func windowOfAllLayers(fixture: String, architecture: String) throws {
        let (plain, windowed) = try (
            model(fixture), model(fixture, ["\(architecture).attention.sliding_window": .uint32(30)])
        )
        #expect(try windowed.logits(after: tokens(30)) == plain.logits(after: tokens(30)))
        #expect(try windowed.logits(after: tokens(31)) != plain.logits(after: tokens(31)))
        // Two layers see as far as two windows: tokens before that have no effect.
        let first = tokens(60)
        let other = [first[0] + 1] + first.dropFirst()
        #expect(try windowed.logits(after: first) == windowed.logits(after: other))
        #expect(try plain.logits(after: first) != plain.logits(after: other))
    }

    @Test("Granite's layers use RoPE unless the file disables it")
    func withoutRotation() throws {
        for (flag, changes) in [(GGUFValue.bool(true), true), (.bool(false), false)] {
            let key = "granite.rope.scaling.finetuned"
            let model = try model("granite-scales-f32", [key: flag])
            let other = try self.model("granite-scales-f32", [key: flag, "granite.rope.freq_base": .float32(77)])
            #expect(try (model.logits(after: tokens(20)) != other.logits(after: tokens(20))) == changes)
        }
    }

    @Test("In Granite, scale factors of 0 mean none")
    func noFactors() throws {
        let keys = ["embedding_scale", "residual_scale", "logit_scale"].map { "granite.\($0)" }
        let ones = try model("granite-scales-f32", Dictionary(uniqueKeysWithValues: keys.map { ($0, .float32(1)) }))
        let zeros = try model("granite-scales-f32", Dictionary(uniqueKeysWithValues: keys.map { ($0, .float32(0)) }))
        #expect(try ones.logits(after: tokens(9)) == zeros.logits(after: tokens(9)))
    }

    @Test("Logits stay within the soft cap")
    func bound() throws {
        let model = try model("gemma3-f32", ["gemma3.final_logit_softcapping": .float32(0.5)])
        #expect(try model.logits(after: tokens(9)).allSatisfy { abs($0) <= 0.5 })
    }

    @Test("Sequences of long capacity use other RoPE factors and do not share segments with short ones")
    func longSequences() throws {
        let test = try model("phi4-long-f32")
        let (short, long) = (try test.model.makeState(capacity: 64), try test.model.makeState(capacity: 65))
        let alone = try [
            test.logits(after: tokens(40), state: short), test.logits(after: tokens(40), state: long),
        ]
        #expect(alone[0] != alone[1])
        let states = [try test.model.makeState(capacity: 64), try test.model.makeState(capacity: 65)]
        var batch = Batch(of: .prompt)
        for state in states { batch.append(tokens: tokens(40), to: state, wantsLogits: true) }
        let together = try test.model.forward(batch, test.compute) { logits in [Array(logits[0]), Array(logits[1])] }
        #expect(together == alone)

        let longer = try test.model.makeState(capacity: 300)
        _ = try test.logits(after: tokens(StateSegment.length), state: longer)
        let segments = longer.finishedSegments()
        short.restore(segments)
        #expect(segments.count == 1 && short.position == 0)
        long.restore(segments)
        #expect(long.position == StateSegment.length)
    }

    @Test("A joint QKV matrix gives the same logits as three separate ones")
    func jointMatrices() throws {
        let file = try GGUFFile(path: Fixture(name: "qwen2-biases-f32").path)
        let test = TestModel(try LanguageModel.load(file))
        let joint = TestModel(try LanguageModel.load(try joined(file)))
        #expect(try joint.logits(after: tokens(50)) == test.logits(after: tokens(50)))
    }

    /// The file with `attn_qkv` in place of `attn_q`, `attn_k` and `attn_v`: F32 matrices and their biases.
    private func joined(_ file: GGUFFile) throws -> GGUFFile {
        let parts = ["attn_q", "attn_k", "attn_v"]
        var writer = GGUFWriter()
        writer.add(contentsOf: file.metadata)
        var contents: [[UInt8]] = []
        func add(_ name: String, _ dimensions: [Int], _ bytes: [UInt8]) throws {
            try writer.addTensor(name, type: .F32, dimensions: dimensions)
            contents.append(bytes)
        }
        for tensor in file.tensors {
            guard let part = parts.first(where: { tensor.name.contains(".\($0).") }) else {
                try add(tensor.name, tensor.dimensions, Array(tensor.bytes))
                continue
            }
            guard part == parts[0] else { continue }
            let three = try parts.map {
                try #require(file.tensor(named: tensor.name.replacing(parts[0], with: $0)))
            }
            let rows = three.reduce(0) { $0 + ($1.dimensions.last ?? 0) }
            try add(
                tensor.name.replacing(parts[0], with: "attn_qkv"),
                tensor.dimensions.dropLast() + [rows], three.flatMap { Array($0.bytes) })
        }
        let bytes = try writer.encoded { output in
            for content in contents { try output.append(content) }
        }
        return try GGUFFile(bytes: bytes, name: "joined")
    }
}
