import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapEngine

/// Embedding and ranking of texts.
@Suite struct EmbeddingEngineTests {
    static func engine(_ name: String, tokenLimit: Int? = nil) throws -> EmbeddingEngine {
        let path = Fixture.folder.appendingPathComponent("embeddings/\(name).gguf").path
        return try EmbeddingEngine.load(path: path, tokenLimit: tokenLimit, compute: Compute(threads: 2))
    }

    static let texts = [
        "hello world", "The quick brown fox", "a", "привет мир " + String(repeating: "hello ", count: 60), "你好",
        "hello world",
    ]

    @Test("Vectors are in text order, and the same as for each text alone", arguments: ["bert-mean", "qwen3-last"])
    func order(name: String) async throws {
        let engine = try Self.engine(name)
        let together = try await engine.embed(Self.texts)
        for (text, found) in zip(Self.texts, together) {
            let alone = try await engine.embed([text])
            #expect(alone == [found])
            #expect(found.tokenCount == engine.tokenizer.encode(text, addSpecial: true, parseSpecial: false).count)
            #expect(abs(VectorMath.dot(found.vector, found.vector) - 1) < 1e-6)
        }
        #expect(together[0] == together[5] && together[0] != together[1])
        #expect(try await engine.embed([]).isEmpty)
    }

