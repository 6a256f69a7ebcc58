import Foundation
import LeapGGUF
import Testing
import _LeapTestSupport

@testable import LeapTokenizer

/// SentencePiece's unigram models, compared with the sentencepiece library.
@Suite("Unigram models")
struct UnigramTests {
    /// The output of `scripts/fixtures/unigram.py`.
    private struct Reference: Decodable {
        struct Case: Decodable {
            let text: String
            let ids: [Token]
        }
        let cases: [Case]
    }

    private static func file(_ name: String) -> URL { Fixture.folder.appendingPathComponent("embeddings/\(name)") }

    private static func tokenizer() throws -> Tokenizer {
        try Tokenizer(metadata: GGUFFile(path: file("unigram.gguf").path).metadata)
    }

    @Test("Text is encoded to the reference's ids, with BOS and EOS around them")
    func ids() throws {
        let reference = try JSONDecoder().decode(
            Reference.self, from: Data(contentsOf: Self.file("unigram.json")))
        let tokenizer = try Self.tokenizer()
        #expect(reference.cases.count > 200)
        for item in reference.cases {
            let found = tokenizer.encode(item.text, addSpecial: false, parseSpecial: false)
            #expect(found == item.ids, "\(item.text.debugDescription)")
            let whole = tokenizer.encode(item.text, addSpecial: true, parseSpecial: true)
            #expect(whole == [1] + item.ids + [2])
        }
        #expect(tokenizer.model == "t5" && tokenizer.preTokenizer == nil && tokenizer.addsSeparator)
    }

    @Test("Byte-pair vocabularies apply the file's character map and whitespace rule")
    func bytePairs() throws {
        var description = sentencePiece([("\u{2581}", -9), ("f", -9), ("i", -9), ("x", -9), ("\u{2581}f", -1)])
        let metadata = try GGUFFile(path: Self.file("unigram.gguf").path).metadata
        let map = try metadata.integersIfPresent("tokenizer.ggml.precompiled_charsmap")
        description.characterMap = try #require(map).map { UInt8(truncatingIfNeeded: $0) }
        func encode(_ text: String) throws -> [Token] {
            try Tokenizer(description).encode(text, addSpecial: false, parseSpecial: false)
        }
        #expect(try encode(" ﬁ  ｘ ") == [259, 263, 261, 259, 259, 262, 259])
        description.removesExtraSpaces = true
        #expect(try encode(" ﬁ  ｘ ") == [263, 261, 259, 262])
        // The whitespace rule does not need a map.
        description.characterMap = nil
        #expect(try encode(" fi  x ") == [263, 261, 259, 262])
        description.removesExtraSpaces = nil
        #expect(try encode(" fi  x ") == [259, 263, 261, 259, 259, 262, 259])
    }

    @Test("A long text has the tokens of its words, and a limit keeps the first ones")
    func longText() throws {
        let tokenizer = try Self.tokenizer()
        let words = (0..<30_000).map { ["the", "quick", "brown", "ﬁx", "你好", "２３", "…"][$0 * $0 % 7] }
        let expected = words.flatMap { tokenizer.encode($0, addSpecial: false, parseSpecial: false) }
        let text = words.joined(separator: " \u{3000}\t ")
        #expect(tokenizer.encode(text, addSpecial: false, parseSpecial: false) == expected)
        let first = tokenizer.encode(text, addSpecial: false, parseSpecial: false, keeping: 100)
        #expect(first.tokens == Array(expected.prefix(100)) && first.count == expected.count)
    }

    @Test("Decoded words are separated by single spaces, without one at the start")
    func decoding() throws {
        let tokenizer = try Self.tokenizer()
        let ids = tokenizer.encode("  the quick   brown fox ", addSpecial: true, parseSpecial: false)
        #expect(tokenizer.decode(ids) == "the quick brown fox")
    }

    @Test("Control tokens are parsed only on request, and user-defined ones always")
    func specialTokens() throws {
        let tokenizer = try Self.tokenizer()
        let mask = try #require(tokenizer.token(for: "<mask>"))
        let mark = try #require(tokenizer.token(for: "[Q]"))
        #expect(!tokenizer.encode("a <mask>", addSpecial: false, parseSpecial: false).contains(mask))
        #expect(tokenizer.encode("a <mask>", addSpecial: false, parseSpecial: true).contains(mask))
        #expect(tokenizer.encode("a [Q]", addSpecial: false, parseSpecial: false).contains(mark))
    }

