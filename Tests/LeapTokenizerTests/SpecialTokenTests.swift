import Testing
import _LeapTestSupport

@testable import LeapTokenizer

@Suite("Special tokens")
struct SpecialTokenTests {
    private func encode(_ text: String, _ tokenizer: Tokenizer, parseSpecial: Bool = true) -> [Token] {
        tokenizer.encode(text, addSpecial: false, parseSpecial: parseSpecial)
    }

    @Test("Control and unknown tokens are parsed only on request, user-defined ones always")
    func parsing() throws {
        let tokenizer = try Tokenizer(
            byteLevel(added: [("<c>", .control), ("<u>", .unknown), ("<d>", .userDefined), ("<n>", .normal)]))
        #expect(encode("<c><u><d>", tokenizer) == [256, 257, 258])
        #expect(encode("<c><u><d>", tokenizer, parseSpecial: false) == [60, 99, 62, 60, 117, 62, 258])
        #expect(encode("<n>", tokenizer) == [60, 110, 62])
    }

    @Test(
        "Special tokens of up to 256 bytes are parsed, and longer ones do not slow encoding",
        .timeLimit(.minutes(5)))
    func longTokens() throws {
        let longest = SpecialTokenSplitter.longestToken
        let texts = [longest, longest + 1, 1 << 20].map { String(repeating: "a", count: $0) }
        let tokenizer = try Tokenizer(byteLevel(added: texts.map { ($0, .userDefined) }))
        #expect(encode(texts[0], tokenizer) == [256])
        #expect(encode(texts[1], tokenizer) == [256, 97])
        // A megabyte at each of a million places would take an hour.
        let tokens = encode(texts[2] + texts[2] + "b", tokenizer)
        #expect(tokens == Array(repeating: 256, count: (2 << 20) / longest) + [98])
    }

    @Test("Merging never turns text into a control token")
    func noControlTokenByMerging() throws {
        var description = byteLevel(merged: ["ab"], merges: ["a b"])
        description.types?[256] = .control
        #expect(try encode("ab", Tokenizer(description), parseSpecial: false) == [97, 98])
        var whole = byteLevel(preTokenizer: "llama-bpe", merged: ["ab"])
        whole.types?[256] = .control
        #expect(try encode("ab", Tokenizer(whole), parseSpecial: false) == [97, 98])
        var pieces = sentencePiece([("a", -1), ("b", -1), ("ab", 0)])
        pieces.types?[261] = .control
        pieces.addsSpacePrefix = false
        #expect(try encode("ab", Tokenizer(pieces), parseSpecial: false) == [259, 260])
    }

    @Test(
        "A space is prepended to text as the file specifies",
        arguments: [
            (nil, "a", [261]), (nil, " a", [259, 261]), (nil, "<s>a", [1, 261]), (nil, "<s> a", [1, 259, 261]),
            ("always", "a", [261]), ("always", " a", [261]), ("always", "▁a", [261]), ("always", "<s>a", [1, 261]),
            ("always", "<s> a", [1, 261]), ("always", "  a", [259, 261]),
            ("first", "a", [261]), ("first", " a", [261]), ("first", "<s>a", [1, 260]), ("first", "<s> a", [1, 261]),
            ("first", "a<s>a", [261, 1, 260]),
        ] as [(String?, String, [Token])])
    func spacePrefix(scheme: String?, text: String, expected: [Token]) throws {
        var pieces = sentencePiece([("▁", -2), ("a", -3), ("▁a", -1)])
        pieces.prependScheme = scheme
        #expect(try encode(text, Tokenizer(pieces)) == expected)
        pieces.addsSpacePrefix = false
        #expect(try encode("a", Tokenizer(pieces)) == [260])
    }

    @Test(
        "Longer special tokens take precedence over shorter ones at any position",
        arguments: [
            ("abcd", [97, 258]),  // bcd before ab
            ("ab", [256]), ("abc", [256, 99]), ("xabx", [120, 256, 120]), ("bcdbcd", [258, 258]), ("", []),
            ("aab", [97, 256]), ("bcbcd", [257, 258]), ("abcbcd", [256, 99, 258]),
        ])
    func priority(text: String, expected: [Token]) throws {
        let tokenizer = try Tokenizer(
            byteLevel(added: [("ab", .userDefined), ("bc", .userDefined), ("bcd", .userDefined)]))
        #expect(encode(text, tokenizer) == expected)
    }

