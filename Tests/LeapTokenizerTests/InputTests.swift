import Testing
import _LeapTestSupport

@testable import LeapTokenizer

@Suite("Arbitrary input")
struct InputTests {
    private static let tokenizers = Result {
        try
            (PreTokenizer.supportedNames.map { try Tokenizer(byteLevel(preTokenizer: $0)) }
            + [Tokenizer(sentencePiece([("▁", -2), ("a", -3), ("▁a", -1), ("中", -4)]))])
    }

    @Test("Random text survives encoding and decoding with every kind of tokenizer")
    func roundTrip() throws {
        var random = SeededRandomNumberGenerator(seed: 3)
        for tokenizer in try Self.tokenizers.get() {
            for _ in 0..<50 {
                let text = randomText(&random, upTo: 60)
                guard !text.unicodeScalars.contains("\u{2581}") else { continue }
                let ids = tokenizer.encode(text, addSpecial: false, parseSpecial: false)
                #expect(Array(tokenizer.decode(ids).utf8) == Array(text.utf8))
            }
        }
    }

    @Test(
        "Invalid UTF-8 is encoded as U+FFFD",
        arguments: [
            [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE4, 0xB8], [0x61, 0xF0, 0x9F, 0x62], [0x80, 0x80],
            [0xFE, 0xFF],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) throws {
        let repaired = String(decoding: bytes, as: UTF8.self)
        for tokenizer in try Self.tokenizers.get() {
            let ids = tokenizer.encode(utf8: bytes, addSpecial: false, parseSpecial: true)
            #expect(ids == tokenizer.encode(repaired, addSpecial: false, parseSpecial: true))
            #expect(tokenizer.decode(ids) == repaired)
        }
    }

    @Test(
        "NUL bytes, byte order marks and noncharacters are preserved",
        arguments: ["\0", "a\0b", "\u{FEFF}x", "\u{FFFE}", "\u{10FFFF}"])
    func unusualScalars(text: String) throws {
        for tokenizer in try Self.tokenizers.get() {
            let ids = tokenizer.encode(text, addSpecial: false, parseSpecial: true)
            #expect(!ids.isEmpty)
            #expect(Array(tokenizer.decode(ids).utf8) == Array(text.utf8))
        }
    }

    @Test(
        "Long runs of one unit survive encoding and decoding",
        arguments: ["a", " ", "\n", "\t", "7", "!", "'", "😀", "\u{301}", "中", "<|", " \n"])
    func longRuns(unit: String) throws {
        let text = String(repeating: unit, count: 3_000)
        for tokenizer in try Self.tokenizers.get() {
            #expect(tokenizer.decode(tokenizer.encode(text, addSpecial: false, parseSpecial: true)) == text)
        }
    }

    @Test("In byte-level vocabularies, a byte without a token is omitted")
    func missingByte() throws {
        let description = TokenizerDescription(model: "gpt2", preTokenizer: "gpt-2", texts: ["a", "b"])
        #expect(try Tokenizer(description).encode("acb", addSpecial: false, parseSpecial: false) == [0, 1])
    }

    @Test(
        "In SentencePiece vocabularies without byte tokens, a run of characters without a token is one unknown token",
        arguments: [
            ("ac", [1, 0]), ("é中", [0]), ("é中a中", [0, 1, 0]), ("é 中", [0, 2, 0]), ("", []),
        ] as [(String, [Token])])
    func unknownCharacters(text: String, expected: [Token]) throws {
        var description = TokenizerDescription(model: "llama", texts: ["<unk>", "a", "▁"])
        description.types = [.unknown, .normal, .normal]
        description.addsSpacePrefix = false
        let tokenizer = try Tokenizer(description)
        #expect(tokenizer.encode(text, addSpecial: false, parseSpecial: false) == expected)
        #expect(tokenizer.fewestTokens(ofBytes: 1 << 20) == 0)
    }

    @Test("A run of unknown characters extends over words, but not over special tokens")
    func unknownRun() throws {
        var description = TokenizerDescription(model: "llama", texts: ["<unk>", "<s>", "</s>", "a"])
        description.types = [.unknown, .control, .control, .normal]
        let tokenizer = try Tokenizer(description)
        #expect(tokenizer.encode("é é a", addSpecial: false, parseSpecial: true) == [0, 3])
        #expect(tokenizer.encode("é</s>é", addSpecial: false, parseSpecial: true) == [0, 2, 0])
    }

    @Test(
        "A byte token that does not spell a byte is treated as text",
        arguments: ["<0x-1>", "<0xZZ>", "<0x>", "<0x100>", "0x41", ""])
    func byteTokens(text: String) throws {
        #expect(ByteToken.value(of: Array(text.utf8)[...]) == nil)
        guard !text.isEmpty else { return }
        let tokenizer = try Tokenizer(byteLevel(added: [(text, .byte)]))
        #expect(tokenizer.type(of: 256) == .normal)
        #expect(tokenizer.decode([256]) == text)
    }

    @Test("Every byte token spells its byte")
    func byteTokenSpelling() {
        for byte in 0...UInt8.max {
            #expect(ByteToken.value(of: Array(ByteToken.text(of: byte).utf8)[...]) == byte)
            #expect(ByteToken.value(of: Array(ByteToken.text(of: byte).lowercased().utf8)[...]) == byte)
        }
    }

    @Test("In byte-level vocabularies, every byte has a unique spelling")
    func byteSpelling() {
        #expect(Set(byteSpellings).count == 256)
        #expect(byteSpellings[0x20] == "Ġ" && byteSpellings[0x0A] == "Ċ" && byteSpellings[0x41] == "A")
        for byte in 0...UInt8.max {
            #expect(ByteLevel.bytes(spelledBy: Array(byteSpellings[Int(byte)].utf8)[...]) == [byte])
        }
    }
}
