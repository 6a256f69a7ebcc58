import Testing
import _LeapTestSupport

@testable import LeapTokenizer

/// Long texts are encoded through windows, so that memory does not depend on their length.
@Suite("Long texts")
struct LongTextTests {
    @Test(
        "splitting through a window gives the same pieces as splitting the whole text",
        arguments: PreTokenizer.supportedNames)
    func windows(name: String) throws {
        let preTokenizer = try #require(PreTokenizer(named: name))
        var random = SeededRandomNumberGenerator(seed: 11)
        for _ in 0..<300 {
            let text = Array(randomText(&random, upTo: 120).utf8)
            let whole = ScalarText(text, in: text.indices)
            let expected = preTokenizer.split(whole).map { whole.offsets[$0] }
            for window in [1, 7, 16, 40] {
                var ends: [Int] = []
                var start = 0
                preTokenizer.forEachPiece(of: text, in: text.indices, window: window) { piece in
                    #expect(piece.lowerBound == start && !piece.isEmpty)
                    start = piece.upperBound
                    ends.append(start)
                }
                #expect(ends == expected, "\(String(decoding: text, as: UTF8.self).debugDescription)")
            }
        }
    }

    @Test("runs longer than a window are split like the whole text", arguments: PreTokenizer.supportedNames)
    func longRuns(name: String) throws {
        let preTokenizer = try #require(PreTokenizer(named: name))
        for piece in ["a", " ", "\n", "中", "!", "7", " \n", "a'll", "é "] {
            let text = Array(String(repeating: piece, count: 300).utf8) + Array("x y".utf8)
            let whole = ScalarText(text, in: text.indices)
            let expected = preTokenizer.split(whole).map { whole.offsets[$0] }
            var ends: [Int] = []
            preTokenizer.forEachPiece(of: text, in: text.indices, window: 16) { ends.append($0.upperBound) }
            #expect(ends == expected, "\(piece.debugDescription)")
        }
    }

    /// Merges of "ab", "abab", " a" and "ca", whose effects extend across the ends of windows.
    private static let vocabularies: [TokenizerDescription] = [
        byteLevel(preTokenizer: "llama-bpe", merged: ["ab", "abab", "ca"], merges: ["a b", "ab ab", "c a"]),
        sentencePiece([("a", 0), ("b", 0), ("c", 0), ("▁", 0), ("ab", 3), ("abab", 2), ("▁a", 1), ("ca", 4)]),
        sentencePiece([("a", 0), ("b", 0), ("c", 0), ("▁", 0), ("ab", 3), ("b▁a", 5), ("▁▁", 6)]),
    ]

    @Test("a text of megabytes has the same tokens as its parts", arguments: vocabularies.indices)
    func megabytes(index: Int) throws {
        let tokenizer = try Tokenizer(Self.vocabularies[index])
        var random = SeededRandomNumberGenerator(seed: 3)
        let word = String((0..<3000).map { _ in "abc   ▁\n".randomElement(using: &random) ?? "a" }) + "\nx"
        // A line break before a letter is a boundary in all of these, whatever surrounds it.
        let expected = tokenizer.encode("\nx" + word, addSpecial: false, parseSpecial: false)
        let one = tokenizer.encode("\nx", addSpecial: false, parseSpecial: false)
        let count = 400
        let text = "\nx" + String(repeating: word, count: count)
        let tokens = tokenizer.encode(text, addSpecial: false, parseSpecial: false)
        let repeated = Array(expected.dropFirst(one.count))
        #expect(tokens == one + Array(repeatElement(repeated, count: count).joined()))
    }

    @Test("only the requested number of tokens is kept, but all are counted", arguments: vocabularies.indices)
    func limit(index: Int) throws {
        let tokenizer = try Tokenizer(Self.vocabularies[index])
        let text = String(repeating: "abab ca\n", count: 50)
        let all = tokenizer.encode(text, addSpecial: true, parseSpecial: true)
        for limit in [0, 1, 10, all.count - 1, all.count, all.count + 1, .max] {
            let (tokens, count, isExact) = tokenizer.encode(text, addSpecial: true, parseSpecial: true, keeping: limit)
            #expect(tokens == Array(all.prefix(limit)) && count == all.count && isExact)
        }
    }