    /// The definition: tokens by decreasing length, each at every position that is still free, from left to right.
    private func reference(_ text: [UInt8], _ tokens: [(text: [UInt8], id: Token)]) -> [Token] {
        var fragments: [(bytes: [UInt8], id: Token?)] = [(text, nil)]
        for token in tokens.sorted(by: { ($1.text.count, $0.id) < ($0.text.count, $1.id) }) {
            fragments = fragments.flatMap { fragment -> [(bytes: [UInt8], id: Token?)] in
                guard fragment.id == nil else { return [fragment] }
                var rest = fragment.bytes[...]
                var result: [(bytes: [UInt8], id: Token?)] = []
                var plain: [UInt8] = []
                while let first = rest.first {
                    if rest.starts(with: token.text) {
                        result += [(plain, nil), (token.text, token.id)]
                        plain = []
                        rest = rest.dropFirst(token.text.count)
                    } else {
                        plain.append(first)
                        rest = rest.dropFirst()
                    }
                }
                return result + [(plain, nil)]
            }
        }
        return fragments.flatMap { fragment in fragment.id.map { [$0] } ?? fragment.bytes.map { Token($0) } }
    }

    @Test("Random overlapping tokens are parsed as defined", arguments: 1...20)
    func randomTokens(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        func letters(_ counts: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: counts, using: &random)).map { _ in Bool.random(using: &random) ? "a" : "b" })
        }
        let texts = Set((0..<8).map { _ in letters(2...6) }).sorted()
        let tokenizer = try Tokenizer(byteLevel(added: texts.map { ($0, .userDefined) }))
        let tokens = texts.enumerated().map { (Array($0.element.utf8), Token(256 + $0.offset)) }
        for _ in 0..<50 {
            let text = letters(0...40)
            #expect(encode(text, tokenizer) == reference(Array(text.utf8), tokens))
        }
    }

    @Test("In Phi-3, added tokens strip the whitespace after them, except the three original ones")
    func phi3() throws {
        var description = byteLevel(added: [("<|user|>", .control), ("<s>", .control), ("</s>", .control)])
        description.modelName = "Phi-3-mini"
        let tokenizer = try Tokenizer(description)
        #expect(encode("<|user|> \n a <s> b</s> ", tokenizer) == [256, 97, 32, 257, 32, 98, 258])
    }

    @Test("The mask token of some embedding models strips the whitespace before it")
    func mask() throws {
        let tokenizer = try Tokenizer(byteLevel(preTokenizer: "jina-v2-de", added: [("<mask>", .control)]))
        #expect(encode("a  <mask> b", tokenizer) == [97, 256, 32, 98])
    }

    @Test(
        "ModernBERT's mask token strips the whitespace before it, whatever the model is called",
        arguments: ["", "ModernBERT", "Embedder", "Phi-3-encoder"])
    func modernMask(name: String) throws {
        var description = byteLevel(added: [("[MASK]", .control)])
        description.architecture = "modern-bert"
        description.modelName = name
        #expect(try encode("a  [MASK] b", Tokenizer(description)) == [97, 256, 32, 98])
    }

    @Test("Stripping rules stated in the file take precedence over those of the model family")
    func statedStrips() throws {
        var description = byteLevel(added: [("<a>", .control), ("<b>", .control)])
        description.modelName = "Phi-3-mini"
        (description.stripsLeft, description.stripsRight) = ([256, -1], [256, 99_999])
        #expect(try encode("a <a> <b> b", Tokenizer(description)) == [97, 256, 257, 32, 98])
    }

    @Test(
        "Stripping rules stated in the file are about Unicode's whitespace, and those of families about ASCII's",
        arguments: ["\u{85}", "\u{A0}", "\u{1680}", "\u{2009}", "\u{2028}", "\u{202F}", "\u{205F}", "\u{3000}", "\n"])
    func unicodeStrips(space: String) throws {
        var description = byteLevel(added: [("<a>", .control)])
        description.modelName = "Phi-3-mini"
        let text = "a\(space)<a>\(space) \(space)b"
        let space = space.utf8.map { Token($0) }
        if space != [10] {
            #expect(try encode(text, Tokenizer(description)) == [97] + space + [256] + space + [32] + space + [98])
        }
        (description.stripsLeft, description.stripsRight) = ([256], [256])
        let tokenizer = try Tokenizer(description)
        #expect(encode(text, tokenizer) == [97, 256, 98])
        // The last bytes of other characters may be those of spaces.
        #expect(encode("\u{30A0}<a>\u{30A0}", tokenizer) == [0xE3, 0x82, 0xA0, 256, 0xE3, 0x82, 0xA0])
    }

    @Test("BOS and EOS are added as the file specifies")
    func addedTokens() throws {
        var description = byteLevel(added: [("<s>", .control), ("</s>", .control)])
        description.ids = ["tokenizer.ggml.bos_token_id": 256, "tokenizer.ggml.eos_token_id": 257]
        for (bos, eos, expected) in [
            (true, true, [256, 97, 257]), (nil, nil, [97]), (false, true, [97, 257]), (true, nil, [256, 97]),
        ] as [(Bool?, Bool?, [Token])] {
            description.addsBOS = bos
            description.addsEOS = eos
            let tokenizer = try Tokenizer(description)
            #expect(tokenizer.encode("a", addSpecial: true, parseSpecial: false) == expected)
            #expect(tokenizer.encode("a", addSpecial: false, parseSpecial: false) == [97])
        }
    }

    @Test("Llama 3 and SentencePiece vocabularies add BOS by default")
    func defaultBOS() throws {
        var description = byteLevel(preTokenizer: "lfm2", added: [("<s>", .control)])
        #expect(try !Tokenizer(description).addsBOS)  // no BOS token
        description.ids["tokenizer.ggml.bos_token_id"] = 256
        #expect(try Tokenizer(description).addsBOS)
        let pieces = try Tokenizer(sentencePiece([]))
        #expect(pieces.addsBOS && !pieces.addsEOS)
        #expect((pieces.unknown, pieces.bos, pieces.eos) == (0, 1, 2))
    }

    @Test("Special-token ids out of range are ignored", arguments: [-1, 257, 4_294_967_295, .max, .min])
    func idsOutOfRange(id: Int) throws {
        var description = byteLevel(added: [("<x>", .control)])
        for role in SpecialTokens.Role.all { description.ids[role.metadataKey] = id }
        let tokenizer = try Tokenizer(description)
        #expect(tokenizer.bos == nil && tokenizer.eos == nil && tokenizer.eot == nil && tokenizer.padding == nil)
        #expect(tokenizer.endOfGeneration.isEmpty)
    }

    @Test("Default ids beyond a small vocabulary are ignored")
    func tinyVocabulary() throws {
        let tokenizer = try Tokenizer(TokenizerDescription(model: "llama", texts: ["a"]))
        #expect(tokenizer.bos == nil && tokenizer.eos == nil && tokenizer.unknown == 0)
        #expect(tokenizer.encode("a", addSpecial: true, parseSpecial: true) == [0, 0])  // ▁, which is unknown, and a
    }

    @Test("Generation ends at EOS, EOT, EOM and tokens of known texts, which become control tokens")
    func endOfGeneration() throws {
        var description = byteLevel(
            added: [
                ("<|im_end|>", .normal), ("<|eom_id|>", .userDefined), ("<end>", .control), ("<|endoftext|>", .control),
                ("<|file_sep|>", .normal), ("x", .normal),
            ].dropLast() + [("<|fim_prefix|>", .normal)])
        description.ids = ["tokenizer.ggml.eos_token_id": 258]
        let tokenizer = try Tokenizer(description)
        #expect(tokenizer.endOfGeneration == [256, 257, 258, 259, 260])
        #expect((tokenizer.eos, tokenizer.eot, tokenizer.eom) == (258, 256, 257))
        #expect((256...261).allSatisfy(tokenizer.isControl))
    }

    @Test("Fill-in-the-middle tokens are found by their texts or ids, and all three are needed")
    func fillMarks() throws {
        let texts = ["<|fim_suffix|>", "<|fim_prefix|>", "<|fim_middle|>"]
        let marks = FillMarks(prefix: 257, suffix: 256, middle: 258)
        let tokenizer = try Tokenizer(byteLevel(added: texts.map { ($0, .normal) }))
        #expect(tokenizer.fillMarks == marks)
        #expect((256...258).allSatisfy(tokenizer.isControl))
        #expect(try Tokenizer(byteLevel(added: texts.dropLast().map { ($0, .normal) })).fillMarks == nil)
        var stated = byteLevel(added: [("<s>", .control), ("<p>", .control), ("<m>", .control)])
        #expect(try Tokenizer(stated).fillMarks == nil)
        for (key, id) in [("suf", 256), ("pre", 257), ("mid", 258)] {
            stated.ids["tokenizer.ggml.fim_\(key)_token_id"] = id
        }
        #expect(try Tokenizer(stated).fillMarks == marks)
    }

    @Test("Harmony's <|end|> does not end generation, and its structural tokens are rendered")
    func harmony() throws {
        let texts = ["<|end|>", "<|return|>", "<|call|>", "<|channel|>"]
        let tokenizer = try Tokenizer(byteLevel(added: texts.map { ($0, .control) }))
        #expect(tokenizer.endOfGeneration == [257, 258])
        #expect(tokenizer.decode([256, 257, 259]) == "<|end|><|channel|>")
    }

    @Test("Harmony's structural tokens are not parsed from untrusted text")
    func harmonyInText() throws {
        let texts = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|message|>", "<|constrain|>"]
        let tokenizer = try Tokenizer(byteLevel(added: texts.map { ($0, .control) }))
        #expect(Set(tokenizer.controlTexts).isSuperset(of: texts))
        for (index, text) in texts.enumerated() {
            let token = Token(256 + index)
            #expect(encode(text, cuts: [], tokenizer) == [token])
            #expect(encode(text, cuts: [1], tokenizer) == text.utf8.map { Token($0) })
            #expect(
                tokenizer.encode(text, addSpecial: false, parseSpecial: false) == text.utf8.map { Token($0) })
        }
        // User-defined tokens are parsed from any text.
        let plain = try Tokenizer(byteLevel(added: [("<|message|>", .userDefined)]))
        #expect(plain.encode("<|message|>", addSpecial: false, parseSpecial: false) == [256])
    }

    @Test("If <|tool_response> ends generation, </s> is ordinary text")
    func gemma4() throws {
        let tokenizer = try Tokenizer(byteLevel(added: [("</s>", .control), ("<|tool_response>", .control)]))
        #expect(tokenizer.endOfGeneration == [257])
        #expect(tokenizer.decode([256]) == "</s>")
    }

    // MARK: - Cuts

    private func encode(_ text: String, cuts: [Int], _ tokenizer: Tokenizer) -> [Token] {
        tokenizer.encode(text, addSpecial: false, parseSpecial: true, cuts: cuts, keeping: .max).tokens
    }

    @Test(
        "No control or unknown token spans a cut",
        arguments: [
            ([], [256, 257, 258]), ([0, 3, 6, 9], [256, 257, 258]), ([1], [60, 99, 62, 257, 258]),
            ([2, 4], [60, 99, 62, 60, 117, 62, 258]), ([5], [256, 60, 117, 62, 258]), ([7], [256, 257, 258]),
        ])
    func cut(cuts: [Int], expected: [Token]) throws {
        let tokenizer = try Tokenizer(
            byteLevel(added: [("<c>", .control), ("<u>", .unknown), ("<d>", .userDefined)]))
        #expect(encode("<c><u><d>", cuts: cuts, tokenizer) == expected)
    }

    @Test("A shorter token may be parsed where a longer one is cut")
    func cutPrefix() throws {
        let tokenizer = try Tokenizer(byteLevel(added: [("<a", .control), ("<a>>", .control), ("<", .userDefined)]))
        #expect(encode("<a>>", cuts: [], tokenizer) == [257])
        #expect(encode("<a>>", cuts: [3], tokenizer) == [256, 62, 62])
        #expect(encode("<a>>", cuts: [1, 3], tokenizer) == [258, 97, 62, 62])
    }

    @Test("A control token of one character is cut on both sides")
    func cutCharacter() throws {
        let tokenizer = try Tokenizer(byteLevel(added: [("é", .control)]))
        #expect(encode("éé", cuts: [0, 2], tokenizer) == [195, 169, 256])
        #expect(encode("éé", cuts: [2], tokenizer) == [256, 256])
        #expect(encode("éé", cuts: [0, 2, 4], tokenizer) == [195, 169, 195, 169])
    }

    @Test("Text is merged across cuts")
    func mergedOverCuts() throws {
        let tokenizer = try Tokenizer(
            byteLevel(merged: ["ab", "abc"], merges: ["a b", "ab c"], added: [("<c>", .control)]))
        #expect(encode("abc<c>", cuts: [1, 2, 5], tokenizer) == [257, 60, 99, 62])
    }

    @Test("The list of control texts has control and unknown tokens only")
    func controlTexts() throws {
        let tokenizer = try Tokenizer(
            byteLevel(added: [("<c>", .control), ("<u>", .unknown), ("<d>", .userDefined), ("<n>", .normal)]))
        #expect(tokenizer.controlTexts == ["<c>", "<u>"])
    }
}
