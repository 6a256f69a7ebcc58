import Foundation
import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Embeddings compared with values that an independent implementation computed in double precision.
@Suite struct EmbedderTests {
    static let all = [
        "bert-mean", "bert-rank", "gemma-embedding-mean", "lfm2-ahead-cls", "lfm2-tokens", "modern-bert-cls",
        "modern-bert-silu-tokens", "nomic-bert-mean", "qwen3-last", "qwen3-rank",
    ]

    @Test("Vectors match an independent implementation", arguments: all)
    func vectors(name: String) throws {
        let reference = try VectorReference(name)
        let (embedder, compute) = try (reference.embedder(), Compute())
        #expect(embedder.statedPooling?.name == reference.pooling)
        for text in reference.texts {
            let found = try embedder.vectors(
                of: [text.tokens], try embedder.pooling(nil), secondSegments: text.secondStart.map { [$0] }, compute)
            #expect(found.count == 1 && found[0].count == text.vectors.count)
            for (vector, expected) in zip(found[0], text.vectors) {
                #expect(vector.count == embedder.vectorLength(try embedder.pooling(nil)))
                let error = zip(vector, expected).map { abs($0 - $1) }.max() ?? 1
                #expect(error < 2e-5, "\(text.tokens.count) tokens: \(error)")
            }
        }
    }

    @Test("A text in a batch has the same vector as alone", arguments: all)
    func batching(name: String) throws {
        let reference = try VectorReference(name)
        let embedder = try reference.embedder()
        let texts = reference.texts.map(\.tokens)
        for kernels in Kernels.available {
            for threads in [1, 2] {
                let compute = Compute(kernels: kernels, threads: threads)
                let pooling = try embedder.pooling(nil)
                let alone = try texts.map { try embedder.vectors(of: [$0], pooling, compute)[0] }
                #expect(try embedder.vectors(of: texts, pooling, compute) == alone)
                #expect(try embedder.vectors(of: texts.reversed(), pooling, compute) == alone.reversed())
                #expect(try embedder.vectors(of: [texts[3], texts[3]], pooling, compute) == [alone[3], alone[3]])
            }
        }
    }

    @Test(
        "Padding tokens attend to the text but are not attended to, in a batch as alone",
        arguments: ["bert-mean", "lfm2-ahead-cls", "lfm2-tokens"])
    func filled(name: String) throws {
        let reference = try VectorReference("\(name)-filled")
        let embedder = try reference.embedder()
        let (texts, seen) = (reference.texts.map(\.tokens), reference.texts.compactMap(\.seen))
        #expect(seen.count == texts.count)
        for kernels in Kernels.available {
            let compute = Compute(kernels: kernels, threads: 2)
            let alone = try zip(texts, seen).map {
                try embedder.vectors(of: [$0], .none, seenCounts: [$1], compute)[0]
            }
            for (found, text) in zip(alone, reference.texts) {
                #expect(found.count == text.vectors.count)
                let error = zip(found.joined(), text.vectors.joined()).map { abs($0 - $1) }.max() ?? 1
                #expect(error < 2e-5, "\(text.tokens.count) tokens: \(error)")
            }
            #expect(try embedder.vectors(of: texts, .none, seenCounts: seen, compute) == alone)
            let plain = try embedder.vectors(of: [texts[2]], .none, compute)[0]
            #expect(plain.last != alone[2].last)
            let mixed = try embedder.vectors(
                of: [texts[2], texts[2]], .none, seenCounts: [texts[2].count, seen[2]], compute)
            #expect(mixed == [plain, alone[2]])
        }
    }

    @Test("A model in which tokens cannot be masked is refused with the reason")
    func hiding() throws {
        let modern = try VectorReference("modern-bert-cls").embedder()
        try modern.checkHidesRows(in: 5, key: "some.key")
        let recurrent = try Embedder(GGUFFile(path: Fixture(name: "qwen35-f32").path))
        for (embedder, reason) in [(modern, "sliding attention window"), (recurrent, "recurrent layers read all")] {
            let error = #expect(throws: ModelError.self) { try embedder.checkHidesRows(in: 150, key: "some.key") }
            #expect(error?.description.contains("some.key") == true && error?.description.contains(reason) == true)
        }
    }

    @Test("A second segment is used if the model has segment types; texts beyond the list have none")
    func segments() throws {
        let compute = Compute()
        let text: [Int32] = [3, 1, 4, 1, 5, 9]
        let bert = try VectorReference("bert-rank").embedder()
        let plain = try bert.vectors(of: [text, text], .rank, compute)
        let paired = try bert.vectors(of: [text, text], .rank, secondSegments: [6, 3], compute)
        #expect(plain[0] == plain[1] && paired[0] == plain[0] && paired[1] != plain[1])
        #expect(try bert.vectors(of: [text, text], .rank, secondSegments: [3], compute) == paired.reversed())
        let modern = try VectorReference("modern-bert-cls").embedder()
        let whole = try modern.vectors(of: [text], .cls, compute)
        #expect(try modern.vectors(of: [text], .cls, secondSegments: [2], compute) == whole)
    }

