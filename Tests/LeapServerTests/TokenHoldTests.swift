#if Server
import Testing

@testable import LeapServer

@Suite("Withheld tokens")
struct TokenHoldTests {
    /// The tokens reported with each text, for alternating tokens and texts.
    private static func told(_ stops: [String], _ steps: [(tokens: [String], text: String)]) -> [[String]] {
        var hold = TokenHold<String>(stops: stops)
        return steps.map { step in
            for token in step.tokens { hold.add(token, Array(token.utf8)) }
            return hold.show(step.text)
        }
    }

    @Test("a token is reported with the first text it contributes to")
    func withheld() {
        #expect(Self.told([], [(["a"], "a"), (["b", "c"], "bc")]) == [["a"], ["b", "c"]])
        // The second l may begin the stop string, the first one no longer.
        #expect(Self.told(["lo"], [(["e"], "e"), (["l", "l"], "l"), (["a"], "la")]) == [["e"], ["l"], ["l", "a"]])
        #expect(Self.told(["lo"], [(["hel"], "he"), (["a"], "la")]) == [["hel"], ["a"]])
        // Withheld tokens are reported when nothing follows.
        #expect(Self.told(["lo"], [(["e", "l"], "e"), ([], "l")]) == [["e"], ["l"]])
        // The token that ends the answer is not reported with the withheld ones before it.
        #expect(Self.told(["dx", " b"], [(["o"], "o"), (["d"], ""), ([" b"], "d")]) == [["o"], [], ["d"]])
        // Control tokens make no text, and delay nothing.
        #expect(Self.told(["lo"], [(["<mark>", "a"], "a"), (["b"], "b")]) == [["<mark>", "a"], ["b"]])
    }

    @Test("tokens of an incomplete character wait for its last byte")
    func characters() {
        var hold = TokenHold<Int>(stops: ["x"])
        hold.add(1, [0x61])
        hold.add(2, [0xC3])
        #expect(hold.show("a") == [1])
        hold.add(3, [0xA9])
        #expect(hold.show("é") == [2, 3])
    }

    @Test("tokens of the stop string are left out")
    func ends() {
        var hold = TokenHold<String>(stops: ["llo"])
        for token in ["he", "l", "l", "o"] {
            hold.add(token, Array(token.utf8))
            if token == "he" { #expect(hold.show("he") == ["he"]) }
        }
        #expect(hold.end(leavingOut: 3).isEmpty)
        func place(_ stop: String, _ tokens: [String]) -> Int? {
            Array(stop.utf8).beginning(atEndOf: tokens.map { Array($0.utf8) })
        }
        #expect(place("l", ["he", "ll"]) == 2)
        #expect(place("lo", ["he", "l", "lo", "w"]) == nil)
        #expect(place("lo", ["he", "l", "low"]) == 3)
        #expect(place("llo", ["he", "l", "low"]) == 2)
        #expect(place("x", []) == nil)
    }
}
#endif
