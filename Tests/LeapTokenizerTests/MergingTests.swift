import Testing
import _LeapTestSupport

@testable import LeapTokenizer

@Suite("Merging")
struct MergingTests {
    /// Merges of random pairs of tokens, as a dictionary; the merged token is the sum of the two.
    private struct RandomMerges: MergeRules {
        var ranks: [[Token]: UInt32] = [:]

        func merge(_ left: Symbol, _ right: Symbol, end: Int) -> Merge? {
            ranks[[left.token, right.token]].map { Merge(rank: $0, token: left.token + right.token) }
        }
    }

    /// The definition: repeatedly merge the leftmost of the pairs with the lowest rank.
    private func reference(_ tokens: [Token], _ merges: RandomMerges) -> [Token] {
        var tokens = tokens
        while true {
            let pairs = zip(tokens, tokens.dropFirst()).map { merges.ranks[[$0, $1]] ?? .max }
            guard let best = pairs.min(), best != .max, let index = pairs.firstIndex(of: best) else { return tokens }
            tokens.replaceSubrange(index...index + 1, with: [tokens[index] + tokens[index + 1]])
        }
    }

    @Test("Short and long pieces are merged as defined", arguments: [0, 1, 2, 3, 10, 47, 48, 49, 50, 200])
    func definition(count: Int) {
        var random = SeededRandomNumberGenerator(seed: UInt64(count))
        for _ in 0..<10 {
            var merges = RandomMerges()
            for _ in 0..<60 {
                let pair = [Token.random(in: 1...12, using: &random), Token.random(in: 1...12, using: &random)]
                merges.ranks[pair] = UInt32.random(in: 0...20, using: &random)  // equal ranks on purpose
            }
            let tokens = (0..<count).map { _ in Token.random(in: 1...3, using: &random) }
            var merger = SymbolMerger()
            merger.symbols = tokens.enumerated().map { Symbol(start: $0.offset, token: $0.element) }
            merger.merge(merges, end: count)
            #expect(merger.symbols.map(\.token) == reference(tokens, merges))
            #expect(merger.symbols.map(\.start).sorted() == merger.symbols.map(\.start))
        }
    }

    @Test("A long run of one letter merges into its longest token")
    func longRun() throws {
        let merged = (1...10).map { String(repeating: "a", count: 1 << $0) }
        let merges = (0..<10).map { power in
            let half = String(repeating: "a", count: 1 << power)
            return half + " " + half
        }
        let tokenizer = try Tokenizer(byteLevel(merged: merged, merges: merges))
        let text = String(repeating: "a", count: 1 << 18)
        let ids = tokenizer.encode(text, addSpecial: false, parseSpecial: false)
        #expect(ids == Array(repeating: 265, count: 1 << 8))
    }

    @Test("SentencePiece merges tokens up to a length that bounds the time")
    func longTokens() throws {
        let longest = Vocabulary.longestMerged
        let pieces = (1...2 * longest).map { (String(repeating: "a", count: $0), Float($0)) }
        var description = sentencePiece(pieces)
        description.addsSpacePrefix = false
        let text = String(repeating: "a", count: 2 * longest)
        let found = try Tokenizer(description).encode(text, addSpecial: false, parseSpecial: false)
        #expect(found == Array(repeating: Token(258 + longest), count: 2))
    }

    @Test("SentencePiece merges separate words exactly as the text as a whole")
    func independentWords() throws {
        let tokens: [(text: String, score: Float)] = [
            ("▁", -9), ("a", -8), ("b", -7), ("▁▁", -6), ("▁a", -1), ("ab", -2), ("▁ab", -3), ("ba", -1),
        ]
        // The same tokens and one that spans two words but can never be formed.
        let apart = try Tokenizer(sentencePiece(tokens))
        let whole = try Tokenizer(sentencePiece(tokens + [("q▁q", -1)]))
        var random = SeededRandomNumberGenerator(seed: 5)
        for _ in 0..<200 {
            let text = String((0..<30).map { _ in "ab  "[Int.random(in: 0..<4, using: &random)] })
            #expect(
                apart.encode(text, addSpecial: false, parseSpecial: false)
                    == whole.encode(text, addSpecial: false, parseSpecial: false))
        }
    }

    @Test("A token that spans words is used")
    func spanningToken() throws {
        let tokenizer = try Tokenizer(sentencePiece([("▁", -9), ("a", -8), ("a▁", -1), ("a▁a", -2)]))
        #expect(tokenizer.encode("a a", addSpecial: false, parseSpecial: false) == [259, 262])
    }

    @Test("Higher scores merge first, and -0 equals 0")
    func scoreOrder() {
        let scores: [Float] = [.infinity, 1, 0, -0.5, -1, -1e30, -.infinity]
        let ranks = scores.map(ScoreMerges.rank(score:))
        #expect(ranks == ranks.sorted())
        #expect(Set(ranks).count == ranks.count)
        #expect(ScoreMerges.rank(score: -0) == ScoreMerges.rank(score: 0))
    }

    @Test("A piece that is a token as a whole becomes that token only if the pre-tokenizer ignores merges")
    func ignoredMerges() throws {
        let names = ["llama-bpe": [Token(256)], "gpt-2": [97, 98, 99]]
        for (name, expected) in names {
            let tokenizer = try Tokenizer(byteLevel(preTokenizer: name, merged: ["abc"]))
            #expect(tokenizer.encode("abc", addSpecial: false, parseSpecial: false) == expected)
        }
    }
}

extension String {
    fileprivate subscript(offset: Int) -> Character { self[index(startIndex, offsetBy: offset)] }
}
