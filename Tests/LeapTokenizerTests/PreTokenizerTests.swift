import Foundation
import Testing
import _LeapTestSupport

@testable import LeapTokenizer

@Suite("Pre-tokenizers")
struct PreTokenizerTests {
    /// Texts with their pieces by an independent implementation of the published patterns: `make-pieces.py`.
    private static let reference: [String: [Case]] = {
        let data = (try? Data(contentsOf: fixture("pieces.json"))) ?? Data()
        return (try? JSONDecoder().decode([String: [Case]].self, from: data)) ?? [:]
    }()

    private struct Case: Decodable {
        let text: String
        let pieces: [String]

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            text = try values.decode(String.self)
            pieces = try values.decode([String].self)
        }
    }

    private func pieces(_ text: String, _ preTokenizer: PreTokenizer) -> [String] {
        let utf8 = Array(text.utf8)
        let scalars = ScalarText(utf8, in: utf8.indices)
        var start = 0
        return preTokenizer.split(scalars).map { end in
            defer { start = end }
            return String(decoding: utf8[scalars.offsets[start]..<scalars.offsets[end]], as: UTF8.self)
        }
    }

    @Test(
        "Pieces match the published patterns",
        arguments: [
            "gpt-2", "llama-bpe", "qwen2", "qwen35", "smollm", "falcon", "default", "deepseek-coder", "deepseek-llm",
            "gpt-4o", "tekken",
        ])
    func publishedPatterns(name: String) throws {
        let preTokenizer = try #require(PreTokenizer(named: name))
        let cases = try #require(Self.reference[name])
        #expect(cases.count > 100)
        for item in cases {
            #expect(pieces(item.text, preTokenizer) == item.pieces, "\(name): \(item.text.debugDescription)")
        }
    }

    @Test(
        "Names that share a pattern split alike",
        arguments: [
            ("lfm2", "llama-bpe"), ("llama3", "llama-bpe"), ("llama-v3", "llama-bpe"), ("dbrx", "llama-bpe"),
            ("smaug-bpe", "llama-bpe"), ("deepseek-r1-qwen", "qwen2"), ("stablelm2", "qwen2"), ("mpt", "gpt-2"),
            ("olmo", "gpt-2"), ("jina-v2-de", "gpt-2"), ("starcoder", "smollm"), ("refact", "smollm"),
            ("command-r", "smollm"), ("codeshell", "smollm"), ("exaone", "smollm"), ("minerva-7b", "smollm"),
            ("gpt-neox", "default"), ("llama4", "gpt-4o"),
        ])
    func aliases(name: String, other: String) throws {
        let preTokenizer = try #require(PreTokenizer(named: name))
        for item in try #require(Self.reference[other]) {
            #expect(pieces(item.text, preTokenizer) == item.pieces, "\(name): \(item.text.debugDescription)")
        }
    }

    @Test("No piece is empty, and the pieces add up to the text", arguments: PreTokenizer.supportedNames)
    func piecesMakeTheText(name: String) throws {
        let preTokenizer = try #require(PreTokenizer(named: name))
        var random = SeededRandomNumberGenerator(seed: 1)
        for _ in 0..<100 {
            let text = randomText(&random, upTo: 40)
            let pieces = pieces(text, preTokenizer)
            #expect(Array(pieces.joined().utf8) == Array(text.utf8))
            #expect(!pieces.contains(""))
        }
    }

    @Test(
        "Digits are grouped in threes, one by one, or all together",
        arguments: [
            ("llama-bpe", ["a", "123", "456", "7"]), ("qwen2", ["a", "1", "2", "3", "4", "5", "6", "7"]),
            ("gpt-2", ["a", "1234567"]), ("falcon", ["a", "123", "456", "7"]),
            ("deepseek-llm", ["a", "1234567"]),
        ])
    func digits(name: String, expected: [String]) throws {
        #expect(pieces("a1234567", try #require(PreTokenizer(named: name))) == expected)
    }

    @Test("Combining marks belong to words in Qwen 3.5's pattern but not in Qwen 2's")
    func marks() throws {
        #expect(pieces("हिन्दी", try #require(PreTokenizer(named: "qwen35"))) == ["हिन्दी"])
        #expect(pieces("हिन्दी", try #require(PreTokenizer(named: "qwen2"))).count > 1)
    }

    @Test("Scalars newer than Unicode 15.1 have no class, on every platform")
    func unicodeVersion() {
        #expect(ScalarClass(of: 0x1C89) == .other)  // a letter since Unicode 16
        #expect(ScalarClass(of: 0x1_E5F1) == .other)  // a digit since Unicode 16
        #expect(ScalarClass(of: 0x2_EBF0) == .caseless)  // a letter since Unicode 15.1
        #expect(ScalarClass(of: 0x11F4) == .caseless)
    }

    @Test("A scalar's class does not depend on how long the text is")
    func classes() {
        for value in UInt32(0)...0x1_2000 {
            #expect(ScalarClass(of: value) == ScalarClass(of: value, isOneOfMany: true))
        }
    }

    @Test("Values that are not Unicode scalars have no class", arguments: [0xD800, 0xDFFF, 0x11_0000, UInt32.max])
    func noScalars(value: UInt32) { #expect(ScalarClass(of: value) == .other) }

    @Test("An unknown name gives no pre-tokenizer", arguments: ["", "gpt2", "LLAMA3", "default "])
    func unknownName(name: String) { #expect(PreTokenizer(named: name)?.name == nil) }
}