    @Test("Every pooling uses the right rows", arguments: ["bert-mean", "lfm2-ahead-cls"])
    func poolings(name: String) throws {
        let (embedder, compute) = try (VectorReference(name).embedder(), Compute())
        let text: [Int32] = [3, 1, 4, 1, 5, 9]
        let rows = try embedder.vectors(of: [text], .none, compute)[0]
        #expect(rows.count == text.count)
        #expect(try embedder.vectors(of: [text], .cls, compute) == [[rows[0]]])
        #expect(try embedder.vectors(of: [text], .last, compute) == [[rows[5]]])
        let mean = (0..<rows[0].count).map { column in Float(rows.map { Double($0[column]) }.reduce(0, +) / 6) }
        #expect(try embedder.vectors(of: [text], .mean, compute) == [[mean]])
        #expect(throws: ModelError.self) { try embedder.pooling(.rank) }
    }

    @Test("A cancelled pass has no effect on the next one")
    func cancellation() throws {
        let reference = try VectorReference("bert-mean")
        let (embedder, compute) = try (reference.embedder(), Compute())
        let text = reference.texts[2].tokens
        let expected = try embedder.vectors(of: [text], .mean, compute)
        for patience in 0..<3 {
            var questions = 0
            #expect(throws: ModelError.self) {
                try embedder.vectors(of: [text], .mean, compute) {
                    questions += 1
                    return questions <= patience
                }
            }
        }
        #expect(try embedder.vectors(of: [text], .mean, compute) == expected)
    }

    @Test("A language model needs an explicit pooling for embeddings")
    func languageModel() throws {
        let embedder = try Embedder(GGUFFile(path: Fixture(name: "qwen3-tied-f32").path))
        let compute = Compute()
        #expect(embedder.statedPooling == nil)
        let error = #expect(throws: ModelError.self) { try embedder.pooling(nil) }
        #expect(error?.description.contains("qwen3.pooling_type") == true)
        let pooling = try embedder.pooling(.last)
        #expect(try embedder.vectors(of: [[1, 2, 3]], pooling, compute)[0][0].count == embedder.vectorLength(pooling))
    }

    @Test("An embedding model is refused as a language model, and the error says what it is for", arguments: all)
    func readers(name: String) throws {
        let file = try GGUFFile(path: VectorReference.path(name))
        guard name != "lfm2-tokens" else { return }  // It differs from a language model only in its head.
        let error = #expect(throws: ModelError.self) { try LanguageModel.load(file) }
        #expect(error?.description.contains("embed") == true || error?.description.contains("bidirectional") == true)
    }
}

/// The reference values of a model in `Fixtures/embeddings`.
struct VectorReference {
    struct Text {
        let tokens: [Int32]
        /// The start of the second text of a pair; `nil` if there is none.
        let secondStart: Int?
        /// How many of the tokens are visible to others; `nil` if all are.
        let seen: Int?
        let vectors: [[Float]]
    }

    /// The model's file.
    private let model: String
    let pooling: String
    let texts: [Text]

    private struct Index: Decodable {
        struct Text: Decodable {
            let tokens: [Int32]
            let secondStart: Int?
            let seen: Int?
            let vectors: FixtureReference.Place
        }
        let model: String
        let pooling: String
        let texts: [Text]
    }

    static func path(_ name: String, _ ending: String = "gguf") -> String {
        Fixture.folder.appendingPathComponent("embeddings/\(name).\(ending)").path
    }

    init(_ name: String) throws {
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: URL(fileURLWithPath: Self.path(name, "json"))))
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.path(name, "f32.bin"))))
        pooling = index.pooling
        model = index.model
        texts = index.texts.map { text in
            let (rows, width) = (text.vectors.shape[0], text.vectors.shape[1])
            let vectors = (0..<rows).map { row in
                (0..<width).map { column in
                    let start = 4 * (text.vectors.offset + row * width + column)
                    let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
                    return Float(bitPattern: word)
                }
            }
            return Text(tokens: text.tokens, secondStart: text.secondStart, seen: text.seen, vectors: vectors)
        }
    }

    func embedder() throws -> Embedder {
        try Embedder(GGUFFile(path: Fixture.folder.appendingPathComponent("embeddings/\(model)").path))
    }
}
