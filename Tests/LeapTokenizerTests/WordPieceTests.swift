import Foundation
import Testing
import _LeapTestSupport

@testable import LeapTokenizer

/// WordPiece, compared with Hugging Face's tokenizers.
@Suite("WordPiece")
struct WordPieceTests {
    /// The output of `scripts/fixtures/word_pieces.py`.
    private struct Reference: Decodable {
        struct Case: Decodable {
            let text: String
            let ids: [Token]
        }
        let tokens: [String]
        let cases: [Case]
    }

    private static func reference() throws -> Reference {
        let file = Fixture.folder.appendingPathComponent("embeddings/word-pieces.json")
        return try JSONDecoder().decode(Reference.self, from: Data(contentsOf: file))
    }

    private static func tokenizer(_ tokens: [String]) throws -> Tokenizer {
        var description = TokenizerDescription(model: "bert", texts: tokens)
        description.types = tokens.indices.map { $0 == 1 ? .unknown : $0 < 5 ? .control : .normal }
        for (key, id) in ["padding": 0, "unknown": 1, "cls": 2, "seperator": 3] {
            description.ids["tokenizer.ggml.\(key)_token_id"] = id
        }
        return try Tokenizer(description)
    }

    @Test("Text is encoded to the reference's ids, including the tokens around it")
    func ids() throws {
        let reference = try Self.reference()
        let tokenizer = try Self.tokenizer(reference.tokens)
        #expect(reference.cases.count > 200)
        for item in reference.cases {
            let found = tokenizer.encode(item.text, addSpecial: true, parseSpecial: false)
            #expect(found == item.ids, "\(item.text.debugDescription): \(pieces(found)) for \(pieces(item.ids))")
        }
        func pieces(_ ids: [Token]) -> [String] { ids.map { reference.tokens[Int($0)] } }
    }

    @Test("Unordered combining marks are normalised in acceptable time", .timeLimit(.minutes(1)))
    func unorderedAccents() throws {
        let tokenizer = try Self.tokenizer(Self.reference().tokens)
        func ids(_ marks: String, _ count: Int) -> [Token] {
            tokenizer.encode("h" + String(repeating: marks, count: count) + "i", addSpecial: true, parseSpecial: false)
        }
        let plain = ids("", 0)
        #expect(ids("\u{301}\u{323}", 2) == plain)
        #expect(ids("\u{301}\u{323}", 400_000) == plain)
        // Marks that are kept make the word too long, so it becomes unknown.
        #expect(ids("\u{302E}\u{1D165}", 100_000) == [2, 1, 3])
    }

    @Test("Text that spells a control token does not become it")
    func controlTokens() throws {
        let tokenizer = try Self.tokenizer(Self.reference().tokens)
        #expect(tokenizer.encode("[SEP]", addSpecial: false, parseSpecial: true) == [3])
        #expect(!tokenizer.encode("[SEP]", addSpecial: false, parseSpecial: false).contains(3))
    }

    @Test("Decoded words are separated by spaces")
    func decoding() throws {
        let tokenizer = try Self.tokenizer(Self.reference().tokens)
        let ids = tokenizer.encode("Hello, playing WORLD", addSpecial: true, parseSpecial: false)
        #expect(tokenizer.decode(ids) == "hello , playing world")
        #expect(tokenizer.decode(ids, cleanUpSpaces: true) == "hello, playing world")
    }

    @Test(
        "Case and accents are kept as the file specifies",
        arguments: [
            (nil, nil, "▁ete"), (false, nil, "▁Été"), (true, false, "▁été"), (false, true, "▁Ete"),
            (nil, false, "▁été"),
        ] as [(Bool?, Bool?, String)])
    func letters(lowercases: Bool?, stripsAccents: Bool?, expected: String) throws {
        let texts = ["▁ete", "▁Été", "▁été", "▁Ete"]
        var description = TokenizerDescription(model: "bert", texts: texts)
        description.lowercases = lowercases
        description.stripsAccents = stripsAccents
        let found = try Tokenizer(description).encode("Été", addSpecial: true, parseSpecial: false)
        #expect(found.map { texts[Int($0)] } == [expected])
    }

    @Test("Without an unknown token, words that cannot be spelled are omitted")
    func withoutUnknown() throws {
        let tokenizer = try Tokenizer(TokenizerDescription(model: "bert", texts: ["▁a", "b"]))
        #expect(tokenizer.encode("ab ax A", addSpecial: true, parseSpecial: false) == [0, 1, 0])
    }
}
