import Testing

@testable import LeapGeneration

@Suite("Stop strings")
struct StopStringMatcherTests {
    /// Stop strings, a text, the part before the first match, and the match.
    private static let cases: [(strings: [String], text: String, before: String, match: String?)] = [
        ([], "abc", "abc", nil),
        ([""], "abc", "abc", nil),
        (["x"], "abc", "abc", nil),
        (["b"], "abc", "a", "b"),
        (["abc"], "abc", "", "abc"),
        (["cd", "bc"], "abcd", "a", "bc"),
        (["bc", "abc"], "xabcd", "x", "abc"),
        (["abcd", "bc"], "abcd", "a", "bc"),
        (["aab"], "aaaab!", "aa", "aab"),
        (["ababc"], "abababc", "ab", "ababc"),
        (["ende"], "das end", "das end", nil),
        (["👍🏽"], "ok 👍 👍🏽!", "ok 👍 ", "👍🏽"),
        (["é"], "cafe\u{301} café", "cafe\u{301} caf", "é"),
        (["\n\nUser:"], "Hi.\n\nUse it.\n\nUser: more", "Hi.\n\nUse it.", "\n\nUser:"),
    ]

    @Test("the text before the first match does not depend on how it is split", arguments: cases)
    func everySplit(strings: [String], text: String, before: String, match: String?) {
        for pieces in twoPieces(text) + [text.map(String.init)] {
            var matcher = StopStringMatcher(strings)
            var released = pieces.map { matcher.append($0) }.joined()
            released += matcher.finish()
            #expect(released == before && matcher.match == match, "\(pieces)")
        }
    }

    @Test("only what may be the start of a stop string is held back")
    func holdsBackLittle() {
        var matcher = StopStringMatcher(["</s>", "STOP"])
        #expect(matcher.append("a<") == "a")
        #expect(matcher.append("b</") == "<b")
        #expect(matcher.append("S") == "</")
        #expect(matcher.append("TO") == "")
        #expect(matcher.append("n") == "STOn")
    }

    @Test("nothing follows a match")
    func nothingFollows() {
        var matcher = StopStringMatcher(["."])
        #expect(matcher.append("one. two") == "one")
        #expect(matcher.append("three") == "")
        #expect(matcher.finish() == "")
    }

    /// The text split in two at every character.
    private func twoPieces(_ text: String) -> [[String]] {
        text.indices.map { [String(text[..<$0]), String(text[$0...])] }
    }
}
