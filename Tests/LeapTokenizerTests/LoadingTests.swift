import LeapGGUF
import Testing
import _LeapTestSupport

@testable import LeapTokenizer

@Suite("Loading")
struct LoadingTests {
    /// A small vocabulary with all common keys; `change` modifies it.
    private func metadata(_ change: (inout GGUFWriter) -> Void = { _ in }) throws -> GGUFMetadata {
        var writer = GGUFWriter()
        writer.set("tokenizer.ggml.model", .string("gpt2"))
        writer.set("tokenizer.ggml.pre", .string("gpt-2"))
        writer.set("tokenizer.ggml.tokens", strings: ["a", "b", "ab", "</s>", ""])
        writer.set("tokenizer.ggml.token_type", array: [1, 1, 1, 3, 5] as [Int32])
        writer.set("tokenizer.ggml.scores", array: [0, 0, 0, 0, 0] as [Float])
        writer.set("tokenizer.ggml.merges", strings: ["a b"])
        writer.set("tokenizer.ggml.eos_token_id", .uint32(3))
        writer.set("tokenizer.ggml.add_eos_token", .bool(true))
        change(&writer)
        return try GGUFFile(bytes: writer.encoded(), name: "f").metadata
    }

    private func error(_ change: (inout GGUFWriter) -> Void) throws -> TokenizerError? {
        let metadata = try metadata(change)
        do throws(TokenizerError) {
            _ = try Tokenizer(metadata: metadata)
            return nil
        } catch {
            return error
        }
    }

    @Test("All metadata in the file is read")
    func everything() throws {
        let tokenizer = try Tokenizer(metadata: metadata())
        #expect(tokenizer.model == "gpt2" && tokenizer.preTokenizer == "gpt-2" && tokenizer.vocabularySize == 5)
        #expect(tokenizer.eos == 3 && tokenizer.addsEOS && !tokenizer.addsBOS && tokenizer.endOfGeneration == [3])
        #expect(tokenizer.encode("ab", addSpecial: true, parseSpecial: false) == [2, 3])
        #expect(tokenizer.token(for: "ab") == 2 && tokenizer.text(of: 2) == "ab" && tokenizer.token(for: "c") == nil)
        #expect((0..<5).map(tokenizer.type(of:)) == [.normal, .normal, .normal, .control, .unused])
    }