    @Test("Vectors are truncated before normalisation, and not normalised if that is off")
    func shapes() async throws {
        let engine = try Self.engine("bert-mean")
        let raw = try await engine.embed(["hello"], EmbeddingRequest(normalizes: false))[0].vector
        let cut = try await engine.embed(["hello"], EmbeddingRequest(dimensions: 5))[0].vector
        #expect(raw.count == 36 && cut == VectorMath.normalized(Array(raw.prefix(5))))
        for dimensions in [0, 37] {
            await #expect(throws: EmbeddingError.dimensions(asked: dimensions, available: 36)) {
                try await engine.embed(["hello"], EmbeddingRequest(dimensions: dimensions))
            }
        }
    }

    @Test("Errors about a text give its number")
    func errors() async throws {
        let engine = try Self.engine("bert-mean", tokenLimit: 6)
        await #expect(throws: EmbeddingError.emptyText(number: 2)) { try await engine.embed(["hello", ""]) }
        let long = "hello hello hello hello hello"
        await #expect(throws: EmbeddingError.tooManyTokens(number: 1, count: 7, limit: 6)) {
            try await engine.embed([long])
        }
        let cut = try await engine.embed([long], EmbeddingRequest(truncates: true))
        let whole = try await engine.embed(["hello hello hello hello"])
        #expect(cut == whole)
        await #expect(throws: EmbeddingError.tokenOutOfRange(number: 1, token: -1, vocabularySize: 295)) {
            try await engine.embed(tokens: [[2, -1]])
        }
        await #expect(throws: EmbeddingError.emptyText(number: 1)) { try await engine.embed(tokens: [[]]) }
    }

    @Test("Cancelled work ends, and does not affect later work")
    func cancellation() async throws {
        let engine = try Self.engine("bert-mean")
        let flag = CancellationFlag()
        flag.cancel()
        await #expect(throws: CancellationError.self) { try await engine.embed(Self.texts, cancellation: flag) }
        let task = Task { try await engine.embed(Self.texts) }
        task.cancel()
        if case .failure(let error) = await task.result { #expect(error is CancellationError) }
        #expect(try await engine.embed(Self.texts).count == Self.texts.count)
    }

    @Test("Texts are batched by length, within the row limit of a pass")
    func passes() {
        #expect(EmbeddingEngine.passes(over: []) == [])
        #expect(EmbeddingEngine.passes(over: [3, 1, 2]) == [[1, 2, 0]])
        #expect(EmbeddingEngine.passes(over: [600, 500, 20, 700]) == [[2], [1], [0], [3]])
        #expect(EmbeddingEngine.passes(over: [500, 12, 1]) == [[2, 1], [0]])
    }

    @Test("Documents are ranked best first, by the model's own method")
    func ranking() async throws {
        let documents = ["hello world", "the lazy dog", "hello"]
        let cosine = try await Self.engine("bert-mean").rank(documents, for: "hello")
        #expect(cosine[0].index == 2 && abs(cosine[0].score - 1) < 1e-6)
        #expect(cosine.map(\.score) == cosine.map(\.score).sorted(by: >))

        let tokens = try Self.engine("lfm2-tokens")
        let pair = try await tokens.embed(["hello", "hello world"])
        let late = try await tokens.rank(documents, for: "hello")
        let expected = VectorMath.lateInteraction(query: pair[0].vectors, document: pair[1].vectors)
        #expect(late.first { $0.index == 0 }?.score == expected)
        #expect(pair[0].vectors.count == pair[0].tokenCount && pair[0].vectors.count > 1)

        let scores = try await Self.engine("qwen3-rank").rank(documents, for: "hello")
        #expect(Set(scores.map(\.index)) == [0, 1, 2] && scores.allSatisfy { (0...1).contains($0.score) })
        #expect(Set(scores.map(\.score)).count == 3)
    }

    @Test("Queries and documents are tokenised as the model file specifies")
    func lateInteraction() async throws {
        let engine = try Self.lateInteraction()
        let plain = try Self.engine("lfm2-tokens")
        let (query, document) = ("hello", "hello world")
        let words = try plain.tokens(of: document)
        let filled = try engine.tokens(of: query, EmbeddingRequest(role: .query))
        let read = try plain.tokens(of: query)
        #expect(filled == [read[0], 7] + read.dropFirst() + [Token](repeating: 9, count: 12 - read.count - 1))
        #expect(try engine.tokens(of: document) == [words[0], 8] + words.dropFirst())

        let expected = try engine.embedder.vectors(
            of: [filled], .none, seenCounts: [read.count + 1], Compute(threads: 2))[0].map(VectorMath.normalized)
        let found = try await engine.embed([query, query], EmbeddingRequest(role: .query))
        #expect(found.map(\.vectors) == [expected, expected] && found[0].tokenCount == 12)

        // The document's first text token is one of the skipped tokens.
        let all = try await plain.embed(tokens: [[words[0], 8] + words.dropFirst()])[0].vectors
        let kept = try await engine.embed([document])[0]
        #expect(kept.vectors == [all[0], all[1]] + all.dropFirst(3) && kept.tokenCount == words.count + 1)
        let score = try await engine.rank([document], for: query)[0].score
        #expect(score == VectorMath.lateInteraction(query: expected, document: kept.vectors))
    }

    @Test("A query that attends to its expansion tokens is processed like any text")
    func expansionThatIsSeen() async throws {
        let engine = try Self.lateInteraction { $0.set("leap.late_interaction.attends_to_expansion", .bool(true)) }
        let filled = try engine.tokens(of: "hello", EmbeddingRequest(role: .query))
        #expect(filled.count == 12)
        let expected = try await Self.engine("lfm2-tokens").embed(tokens: [filled])
        #expect(try await engine.embed(["hello"], EmbeddingRequest(role: .query)) == expected)
    }

    @Test("A query is not expanded without the metadata key, if it is long, or if its vectors are pooled")
    func noExpansion() async throws {
        let short = try Self.lateInteraction { $0.remove("leap.late_interaction.expansion_token_id") }
        let count = try short.tokens(of: "hello").count
        #expect(try short.tokens(of: "hello", EmbeddingRequest(role: .query)).count == count)
        let engine = try Self.lateInteraction()
        #expect(try engine.tokens(of: "hello", EmbeddingRequest(pooling: .mean, role: .query)).count == count)
        let long = String(repeating: "hello ", count: 20)
        let words = try Self.engine("lfm2-tokens").tokens(of: long)
        #expect(words.count > 12)
        #expect(try engine.tokens(of: long, EmbeddingRequest(role: .query)) == [words[0], 7] + words.dropFirst())
    }

    @Test(
        "Truncated texts have the lengths that the model was trained with", arguments: [TextRole.query, .document])
    func lengths(role: TextRole) throws {
        let engine = try Self.lateInteraction()
        let long = String(repeating: "hello ", count: 40)
        let cut = try engine.tokens(of: long, EmbeddingRequest(truncates: true, role: role))
        let whole = try engine.tokens(of: long, EmbeddingRequest(role: role))
        #expect(cut.count == (role == .query ? 12 : 20) && whole.count > 20)
        #expect(cut.dropLast() == whole.prefix(cut.count - 1) && cut.last == whole.last)
    }

    @Test("A model without query settings processes queries like documents")
    func roles() async throws {
        for name in ["lfm2-tokens", "bert-mean"] {
            let engine = try Self.engine(name)
            let queries = try await engine.embed(Self.texts, EmbeddingRequest(role: .query))
            #expect(try await engine.embed(Self.texts) == queries)
        }
    }

    @Test("Invalid metadata keys are refused by name")
    func wrongKeys() throws {
        func message(_ key: String, _ change: (inout GGUFWriter, String) -> Void) -> String {
            do { _ = try Self.lateInteraction { change(&$0, "leap.late_interaction.\(key)") } } catch {
                return "\(error)"
            }
            return ""
        }
        func message(_ key: String, _ value: GGUFValue) -> String { message(key) { $0.set($1, value) } }
        #expect(message("query_length", .uint32(1)).contains("leap.late_interaction.query_length"))
        #expect(
            message("document_length") { $0.remove($1) }.contains("leap.late_interaction.document_length is missing"))
        for key in ["query_prefix_token_id", "document_prefix_token_id", "expansion_token_id"] {
            #expect(message(key, .uint32(295)).contains("leap.late_interaction.\(key)"))
        }
        #expect(message("attends_to_expansion", .uint32(1)).contains("leap.late_interaction.attends_to_expansion"))
        let skipped = message("skipped_token_ids") { $0.set($1, array: [5, -1] as [Int32]) }
        #expect(skipped.contains("leap.late_interaction.skipped_token_ids has -1"))
    }

    /// A late-interaction model, whose file specifies how queries and documents are tokenised.
    private static func lateInteraction(_ change: (inout GGUFWriter) -> Void = { _ in }) throws -> EmbeddingEngine {
        let file = try GGUFFile(path: Fixture.folder.appendingPathComponent("embeddings/lfm2-tokens.gguf").path)
        let hello = try engine("lfm2-tokens").tokens(of: "hello")[1]
        var writer = GGUFWriter()
        writer.add(contentsOf: file.metadata)
        let numbers: [(String, UInt32)] = [
            ("query_length", 12), ("document_length", 20), ("query_prefix_token_id", 7),
            ("document_prefix_token_id", 8),
            ("expansion_token_id", 9),
        ]
        for (key, value) in numbers { writer.set("leap.late_interaction.\(key)", .uint32(value)) }
        writer.set("leap.late_interaction.skipped_token_ids", array: [hello])
        change(&writer)
        for tensor in file.tensors { try writer.addTensor(tensor) }
        let bytes = try writer.encoded { output in for tensor in file.tensors { try output.append(tensor.bytes) } }
        return try EmbeddingEngine(GGUFFile(bytes: bytes, name: "edited"), compute: Compute(threads: 2))
    }

    @Test("Control tokens in a query's text are not parsed in the ranking template")
    func template() async throws {
        let engine = try Self.engine("qwen3-rank")
        let ranked = try await engine.rank(["[SEP] hello"], for: "[SEP]")
        let text = "q: [SEP] d: [SEP] hello"
        let tokens = engine.tokenizer.encode(text, addSpecial: true, parseSpecial: false)
        let expected = try await engine.embed(tokens: [tokens])
        #expect(ranked.map(\.score) == expected.map { Double($0.vector[0]) })
    }

    @Test("A pair that is too long for the ranking template is refused with the number of all its tokens")
    func longPair() async throws {
        let engine = try Self.engine("qwen3-rank")
        let long = String(repeating: "x ", count: 1000)
        let count = engine.tokenizer.encode("q: a d: \(long)", addSpecial: true, parseSpecial: false).count
        await #expect(throws: EmbeddingError.tooManyTokens(number: 2, count: count, limit: engine.tokenLimit)) {
            try await engine.rank([long], for: "a")
        }
    }

    @Test("Tokens of a query that is read apart count once", arguments: ["bert-mean", "lfm2-tokens"])
    func countsQuery(name: String) async throws {
        let engine = try Self.engine(name)
        let (query, documents) = ("a query of several words", ["hello world", "hello"])
        let counts = try ([query] + documents).map { try engine.tokens(of: $0).count }
        let ranked = try await engine.rank(documents, for: query)
        #expect(ranked.allSatisfy { $0.sharedTokenCount == counts[0] && $0.tokenCount == counts[$0.index + 1] })
        #expect(ranked.tokenCount == counts.reduce(0, +))
    }

    @Test("Similarities follow their definitions")
    func arithmetic() {
        #expect(abs(VectorMath.cosine([1, 0], [1, 1]) - 0.5.squareRoot()) < 1e-15)
        #expect(VectorMath.cosine([0, 0], [1, 1]) == 0)
        #expect(VectorMath.normalized([3, 4]) == [0.6, 0.8] && VectorMath.normalized([0, 0]) == [0, 0])
        #expect(VectorMath.lateInteraction(query: [[1, 0], [0, 2]], document: [[3, 1], [0.5, 4]]) == 11)
    }
}

extension EmbeddingEngineTests {
    @Test("A cross encoder processes the document as a second segment after the query")
    func segmentsOfPairs() async throws {
        let engine = try Self.engine("bert-rank")
        let documents = ["hello world", "the quick brown fox"]
        let ranked = try await engine.rank(documents, for: "a query")
        for result in ranked {
            let texts = ["a query", documents[result.index]].map {
                engine.tokenizer.encode($0, addSpecial: false, parseSpecial: false)
            }
            let tokens = [2] + texts[0] + [3] + texts[1] + [3]
            let score = try engine.embedder.vectors(
                of: [tokens], .rank, secondSegments: [texts[0].count + 2], Compute(threads: 2))[0][0][0]
            #expect(result.score == Double(score) && result.tokenCount == tokens.count && result.sharedTokenCount == 0)
        }
    }
}
