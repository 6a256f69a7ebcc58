import Testing
import _LeapTestSupport

@testable import LeapTokenizer

@Suite("Decoding")
struct DecodingTests {
    /// Token n is byte n.
    private static let bytes = Result { try Tokenizer(byteLevel()) }

    private func stream(_ tokens: some Sequence<Token>, _ tokenizer: Tokenizer) -> [String] {
        var decoder = StreamingDecoder(tokenizer: tokenizer, renderSpecial: false)
        var parts = tokens.map { decoder.append($0) }
        parts.append(decoder.finish())
        return parts
    }

    @Test("A character is emitted with its last byte")
    func characters() throws {
        let tokenizer = try Self.bytes.get()
        #expect(stream("aé€😀".utf8.map(Token.init), tokenizer) == ["a", "", "é", "", "", "€", "", "", "", "😀", ""])
    }

    @Test(
        "Invalid bytes are replaced as String(decoding:as:) replaces them in the whole text",
        arguments: [
            [0x80], [0xC3], [0xC3, 0x41], [0xE4, 0xB8], [0xE4, 0xB8, 0x41], [0xF0, 0x9F, 0x98],
            [0xF0, 0x9F, 0xF0, 0x9F],
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80], [0xFF, 0xFE], [0xE4, 0xE4, 0xB8, 0xAD], [0x00, 0xC3, 0x00],
            [0xF0, 0x80, 0x80, 0x80], [0xED, 0x9F, 0xBF], [0xEF, 0xBF, 0xBE], [0xEF, 0xBB, 0xBF, 0x41],
        ] as [[UInt8]])
    func invalidBytes(bytes: [UInt8]) throws {
        let tokenizer = try Self.bytes.get()
        let whole = String(decoding: bytes, as: UTF8.self)
        #expect(Array(tokenizer.decode(bytes.map(Token.init)).utf8) == Array(whole.utf8))
        #expect(Array(stream(bytes.map(Token.init), tokenizer).joined().utf8) == Array(whole.utf8))
    }

    @Test("Streaming random bytes gives the same text as decoding them at once", arguments: 1...4)
    func randomBytes(seed: UInt64) throws {
        let tokenizer = try Self.bytes.get()
        var random = SeededRandomNumberGenerator(seed: seed)
        let leads: [UInt8] = [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC3, 0xE0, 0xE4, 0xED, 0xF0, 0xF4, 0xFF]
        for _ in 0..<1_000 {
            let bytes = (0..<8).map { _ in leads.randomElement(using: &random) ?? 0 }
            let parts = stream(bytes.map(Token.init), tokenizer)
            #expect(parts.joined() == String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("Streaming gives the same text wherever it is split into tokens")
    func everySplit() throws {
        let text = "é€😀a"
        let bytes = Array(text.utf8)
        for cut in 1..<bytes.count {
            // One token for the bytes before the cut, one for those after it.
            let halves = [bytes[..<cut], bytes[cut...]].map { half in half.map { byteSpellings[Int($0)] }.joined() }
            let tokenizer = try Tokenizer(byteLevel(merged: halves.filter { $0.unicodeScalars.count > 1 }))
            let parts = stream(halves.compactMap(tokenizer.token(for:)), tokenizer)
            #expect(parts.joined() == text)
            #expect(!parts[0].unicodeScalars.contains("\u{FFFD}"))
            #expect(parts[2].isEmpty)
        }
    }

    @Test("Ids outside the vocabulary decode to nothing", arguments: [-1, 256, .max, .min] as [Token])
    func unknownIDs(id: Token) throws {
        let tokenizer = try Self.bytes.get()
        #expect(tokenizer.bytes(of: id, renderSpecial: true).isEmpty)
        #expect(tokenizer.text(of: id) == nil)
        #expect(tokenizer.decode([97, id, 98]) == "ab")
        #expect(tokenizer.type(of: id) == .undefined)
        #expect(!tokenizer.isControl(id))
    }

    @Test("The token type determines whether a token is rendered")
    func types() throws {
        let types: [TokenType] = [.control, .unknown, .userDefined, .normal, .unused, .undefined]
        let added = types.map { ("<\($0)>", $0) } + [("<0x41>", TokenType.byte)]
        let tokenizer = try Tokenizer(byteLevel(added: added))
        let hidden = (256..<263).map { String(decoding: tokenizer.bytes(of: $0, renderSpecial: false), as: UTF8.self) }
        #expect(hidden == ["", "", "<userDefined>", "<normal>", "", "", "A"])
        let shown = (256..<258).map { String(decoding: tokenizer.bytes(of: $0, renderSpecial: true), as: UTF8.self) }
        #expect(shown == ["<control>", "<unknown>"])
    }

    @Test("A token whose text is not a byte-level spelling decodes to its text")
    func unspelledText() throws {
        let tokenizer = try Tokenizer(byteLevel(added: [("a b", .normal), ("中", .normal), ("ĠĊ", .normal)]))
        #expect(tokenizer.decode([256, 257, 258]) == "a b中 \n")
    }

    @Test("SentencePiece decoding removes only the space that encoding added")
    func spacePrefix() throws {
        let tokenizer = try Tokenizer(sentencePiece([("▁", -1), ("a", -2), ("▁a", 0)]))
        #expect(tokenizer.decode([261, 261]) == "a a")
        #expect(tokenizer.decode([259, 261]) == " a")
        #expect(tokenizer.decode([1, 261]) == "a")
        #expect(tokenizer.decode([1, 261], renderSpecial: true) == "<s> a")
        #expect(stream([1, 261, 261], tokenizer).joined() == "a a")
        var continuing = StreamingDecoder(tokenizer: tokenizer, renderSpecial: false, continuesText: true)
        #expect(continuing.append(261) == " a")
    }

    @Test(
        "Clean-up removes spaces before punctuation and contractions, and around a lone apostrophe",
        arguments: [
            ("a , b . c ! d ?", "a, b. c! d?"), ("it 's he 'm we 're I 've", "it's he'm we're I've"),
            ("do n't he 'll he 'd", "do n't he 'll he 'd"), ("a ' b", "a'b"), ("a ' ' b", "a'' b"), ("' b", "' b"),
            ("  .", " ."), (" .", "."), ("", ""), (" ", " "), ("a '", "a '"), ("?", "?"),
        ])
    func cleanup(text: String, expected: String) throws {
        let tokenizer = try Self.bytes.get()
        #expect(tokenizer.decode(text.utf8.map(Token.init), cleanUpSpaces: true) == expected)
        #expect(tokenizer.decode(text.utf8.map(Token.init)) == text)
    }

    @Test("Only WordPiece asks for clean-up: the tokens of other vocabularies hold the spaces")
    func cleanedVocabularies() throws {
        for name in PreTokenizer.supportedNames {
            #expect(try !Tokenizer(byteLevel(preTokenizer: name)).cleansUpSpaces, "\(name)")
        }
        #expect(try !Tokenizer(sentencePiece([])).cleansUpSpaces)
        #expect(try Tokenizer(TokenizerDescription(model: "bert", texts: ["▁a"])).cleansUpSpaces)
    }
}