    /// A vocabulary of texts and scores, with the unknown token as token 0.
    private static func tokenizer(
        _ pieces: [(String, Float)], _ change: (inout TokenizerDescription) -> Void = { _ in }
    ) throws -> Tokenizer {
        var description = TokenizerDescription(model: "t5", texts: ["<unk>"] + pieces.map(\.0))
        description.scores = [0] + pieces.map(\.1)
        description.types = [.unknown] + pieces.map { _ in .normal }
        description.ids["tokenizer.ggml.unknown_token_id"] = 0
        change(&description)
        return try Tokenizer(description)
    }

    @Test("The most probable segmentation wins, and adjacent unknown characters become one token")
    func probabilities() throws {
        let tokenizer = try Self.tokenizer([("▁", -2), ("a", -3), ("b", -3), ("▁a", -2.5), ("ab", -9), ("▁ab", -9)])
        func ids(_ text: String) -> [Token] { tokenizer.encode(text, addSpecial: false, parseSpecial: false) }
        #expect(ids("ab") == [4, 3] && ids("aab") == [4, 2, 3])
        #expect(ids("xy") == [1, 0] && ids("xyaz") == [1, 0, 2, 0] && ids("x y") == [1, 0, 1, 0])
        #expect(ids("") == [] && ids("   ") == [])
    }

    @Test("Unknown characters are spelled by byte tokens if the vocabulary has all of them", arguments: [256, 255])
    func byteTokens(count: Int) throws {
        let bytes = (0..<count).map { (ByteToken.text(of: UInt8($0)), Float(0)) }
        let tokenizer = try Self.tokenizer([("▁", -2), ("a", -3), ("▁a", -2.5)] + bytes) {
            $0.types?.replaceSubrange(4..., with: Array(repeating: .byte, count: count))
        }
        let ids = tokenizer.encode("aéxa <0x41>", addSpecial: false, parseSpecial: false)
        if count == 256 {
            #expect(ids == [3] + "éx".utf8.map { 4 + Token($0) } + [2, 1] + "<0x41>".utf8.map { 4 + Token($0) })
            #expect(tokenizer.decode(ids) == "aéxa <0x41>")
        } else {
            #expect(ids == [3, 0, 2, 1, 0])
        }
    }

    @Test("Extra spaces and the space prefix follow the file")
    func spaces() throws {
        let pieces: [(String, Float)] = [("▁", -2), ("a", -3), ("▁a", -2.5)]
        func ids(_ text: String, prefix: Bool, removes: Bool) throws -> [Token] {
            try Self.tokenizer(pieces) { ($0.addsSpacePrefix, $0.removesExtraSpaces) = (prefix, removes) }
                .encode(text, addSpecial: false, parseSpecial: false)
        }
        #expect(try ids(" a  a ", prefix: true, removes: true) == [3, 3])
        #expect(try ids(" a  a ", prefix: false, removes: true) == [2, 3])
        #expect(try ids(" a  a ", prefix: true, removes: false) == [1, 3, 1, 3, 1])
        #expect(try ids(" a  a ", prefix: false, removes: false) == [3, 1, 3, 1])
    }

    @Test("Pieces that are prefixes of one another are all found, up to a limit that bounds the time")
    func nestedPieces() throws {
        let longest = Vocabulary.longestMerged
        let pieces = [("▁", Float(-9))] + (1...longest + 1).map { (String(repeating: "a", count: $0), Float(-1)) }
        let tokenizer = try Self.tokenizer(pieces + [("ab", -1), ("aab", -1), ("b", -9)]) { $0.addsSpacePrefix = false }
        func ids(_ text: String) -> [Token] { tokenizer.encode(text, addSpecial: false, parseSpecial: false) }
        for count in [1, 2, 3, 7, 100, longest] {
            #expect(ids(String(repeating: "a", count: count)) == [Token(count + 1)])
        }
        #expect(ids(String(repeating: "a", count: longest + 1)).count == 2)
        #expect(ids("aab").count == 1 && ids("ab").count == 1)
    }