    @Test(
        "for a far too long word, only a prefix and a lower bound of the count are returned",
        arguments: vocabularies.indices)
    func immenseWord(index: Int) throws {
        let tokenizer = try Tokenizer(Self.vocabularies[index])
        let text = "ca \n" + String(repeating: "abab", count: 1 << 18)
        let all = tokenizer.encode(text, addSpecial: false, parseSpecial: true)
        for limit in [10, 10_000] {
            let (tokens, count, isExact) = tokenizer.encode(
                text, addSpecial: false, parseSpecial: true, keeping: limit)
            #expect(all.starts(with: tokens) && !isExact)
            #expect(count > limit && count <= all.count)
        }
        let whole = tokenizer.encode(text, addSpecial: false, parseSpecial: true, keeping: all.count)
        #expect(whole.tokens == all && whole.count == all.count && whole.isExact)
    }

    @Test(
        "the lower bound computed from the byte count never exceeds the number of tokens",
        arguments: vocabularies.indices)
    func fewestTokens(index: Int) throws {
        let tokenizer = try Tokenizer(Self.vocabularies[index])
        var random = SeededRandomNumberGenerator(seed: 5)
        for _ in 0..<200 {
            let text =
                randomText(&random, upTo: 200) + String(repeating: "abab", count: Int.random(in: 0...9, using: &random))
            let tokens = tokenizer.encode(text, addSpecial: false, parseSpecial: true)
            #expect(tokens.count >= tokenizer.fewestTokens(ofBytes: text.utf8.count))
        }
        #expect(tokenizer.fewestTokens(ofBytes: 0) == 0 && tokenizer.fewestTokens(ofBytes: 1) == 1)
        #expect(tokenizer.fewestTokens(ofBytes: 1 << 40) > 1 << 30)
    }

    @Test("bytes missing from the vocabulary matter only to texts that contain them")
    func bytesThatDoNotOccur() throws {
        // 0xFF is in no text.
        let bytes = TokenizerDescription(
            model: "gpt2", preTokenizer: "gpt-2", texts: byteSpellings.dropLast(), merges: [])
        #expect(try Tokenizer(bytes).fewestTokens(ofBytes: 100) == 50)
        let letters = try Tokenizer(
            TokenizerDescription(model: "gpt2", preTokenizer: "gpt-2", texts: ["a", "b", "ab"], merges: ["a b"]))
        let word = String(repeating: "ab", count: 1 << 18)
        let known = letters.encode(word, addSpecial: false, parseSpecial: false, keeping: 10)
        #expect(known.count == 1 << 18 && !known.isExact)
        let unknown = letters.encode(word + "c", addSpecial: false, parseSpecial: false, keeping: 10)
        #expect(unknown.count == 1 << 18 && unknown.isExact)
    }

    @Test("a vocabulary that lacks a byte or strips spaces gives no lower bound of the token count")
    func noFewest() throws {
        let letters = TokenizerDescription(model: "gpt2", preTokenizer: "gpt-2", texts: ["a", "b"], merges: [])
        #expect(try Tokenizer(letters).fewestTokens(ofBytes: 1 << 30) == 0)
        var swallowing = sentencePiece([("a", 0)])
        swallowing.modelName = "Phi-3"
        #expect(try Tokenizer(swallowing).fewestTokens(ofBytes: 1 << 30) == 0)
    }

    @Test("the special-token trie finds the same longest match as trying all tokens", arguments: 1...20)
    func trie(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        var texts = TokenTexts()
        let letters = Array("ab<".utf8)
        func word(_ longest: Int) -> [UInt8] {
            (0..<Int.random(in: 1...longest, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
        }
        for _ in 0..<30 { texts.append(word(6)) }
        var trie = SpecialTokenTrie(of: texts)
        let inserted = (0..<30).filter { _ in Bool.random(using: &random) }
        for index in inserted { trie.insert(Token(index)) }
        for _ in 0..<200 {
            let text = word(12)
            let (start, limit) = (Int.random(in: 0..<text.count, using: &random), Int.random(in: 1...8, using: &random))
            let fitting = inserted.filter { texts[$0].count <= limit && text[start...].starts(with: texts[$0]) }
            let best = fitting.max { (texts[$0].count, $0) < (texts[$1].count, $1) }
            let found = trie.longestMatch(in: text, at: start, limit: limit)
            #expect(found?.token == best.map { Token($0) } && found?.length == best.map { texts[$0].count })
        }
    }
}
