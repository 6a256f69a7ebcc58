import LeapConstraints
import Testing
import _LeapTestSupport

/// Regular expressions and GBNF grammars, over the same automata.
@Suite struct ExpressionTests {
    @Test(arguments: [
        ("[a-c]+\\d?", ["a", "abc1"], ["", "1", "a12"]),
        ("(foo|bar){2}", ["foobar"], ["foo", "foobarfoo"]),
        ("^\\w+$", ["a_9"], ["é", ""]),
        ("[^a]", ["é", "😀", "\n"], ["a", "bb"]),
        (".", ["é"], ["\n", "\u{2028}"]),
        ("\\u00e9\\x41\\u{1F600}\\uD83D\\uDE00", ["éA😀😀"], ["éA😀"]),
        ("a{0,1000000000}", ["", "aaa"], ["b"]),
        ("((a*)*)*b", ["b", "aab"], ["a"]),
        ("(a{1,1000}b{1,1000}){1,1000}", ["ab", "aabbab"], ["a", "ba"]),
        ("x{2,3}?y", ["xxy", "xxxy"], ["xy"]),
        ("\\p{Lu}\\p{Nd}", ["É5"], ["é5"]),
        ("a{,2}", ["a{,2}"], ["aa"]),
        ("[\\w-\\.]+@[\\d-a]", ["a.b-c@-", "_@9", "x@a"], ["a,b@1", "a@b"]),
        ("[a-\\d-z]", ["a", "-", "5", "z"], ["b"]),
        ("[^\\s-x]", ["a"], ["-", " ", "x"]),
        ("(^)*a($)+", ["a"], ["aa", ""]), ("a(?:^)?b(?:$){0,2}c", ["abc"], ["ab"]), ("(^){2}a", ["a"], ["aa"]),
        ("\\p{LC}\\p{Currency_Symbol}", ["a€", "A$"], ["日€", "a1"]),
        ("\\p{ASCII}\\P{Any}?\\p{Alphabetic}\\p{White_Space}", ["1é "], ["éé "]),
        ("^(?=.*\\d)(?=.*[a-z]).{3,}$", ["ab1"], ["abc", "1a"]), ("(?!foo)[a-z]+|1", ["bar", "1"], ["food"]),
        ("^(?=.{2,3}$)[a-z]+$", ["ab", "abc"], ["a", "abcd"]),
        ("^(?=.{2,3}x?$)[a-z]+$", ["ab", "abc", "abcx"], ["a", "abcd", "abxyx"]),
        ("a+(?!b)[a-c]|a(?=c)(b|c(?!d).)?", ["aa", "aac", "acx"], ["a", "ab", "acd", "aab"]),
        ("(?:a(?!b))?(?:[ab](?=c).)?", ["", "a", "ac", "aac", "bc"], ["ab", "abc", "cc"]),
        ("(\\p{Extended_Pictographic}|\\p{Emoji_Component})+", ["😀", "👍🏽", "🇨🇭", "👩‍🦰"], ["", "a", "é"]),
    ])
    func `a regular expression matches whole texts`(pattern: String, valid: [String], invalid: [String]) throws {
        let constraint = try Constraint(regex: pattern)
        for text in valid { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in invalid { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test(arguments: [
        ("(a(?!b))*", 2), ("(^a)(?=^b)c", 4),
        ("(?<=a)b", 0), ("(a)\\1", 3), ("\\bx", 0), ("*a", 0), ("a**", 2), ("^*a", 0), ("a$?", 1), ("(a", 0), ("a)", 1),
        ("[b-a]", 1),
        ("a{3,2}", 1), ("\\q", 0), ("\\p{Greek}", 0),
    ])
    func `unsupported and malformed expressions are rejected with their position`(pattern: String, position: Int) {
        let error = #expect(throws: ConstraintError.self) { try Constraint(regex: pattern) }
        guard case .regex(position, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("root ::= \"a\nb\"", "a\nb", "ab"), ("root ::= x\nx ::= \"a\"\nx ::= \"b\"", "b", "a"),
    ])
    func `a grammar has the same meaning as in llama.cpp`(source: String, valid: String, invalid: String) throws {
        let constraint = try Constraint(gbnf: source)
        #expect(rejection(of: valid, by: constraint) == nil)
        #expect(rejection(of: invalid, by: constraint) != nil)
    }

    static let arithmetic = """
        # Sums in parentheses.
        root ::= term (" + " term)*
        term ::= number | "(" root ")"
        number ::= [1-9] [0-9]{0,2}
            | "é\\x41"
        """

    @Test func `a recursive grammar accepts its texts and nothing else`() throws {
        let constraint = try Constraint(gbnf: Self.arithmetic)
        for text in ["1", "12 + (3 + éA)", "((999))"] { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in ["", "1 +", "(1", "01", "1000"] { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test(arguments: [
        ("root ::= root \"a\"", 1, 1), ("root ::= x\nx ::= \"y\"? x", 2, 1), ("root ::= missing", 1, 10),
        ("x ::= \"a\"", 1, 10),
        ("root ::= \"a", 1, 10), ("root ::= (\"a\"", 1, 10), ("root ::= \"a\" )", 1, 14), ("root ::= +", 1, 10),
        ("root = \"a\"", 1, 6),
    ])
    func `malformed and left-recursive grammars are rejected with position`(source: String, line: Int, column: Int) {
        let error = #expect(throws: ConstraintError.self) { try Constraint(gbnf: source) }
        guard case .grammar(line, column, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `sixty thousand nested groups are rejected`() {
        let source =
            "root ::= " + String(repeating: "(", count: 60_000) + "\"a\"" + String(repeating: ")", count: 60_000)
        #expect(throws: ConstraintError.self) { try Constraint(gbnf: source) }
        #expect(throws: ConstraintError.self) { try Constraint(regex: String(repeating: "(", count: 60_000)) }
    }

    @Test(arguments: [arithmetic, #"root ::= ("a" | "b" root "c")*"#, #"root ::= [^"\\]{2,5} "\"" root?"#])
    func `random walks through a grammar never reach a dead end`(source: String) throws {
        let constraint = try Constraint(gbnf: source)
        var generator = SeededRandomNumberGenerator(seed: 5)
        for _ in 0..<20 {
            let walk = RandomWalk(constraint, smallVocabulary, tokens: 60, using: &generator)
            #expect(walk.fault == nil)
            if walk.isFinished {
                #expect(rejection(of: String(decoding: walk.text, as: UTF8.self), by: constraint) == nil)
            }
        }
    }

    @Test func `a vocabulary that cannot spell a constraint gives an empty mask`() throws {
        let vocabulary = TokenVocabulary(texts: [Array("a".utf8), Array("b".utf8), []], endTokens: [2])
        var masker = TokenMasker(try Constraint(regex: "ac"), vocabulary)
        var state = try Constraint(regex: "ac").makeState()
        #expect(!masker.mask(for: state).isEmpty)
        state.advance(Array("a".utf8))
        #expect(masker.mask(for: state).isEmpty)
    }

    @Test(arguments: [
        ["[a-z é-ж]"], ["[a-z]", "[b-y]", "[a-m é-ж😀]"], ["[^x]", "[^y]", "[^z\"]", "[a-f日]", "."],
    ])
    func `masks of many paths are those of all tokens one by one`(sets: [String]) throws {
        let parts = (0..<20).map { sets[$0 % sets.count] + "{0,900}" }
        let constraint = try Constraint(gbnf: "root ::= " + parts.joined(separator: " "))
        var masker = TokenMasker(constraint, smallVocabulary)
        var generator = SeededRandomNumberGenerator(seed: 3)
        var state = constraint.makeState()
        #expect(!state.hasFewPaths)
        for _ in 0..<40 where !state.isComplete {
            let mask = masker.mask(for: state)
            let permitted = (0..<Int32(smallVocabulary.count)).filter { token in
                let bytes = smallVocabulary.bytes(of: token)
                guard !bytes.isEmpty else { return state.isAccepting }
                var next = state
                return next.advance(bytes) == nil
            }
            #expect((0..<Int32(smallVocabulary.count)).filter(mask.contains) == permitted)
            let token = try #require(
                permitted.filter { !smallVocabulary.bytes(of: $0).isEmpty }.randomElement(using: &generator))
            state.advance(smallVocabulary.bytes(of: token))
        }
    }

    @Test func `applying a mask disables all other logits`() throws {
        let vocabulary = TokenVocabulary(texts: (0..<200).map { [UInt8($0)] } + [[]], endTokens: [200])
        var masker = TokenMasker(try Constraint(regex: "[b-d]?"), vocabulary)
        let mask = masker.mask(for: try Constraint(regex: "[b-d]?").makeState())
        var logits = [Float](repeating: 1, count: 210)
        logits.withUnsafeMutableBufferPointer { mask.apply(to: $0) }
        #expect(logits.indices.filter { logits[$0] > -.infinity } == [98, 99, 100, 200])
        #expect(mask.words.reduce(0) { $0 + $1.nonzeroBitCount } == 4)
    }
}
