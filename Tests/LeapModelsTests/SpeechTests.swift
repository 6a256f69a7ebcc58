import Foundation
import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Rows of a language model become codes, and codes become sound, as in float64.
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

    @Test("codes are those of the reference at every level, and logits close to its")
    func codes() throws {
        let depthformer = try Depthformer(file(index.vocoder))
        for level in Kernels.available.map(\.level) {
            let run = DepthformerRun(depthformer, kernels: Kernels.table(for: level))
            for (number, expected) in index.frames.enumerated() {
                var found: [[Float]] = []
                let codes = try run.frame(
                    behind: hiddenRow(number, width: depthformer.configuration.modelWidth)
                ) { _, logits in
                    found.append(Array(logits))
                    var sampler = AudioCodeSampler(
                        temperature: 0, topK: 0, generator: SeededRandomNumberGenerator(seed: 1))
                    return sampler.draw(logits)
                }
                #expect(codes == expected, "\(level), frame \(number)")
                guard number < index.logits.count else { continue }
                let reference = index.logits[number].values(of: floats)
                let ours = found[0] + found[1] + found[7]
                let scale = rootMeanSquareError(reference, [Float](repeating: 0, count: reference.count))
                // Tables are Q4_0, whose rows meet activations of 8 bits.
                #expect(rootMeanSquareError(ours, reference) <= 0.02 * scale, "\(level)")
            }
        }
    }

    @Test("a frame that begins with the end is the end, and damage is told from it")
    func ends() throws {
        let depthformer = try Depthformer(file(index.vocoder))
        let run = DepthformerRun(depthformer)
        let row = hiddenRow(0, width: depthformer.configuration.modelWidth)
        let end = VocoderConfiguration.endCode
        #expect(try run.frame(behind: row) { book, _ in book == 0 ? end : 5 } == [Int32](repeating: end, count: 8))
        #expect(try run.frame(behind: row) { book, _ in book == 3 ? end : 5 } == [5, 5, 5, end, 5, 5, 5, 5])
        #expect(throws: ModelError.self) { try run.frame(behind: [1, 2]) { _, _ in 0 } }
        var damaged = row
        damaged[0] = .nan
        #expect {
            _ = try run.frame(behind: damaged) { _, _ in 0 }
        } throws: {
            if case ModelError.speechNotFinite = $0 { true } else { false }
        }
        // What was computed before does not linger.
        let again = try run.frame(behind: row) { _, logits in
            Int32(logits.indices.max { logits[$0] < logits[$1] } ?? 0)
        }
        #expect(again == index.frames[0])
    }

    @Test("a frame's row is the sum of what stands for its codes")
    func row() throws {
        let depthformer = try Depthformer(file(index.vocoder))
        let found = try depthformer.row(of: index.frames[0])
        let expected = index.row.values(of: floats)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 2e-6 * 8 })
        for codes: [Int32] in [[], [1, 2, 3], [0, 0, 0, 0, 0, 0, 0, 2049], [-1, 0, 0, 0, 0, 0, 0, 0]] {
            #expect(throws: ModelError.self) { try depthformer.row(of: codes) }
        }
    }

    @Test("sound is the reference's, at every level and however frames come")
    func sound() throws {
        let detokenizer = try SpeechDetokenizer(vocoder: file(index.vocoder), tokenizer: file(index.tokenizer))
        let expected = index.samples.values(of: floats)
        #expect(expected.count == index.frames.count * SpeechDetokenizer.samplesPerFrame)
        let loudness = Double(expected.map(abs).max() ?? 1)
        for level in Kernels.available.map(\.level) {
            let compute = Compute(kernels: Kernels.table(for: level))
            let whole = try detokenizer.begin(compute)
            let samples = try whole.add(index.frames) + whole.finish()
            let difference = zip(samples, expected).map { Double(abs($0 - $1)) }.max() ?? 1
            #expect(samples.count == expected.count && difference <= 3e-5 * max(1, loudness), "\(level): \(difference)")
            let stream = try detokenizer.begin(compute)
            var parts: [[Float]] = []
            for frame in index.frames { parts.append(try stream.add([frame])) }
            parts.append(stream.finish())
            #expect(parts.map(\.count) == [1440] + [Int](repeating: 1920, count: index.frames.count - 1) + [480])
            #expect(parts.flatMap(\.self) == samples)
        }
    }

    @Test("what is no frame, and files of other models, are refused by name")
    func refused() throws {
        let (vocoder, tokenizer) = (try file(index.vocoder), try file(index.tokenizer))
        let stream = try SpeechDetokenizer(vocoder: vocoder, tokenizer: tokenizer).begin(Compute())
        for codes: [Int32] in [[1], [0, 0, 0, 0, 0, 0, 0, 2048], [0, 0, 0, -1, 0, 0, 0, 0]] {
            #expect(throws: ModelError.self) { try stream.add([codes]) }
        }
        #expect(try stream.add([]) == [] && stream.finish() == [])
        let text = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        #expect {
            _ = try Depthformer(text)
        } throws: {
            "\($0)".contains("it is no vocoder")
        }
        #expect {
            _ = try SpeechDetokenizer(vocoder: vocoder, tokenizer: text)
        } throws: {
            "\($0)".contains("but sound is made of rows of 1282")
        }
        #expect(throws: ModelError.self) { try SpeechDetokenizer(vocoder: vocoder, tokenizer: vocoder) }
        #expect(throws: ModelError.self) { try SpeechDetokenizer(vocoder: tokenizer, tokenizer: tokenizer) }
    }

    @Test(
        "a vocoder without a tensor is refused by its name",
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

    @Test("a vocoder without a table of codes needs another codec")
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

    private static func write(to path: String, of file: GGUFFile, keeping: (String) -> Bool) throws {
        var writer = GGUFWriter()
        writer.add(contentsOf: file.metadata)
        let tensors = file.tensors.filter { keeping($0.name) }
        for tensor in tensors { try writer.addTensor(tensor) }
        try writer.write(to: path) { output in
            for tensor in tensors { try output.append(tensor.bytes) }
        }
    }

    @Test("codes are drawn from the likeliest, ties and all")
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
