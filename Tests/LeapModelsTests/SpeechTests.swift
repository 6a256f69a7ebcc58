import Foundation
import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Codes from rows of a language model, and audio from codes, compared with a float64 reference.
@Suite("Speech")
struct SpeechTests {
    private struct Index: Decodable {
        let vocoder: String
        let tokenizer: String
        let frames: [[Int32]]
        let logits: [AudioFixtureArray]
        let samples: AudioFixtureArray
        let row: AudioFixtureArray
    }

    static let folder = Fixture.folder.appending(path: "audio")
    private let index: Index
    private let floats: [Float]

    init() throws {
        index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: Self.folder.appending(path: "speech.json")))
        let data = try Data(contentsOf: Self.folder.appending(path: "speech.f32.bin"))
        floats = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func file(_ name: String) throws -> GGUFFile {
        try GGUFFile(path: Self.folder.appending(path: name).path)
    }

    /// The rows of `scripts/fixtures/speech.py`.
    private func hiddenRow(_ number: Int, width: Int) -> [Float] {
        (number * width..<(number + 1) * width).map {
            let noise: Int = ($0 * 7919 + $0 * $0 / 97) % 2003 - 1001
            return Float(Double(noise) / 500)
        }
    }

    @Test("codes equal the reference's at every level, and logits are close")
    func codes() throws {
        let depthformer = try Depthformer(file(index.vocoder))
        for level in Kernels.available.map(\.level) {
            let run = DepthformerRun(depthformer, Compute(kernels: Kernels.table(for: level)))
            for (number, expected) in index.frames.enumerated() {
                var found: [[Float]] = []
                let codes = try run.frame(
                    after: hiddenRow(number, width: depthformer.configuration.modelWidth)
                ) { _, logits in
                    found.append(Array(logits))
                    var sampler = AudioCodeSampler(
                        temperature: 0, topK: 0, generator: SeededRandomNumberGenerator(seed: 1))
                    return sampler.draw(logits)
                }
                #expect(codes.values == expected, "\(level), frame \(number)")
                guard number < index.logits.count else { continue }
                let reference = index.logits[number].values(of: floats)
                let ours = found[0] + found[1] + found[7]
                let scale = rootMeanSquareError(reference, [Float](repeating: 0, count: reference.count))
                // Tables are Q4_0, whose rows are multiplied by 8-bit activations.
                #expect(rootMeanSquareError(ours, reference) <= 0.02 * scale, "\(level)")
            }
        }
    }

    @Test("a frame whose first code is the end code is the end, and a non-finite row is an error")
    func ends() throws {
        let depthformer = try Depthformer(file(index.vocoder))
        let run = DepthformerRun(depthformer, Compute())
        let row = hiddenRow(0, width: depthformer.configuration.modelWidth)
        let end = VocoderConfiguration.endCode
        let whole = try run.frame(after: row) { book, _ in book == 0 ? end : 5 }
        #expect(whole == .end && whole.isEnd && !whole.sounds && whole.values == [Int32](repeating: end, count: 8))
        let part = try run.frame(after: row) { book, _ in book == 3 ? end : 5 }
        #expect(part.values == [5, 5, 5, end, 5, 5, 5, 5] && !part.isEnd && !part.sounds)
        #expect(throws: ModelError.self) { try run.frame(after: [1, 2]) { _, _ in 0 } }
        var damaged = row
        damaged[0] = .nan
        #expect {
            _ = try run.frame(after: damaged) { _, _ in 0 }
        } throws: {
            if case ModelError.speechNotFinite = $0 { true } else { false }
        }
        // Earlier results do not persist.
        let again = try run.frame(after: row) { _, logits in
            Int32(logits.indices.max { logits[$0] < logits[$1] } ?? 0)
        }
        #expect(again.values == index.frames[0])
    }

    @Test("a frame's row is the sum of its codes' embeddings")
    func row() throws {
        let depthformer = try Depthformer(file(index.vocoder))
        let frame = try CodeFrame(index.frames[0])
        let found = depthformer.row(of: frame)
        let run = DepthformerRun(depthformer, Compute())
        run.setRow(.end)
        #expect(run.row != found)
        run.setRow(frame)
        #expect(run.row == found)
        let expected = index.row.values(of: floats)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 2e-6 * 8 })
        for codes: [Int32] in [[], [1, 2, 3], [0, 0, 0, 0, 0, 0, 0, 2049], [-1, 0, 0, 0, 0, 0, 0, 0]] {
            #expect(throws: ModelError.self) { try CodeFrame(codes) }
        }
    }

    @Test("audio matches the reference at every level, whole or frame by frame")
    func sound() throws {
        let detokenizer = try SpeechDetokenizer(vocoder: file(index.vocoder), tokenizer: file(index.tokenizer))
        let expected = index.samples.values(of: floats)
        #expect(expected.count == index.frames.count * SpeechDetokenizer.samplesPerFrame)
        let loudness = Double(expected.map(abs).max() ?? 1)
        let frames = try index.frames.map { try CodeFrame($0) }
        for level in Kernels.available.map(\.level) {
            let compute = Compute(kernels: Kernels.table(for: level))
            let whole = try detokenizer.begin(compute)
            let samples = try whole.add(frames) + whole.finish()
            let difference = zip(samples, expected).map { Double(abs($0 - $1)) }.max() ?? 1
            #expect(samples.count == expected.count && difference <= 3e-5 * max(1, loudness), "\(level): \(difference)")
            let stream = try detokenizer.begin(compute)
            var parts: [[Float]] = []
            for frame in frames { parts.append(try stream.add([frame])) }
            parts.append(stream.finish())
            #expect(parts.map(\.count) == [1440] + [Int](repeating: 1920, count: index.frames.count - 1) + [480])
            #expect(parts.flatMap(\.self) == samples)
        }
    }

    @Test("invalid frames and files of other models are refused")
    func refused() throws {
        let (vocoder, tokenizer) = (try file(index.vocoder), try file(index.tokenizer))
        let stream = try SpeechDetokenizer(vocoder: vocoder, tokenizer: tokenizer).begin(Compute())
        #expect(throws: ModelError.self) { try stream.add([CodeFrame([0, 0, 0, 0, 0, 0, 0, 2048])]) }
        #expect(throws: ModelError.self) { try stream.add([.end]) }
        #expect(try stream.add([CodeFrame]()) == [] && stream.finish() == [])
        let text = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        #expect {
            _ = try Depthformer(text)
        } throws: {
            "\($0)".contains("the file is not a vocoder")
        }
        #expect {
            _ = try SpeechDetokenizer(vocoder: vocoder, tokenizer: text)
        } throws: {
            "\($0)".contains("rows of 1282 values, but this one's have")
        }
        #expect(throws: ModelError.self) { try SpeechDetokenizer(vocoder: vocoder, tokenizer: vocoder) }
        #expect(throws: ModelError.self) { try SpeechDetokenizer(vocoder: tokenizer, tokenizer: tokenizer) }
    }

    @Test(
        "a vocoder without a tensor is refused, and the error names the tensor",
        arguments: [
            "depth_linear.weight", "depth_linear.bias", "depthformer.layers.1.operator.out_proj.weight",
            "depthformer.layers.1.operator.attention.q_layernorm.weight", "depth_embeddings.7.embedding.weight",
            "depth_embeddings.7.embedding_norm.weight", "audio_embedding.embedding.weight",
            "depthformer.layers.0.feed_forward.w1.weight",
        ])
    func damaged(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vocoder.gguf")
        try Self.write(to: path, of: file(index.vocoder)) { $0 != name }
        #expect {
            _ = try Depthformer(GGUFFile(path: path))
        } throws: {
            "\($0)".contains("'\(name)' is missing")
        }
    }

    @Test("a vocoder without a code table is refused as needing the Mimi codec")
    func mimi() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vocoder.gguf")
        try Self.write(to: path, of: file(index.vocoder)) { $0 != "emb.emb.weight" }
        #expect {
            _ = try SpeechDetokenizer(vocoder: GGUFFile(path: path), tokenizer: file(index.tokenizer))
        } throws: {
            "\($0)".contains("Mimi codec")
        }
        _ = try Depthformer(GGUFFile(path: path))
    }

    /// A self-contained vocoder, as in the vendor's bundles: the tensors of both files, under the checkpoint's names.
    private func wholeVocoder(without missing: String? = nil, in folder: TemporaryFolder) throws -> GGUFFile {
        let (vocoder, tokenizer) = (try file(index.vocoder), try file(index.tokenizer))
        let parts = [
            "attn_norm": "operator_norm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
            "attn_v": "self_attn.v_proj", "attn_output": "self_attn.out_proj", "attn_q_norm": "self_attn.q_layernorm",
            "attn_k_norm": "self_attn.k_layernorm", "shortconv.in_proj": "conv.in_proj", "shortconv.conv": "conv.conv",
            "shortconv.out_proj": "conv.out_proj", "ffn_norm": "ffn_norm", "ffn_gate": "feed_forward.w1",
            "ffn_down": "feed_forward.w2", "ffn_up": "feed_forward.w3",
        ]
        let others = [
            "token_embd_norm.weight": "lfm.embedding_norm.weight", "token_embd.weight": "lfm.embed_tokens.weight",
            "dense_2.weight": "lin.weight", "dense_2.bias": "lin.bias",
        ]
        var tensors = vocoder.tensors.map { ($0.name, $0) }
        for tensor in tokenizer.tensors {
            let words = tensor.name.split(separator: ".", maxSplits: 2)
            let part = words.count == 3 ? parts[String(words[2].dropLast(".weight".count))] : nil
            let name = try #require(part.map { "lfm.layers.\(words[1]).\($0).weight" } ?? others[tensor.name])
            tensors.append((name, tensor))
        }
        tensors.removeAll { $0.0 == missing }
        var writer = GGUFWriter()
        writer.add(contentsOf: vocoder.metadata)
        for (name, tensor) in tensors {
            try writer.addTensor(name, type: tensor.type, dimensions: tensor.dimensions)
        }
        let path = folder.path("whole.gguf")
        try writer.write(to: path) { output in
            for (_, tensor) in tensors { try output.append(tensor.bytes) }
        }
        return try GGUFFile(path: path)
    }

    @Test("a vocoder that includes the detokenizer gives the same audio as the two files")
    func whole() throws {
        let folder = try TemporaryFolder()
        let (vocoder, tokenizer) = (try file(index.vocoder), try file(index.tokenizer))
        let whole = try wholeVocoder(in: folder)
        #expect(SpeechDetokenizer.isWhole(whole) && !SpeechDetokenizer.isWhole(vocoder))
        let frames = try index.frames.map { try CodeFrame($0) }
        func sound(_ detokenizer: SpeechDetokenizer) throws -> [Float] {
            let stream = try detokenizer.begin(Compute())
            return try stream.add(frames) + stream.finish()
        }
        let expected = try sound(SpeechDetokenizer(vocoder: vocoder, tokenizer: tokenizer))
        #expect(try sound(SpeechDetokenizer(vocoder: whole, tokenizer: nil)) == expected)
        #expect(try sound(SpeechDetokenizer(vocoder: whole, tokenizer: tokenizer)) == expected)
        #expect {
            _ = try SpeechDetokenizer(vocoder: vocoder, tokenizer: nil)
        } throws: {
            "\($0)".contains("no detokenizer to turn codes into audio: also give the audio tokenizer")
        }
    }

    @Test(
        "a vocoder with only part of the detokenizer is refused",
        arguments: [
            "lfm.layers.0.conv.conv.weight", "lfm.layers.1.self_attn.q_layernorm.weight", "lin.weight",
            "lfm.layers.3.feed_forward.w2.weight", "lfm.layers.0.operator_norm.weight", "lin.bias",
        ])
    func half(missing: String) throws {
        let folder = try TemporaryFolder()
        let file = try wholeVocoder(without: missing, in: folder)
        #expect(throws: ModelError.self) { try SpeechDetokenizer(vocoder: file, tokenizer: nil) }
    }

    private static func write(to path: String, of file: GGUFFile, keeping: (String) -> Bool) throws {
        var writer = GGUFWriter()
        writer.add(contentsOf: file.metadata)
        let tensors = file.tensors.filter { keeping($0.name) }
        for tensor in tensors { try writer.addTensor(tensor) }
        try writer.write(to: path) { output in
            for tensor in tensors { try output.append(tensor.bytes) }
        }
    }

    @Test("codes are sampled from the top k, including ties")
    func sampler() {
        let logits: [Float] = [1, 3, 3, 2, -1, 0]
        func drawn(_ temperature: Float, _ topK: Int) -> Set<Int32> {
            var sampler = AudioCodeSampler(
                temperature: temperature, topK: topK, generator: SeededRandomNumberGenerator(seed: 5))
            return logits.withUnsafeBufferPointer { logits in Set((0..<2000).map { _ in sampler.draw(logits) }) }
        }
        #expect(drawn(0, 0).count == 1 && drawn(-1, 3).count == 1 && drawn(1, 1).count == 1)
        #expect(drawn(1, 2) == [1, 2] && drawn(1, 3) == [1, 2, 3])
        #expect(drawn(5, 0) == [0, 1, 2, 3, 4, 5] && drawn(5, 100) == drawn(5, 0))
    }
}
