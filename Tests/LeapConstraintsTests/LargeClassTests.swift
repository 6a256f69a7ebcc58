import Testing

@testable import LeapConstraints

/// Compilation time is proportional to the size of a character class.
@Suite("Large character classes", .timeLimit(.minutes(2)))
struct LargeClassTests {
    /// Every second ideograph, twenty times: 200,000 members that are not adjacent. Merging them one by one would take hours.
    @Test("a character class with 200,000 members is parsed within the time limit", arguments: ["", "^"])
    func manyMembers(inversion: String) throws {
        let scalars = stride(from: UInt32(0x4E00), to: 0x9FFF, by: 2).compactMap(Unicode.Scalar.init)
        let members = String(String.UnicodeScalarView(scalars))
        let pattern = "[" + inversion + String(repeating: members, count: 20) + "]"
        guard case .scalars(let set) = try RegexParser.parse(pattern) else {
            Issue.record("not a character class")
            return
        }
        let expected = ScalarSet(members)
        #expect(set == (inversion.isEmpty ? expected : expected.inverted))
    }

    @Test("a pattern with a class of twelve thousand characters is enforced")
    func pattern() throws {
        let scalars = stride(from: UInt32(0x3400), to: 0x3400 + 24_000, by: 2).compactMap(Unicode.Scalar.init)
        let members = String(String.UnicodeScalarView(scalars))
        let constraint = try Constraint(jsonSchema: #"{"type": "string", "pattern": "^[\#(members)]+$"}"#)
        for (text, isAccepted) in [("\u{3400}\u{3402}", true), ("\u{3401}", false)] {
            #expect((rejection(of: "\"\(text)\"", by: constraint) == nil) == isAccepted)
        }
    }
}