    @Test("The pieces that begin a text are found as by trying all of them", arguments: 1...10)
    func prefixes(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        func word(_ longest: Int) -> [UInt8] {
            (0..<Int.random(in: 1...longest, using: &random)).map { _ in UInt8.random(in: 97...100, using: &random) }
        }
        var texts = TokenTexts()
        for _ in 0..<200 { texts.append(word(5)) }
        let vocabulary = try Vocabulary(texts: texts, types: nil, scores: nil)
        let pieces = SortedPieces(of: vocabulary)
        for _ in 0..<200 {
            let text = word(8)
            var found: [ArraySlice<UInt8>] = []
            pieces.forEachPrefix(of: text, from: 0, texts) { token, length in
                #expect(texts[Int(token)].count == length)
                found.append(texts[Int(token)])
            }
            let expected = (1...text.count).map { text[..<$0] }.filter { prefix in
                vocabulary.token(for: Array(prefix), in: prefix.indices) != nil
            }
            #expect(found.map { Array($0) } == expected.map { Array($0) })
        }
    }

    @Test("Pieces that span several words are used")
    func innerSpaces() throws {
        let tokenizer = try Self.tokenizer([("▁", -2), ("a", -3), ("▁a", -2.5), ("▁a▁a", -1)])
        #expect(tokenizer.encode("a a a", addSpecial: false, parseSpecial: false) == [3, 4])
    }

    @Test("A file without scores, or with an invalid character map, is refused")
    func refusals() throws {
        var writer = GGUFWriter()
        writer.add(contentsOf: try GGUFFile(path: Self.file("unigram.gguf").path).metadata)
        writer.remove("tokenizer.ggml.scores")
        let file = try GGUFFile(bytes: writer.encoded { _ in }, name: "scoreless")
        let error = #expect(throws: TokenizerError.self) { try Tokenizer(metadata: file.metadata) }
        #expect(error?.description.contains("tokenizer.ggml.scores") == true)
        for (bytes, text) in [
            ([1, 2, 3], "expected at least 8, of which the first 4 hold the size"),
            ([5, 0, 0, 0, 1, 2, 3, 4], "a multiple of 4"),
            ([8, 0, 0, 0, 1, 2, 3, 4], "from 4 to 4"), ([0, 0, 0, 0, 0, 0, 0, 0], "a tree of 0 bytes"),
        ] as [([UInt8], String)] {
            let error = #expect(throws: TokenizerError.self) {
                try Self.tokenizer([("a", -1)]) { $0.characterMap = bytes }
            }
            #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        }
    }

    /// The texts, some of which are changed, cut off, or replaced by others.
    private static func damaged(_ texts: TokenTexts, _ random: inout SeededRandomNumberGenerator) -> TokenTexts {
        var damaged = TokenTexts()
        for index in 0..<texts.count {
            var text = Array(texts[index])
            switch Int.random(in: 0..<20, using: &random) {
            case 0: text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 1 where text.count > 1: text.removeLast()
            case 2: text = Array(texts[Int.random(in: 0..<texts.count, using: &random)])
            default: break
            }
            damaged.append(text)
        }
        return damaged
    }

    @Test("Damaged character maps, scores and pieces give valid tokens", arguments: 1...40)
    func damage(seed: UInt64) throws {
        let file = try GGUFFile(path: Self.file("unigram.gguf").path)
        var description = try TokenizerDescription(file.metadata)
        var random = SeededRandomNumberGenerator(seed: seed)
        var map = try #require(description.characterMap)
        for _ in 0..<Int.random(in: 1...2000, using: &random) {
            map[Int.random(in: 4..<map.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        description.characterMap = map
        var scores = try #require(description.scores)
        for _ in 0..<20 {
            let score: Float = [.nan, .infinity, -.infinity, 1e38, -1e38, 0].randomElement(using: &random) ?? 0
            scores[Int.random(in: 0..<scores.count, using: &random)] = score
        }
        if seed.isMultiple(of: 2) { description.scores = scores }
        if seed.isMultiple(of: 3) { description.texts = Self.damaged(description.texts, &random) }
        let tokenizer = try Tokenizer(description)
        for _ in 0..<20 {
            let scalars = (0..<200).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x3FF : 0x10FFFF), using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let tokens = tokenizer.encode(text, addSpecial: true, parseSpecial: true)
            #expect(tokens.allSatisfy { (0..<tokenizer.vocabularySize).contains(Int($0)) })
            _ = tokenizer.decode(tokens)
        }
    }
}