    @Test("A token with empty text gets a placeholder name")
    func emptyText() throws { #expect(try Tokenizer(metadata: metadata()).text(of: 4) == "[EMPTY_4]") }

    @Test("A file without a pre-tokenizer uses the default one")
    func defaultPreTokenizer() throws {
        let tokenizer = try Tokenizer(metadata: metadata { $0.remove("tokenizer.ggml.pre") })
        #expect(tokenizer.preTokenizer == "default")
    }

    @Test("Types and scores may be missing, scores may be integers")
    func optionalArrays() throws {
        let tokenizer = try Tokenizer(
            metadata: metadata {
                $0.remove("tokenizer.ggml.token_type")
                $0.set("tokenizer.ggml.scores", array: [1, 2, 3, 4, 5] as [Int32])
            })
        #expect(tokenizer.type(of: 0) == .normal)
        #expect(tokenizer.vocabulary.score(of: 2) == 3)
    }

    @Test("Unknown type numbers mean undefined", arguments: [-1, 7, 300] as [Int32])
    func unknownTypes(number: Int32) throws {
        let tokenizer = try Tokenizer(
            metadata: metadata { $0.set("tokenizer.ggml.token_type", array: [number, 1, 1, 3, 5]) })
        #expect(tokenizer.type(of: 0) == .undefined)
    }

    @Test("A missing required entry is an error", arguments: ["model", "tokens", "merges"])
    func missing(name: String) throws {
        let error = try error { $0.remove("tokenizer.ggml.\(name)") }
        #expect(try #require(error).description.hasPrefix("'f': metadata key 'tokenizer.ggml.\(name)' is missing"))
    }

    @Test(
        "An entry of the wrong type is an error",
        arguments: [
            "model", "pre", "tokens", "token_type", "scores", "merges", "eos_token_id", "bos_token_id", "add_bos_token",
            "add_eos_token", "add_space_prefix",
        ])
    func wrongType(name: String) throws {
        let error = try error { $0.set("tokenizer.ggml.\(name)", .float64(1)) }
        #expect(try #require(error).description.hasPrefix("'f': metadata key 'tokenizer.ggml.\(name)' "))
    }

    /// Each change with the text of its error.
    @Test("Errors say what is wrong, where, and what to do")
    func texts() throws {
        let advice =
            "The file is damaged or was written by a faulty tool; download it again or convert the model again."
        let cases: [((inout GGUFWriter) -> Void, String)] = [
            (
                { $0.set("tokenizer.ggml.model", .string("rwkv")) },
                "tokenizer model 'rwkv' (tokenizer.ggml.model) is not supported. Supported: gpt2, llama, bert, t5."
            ),
            (
                { $0.set("tokenizer.ggml.tokens", strings: []) },
                "the vocabulary (tokenizer.ggml.tokens) is empty. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.scores", array: [0, 0] as [Float]) },
                "metadata key 'tokenizer.ggml.scores' has 2 entries; expected 5, one for each token. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.token_type", array: [1, 1, 1, 1, 1, 1] as [Int32]) },
                "metadata key 'tokenizer.ggml.token_type' has 6 entries; expected 5, one for each token. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.token_type", array: [] as [Int32]) },
                "metadata key 'tokenizer.ggml.token_type' has 0 entries; expected 5, one for each token. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.scores", array: [] as [Float]) },
                "metadata key 'tokenizer.ggml.scores' has 0 entries; expected 5, one for each token. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.merges", strings: ["a b", "ab"]) },
                "merge rule 1 is 'ab' (tokenizer.ggml.merges); "
                    + "expected two token texts with a space between them. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.merges", strings: ["a b", ""]) },
                "merge rule 1 is '' (tokenizer.ggml.merges); "
                    + "expected two token texts with a space between them. \(advice)"
            ),
            (
                { $0.set("tokenizer.ggml.add_bos_token", .bool(true)) },
                "metadata key 'tokenizer.ggml.add_bos_token' is true, but 'tokenizer.ggml.bos_token_id' "
                    + "does not name a token in the vocabulary. \(advice)"
            ),
        ]
        for (change, text) in cases {
            let error = try #require(try error(change))
            #expect(error.description == text)
            #expect(error.errorDescription == text)
        }
        let tooLarge = TokenizerError.vocabularyTooLarge(key: "k", limit: 1, found: 2)
        #expect(tooLarge.description == "metadata key 'k' is too large: the limit is 1, found 2. \(advice)")
    }

    /// Each change with the text of its warning, and the tokens of "ab".
    @Test("Faulty vocabularies that other programs accept are loaded with a warning")
    func warnings() throws {
        let rule =
            "of 1 merge rules checked (tokenizer.ggml.merges) need tokens that are not in the vocabulary; for example, rule 0,"
        let effect = "These rules have no effect, and text may be split into other tokens than in the model's training."
        let cases: [((inout GGUFWriter) -> Void, String?, [Token])] = [
            ({ _ in }, nil, [2, 3]),
            (
                { $0.set("tokenizer.ggml.tokens", strings: ["a", "b", "ab", "</s>", "ab"]) },
                "1 token has the same text as another token (tokenizer.ggml.tokens), for example 2 and 4: 'ab'. Text is "
                    + "encoded as the last of them, which the model may not have been trained on.",
                [4, 3]
            ),
            (
                { $0.set("tokenizer.ggml.merges", strings: ["a c"]) }, "1 \(rule) 'a c', needs 'c'. \(effect)",
                [0, 1, 3]
            ),
            (
                { $0.set("tokenizer.ggml.merges", strings: ["b\na b"]) },
                "1 \(rule) 'b\\na b', needs 'b\\na'. \(effect)", [0, 1, 3]
            ),
            (
                { $0.set("tokenizer.ggml.merges", strings: ["b a"]) }, "1 \(rule) 'b a', needs 'ba'. \(effect)",
                [0, 1, 3]
            ),
        ]
        for (change, text, tokens) in cases {
            let tokenizer = try Tokenizer(metadata: metadata(change))
            #expect(tokenizer.warnings.map(\.description) == [text].compactMap(\.self))
            #expect(tokenizer.encode("ab", addSpecial: true, parseSpecial: false) == tokens)
        }
    }

    @Test(
        "A vocabulary with too much text is refused",
        arguments: ["tokens", "merges"])
    func hugeText(key: String) throws {
        let text = String(repeating: "a ", count: TokenizerDescription.textLimit / 2 + 1)
        let error = try error { $0.set("tokenizer.ggml.\(key)", strings: ["a", text]) }
        let count = TokenizerDescription.textLimit
        #expect(
            error?.description.hasPrefix(
                "metadata key 'tokenizer.ggml.\(key)' is too large: the limit is \(count), found \(count + 3).") == true
        )
    }

    @Test("A vocabulary with too many tokens is refused even if they have no text")
    func hugeCount() throws {
        let limit = TokenizerDescription.countLimit
        let error = try error {
            $0.set("tokenizer.ggml.tokens", strings: [String](repeating: "", count: limit + 1))
        }
        #expect(error?.description.contains("is too large: the limit is \(limit), found \(limit + 1).") == true)
    }

    @Test("An unknown pre-tokenizer is refused with the list of known ones")
    func unknownPreTokenizer() throws {
        let error = try #require(try error { $0.set("tokenizer.ggml.pre", .string("new\u{1B}[31m")) })
        #expect(error.description.hasPrefix("pre-tokenizer 'new\\u{1B}[31m' (tokenizer.ggml.pre) is not supported. "))
        for name in ["llama-bpe", "lfm2", "qwen2", "gpt-2", "default"] { #expect(error.description.contains(name)) }
    }

    @Test("A merge rule with an unknown token has no effect, and the first of duplicate rules applies")
    func ruleAmongThousands() throws {
        var rules = Array(repeating: "a b", count: 5000)
        rules[1001] = "a missing"
        rules[1002] = "b a"  // its result is not a token
        let tokenizer = try Tokenizer(byteLevel(merged: ["ab", "abab"], merges: rules + ["ab ab"]))
        #expect(tokenizer.encode("ababa", addSpecial: false, parseSpecial: false) == [257, 97])
        let foreign = try Tokenizer(byteLevel(merged: ["ab"], merges: Array(repeating: "a missing", count: 5000)))
        #expect(foreign.warnings.first?.description.hasPrefix("1250 of 1250 merge rules checked") == true)
        #expect(foreign.encode("ab", addSpecial: false, parseSpecial: false) == [97, 98])
        rules[1001] = "ab"
        #expect(throws: TokenizerError.self) { try Tokenizer(byteLevel(merged: ["ab"], merges: rules)) }
    }

    @Test("Concurrent first encodings of a tokenizer give the right tokens")
    func concurrentEncoding() async throws {
        let tokenizer = try Tokenizer(byteLevel(merged: ["ab", "abab"], merges: ["a b", "ab ab"]))
        await withTaskGroup(of: [Token].self) { group in
            for _ in 0..<16 {
                group.addTask { tokenizer.encode("ababa", addSpecial: false, parseSpecial: false) }
            }
            for await tokens in group { #expect(tokens == [257, 97]) }
        }
    }

    @Test("Broken merge rules are refused", arguments: ["", " ", "a ", " a", "ab", "  "])
    func brokenRules(rule: String) throws {
        #expect(try error { $0.set("tokenizer.ggml.merges", strings: [rule]) } != nil)
    }

    @Test("Random vocabularies are refused, or encode and decode without errors", arguments: 1...4)
    func randomVocabularies(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        var loaded = 0
        for _ in 0..<200 {
            let count = Int.random(in: 0...12, using: &random)
            var description = TokenizerDescription(
                model: Bool.random(using: &random) ? "gpt2" : "llama", preTokenizer: "lfm2",
                texts: (0..<count).map { _ in randomText(&random, upTo: 4) })
            description.types = (0..<count).map { _ in TokenType(rawValue: .random(in: 0...6, using: &random)) ?? .byte
            }
            description.scores = (0..<count).map { _ in Float(bitPattern: .random(in: 0...UInt32.max, using: &random)) }
            for role in SpecialTokens.Role.all {
                description.ids[role.metadataKey] = .random(in: -2...14, using: &random)
            }
            guard let tokenizer = try? Tokenizer(description) else { continue }
            loaded += 1
            let ids = tokenizer.encode(randomText(&random, upTo: 30), addSpecial: true, parseSpecial: true)
            #expect(ids.allSatisfy { (0..<Token(count)).contains($0) })
            _ = tokenizer.decode((-2..<Token(count + 2)), renderSpecial: true)
        }
        #expect(loaded > 20)
    }
}
