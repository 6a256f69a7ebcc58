import LeapGGUF
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapEngine

@Suite("DRY's sequence breakers")
struct SequenceBreakersTests {
    private static func tokenizer() throws -> Tokenizer {
        try Tokenizer(metadata: GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path).metadata)
    }

    @Test("texts that Unicode regards as equal, but have other bytes, have tokens of their own")
    func spelling() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(composed == decomposed)
        let tokenizer = try Self.tokenizer()
        let breakers = SequenceBreakers(tokenizer)
        let first = breakers.tokens([composed])
        #expect(breakers.tokens([decomposed]) == SequenceBreakers(tokenizer).tokens([decomposed]))
        #expect(breakers.tokens([decomposed]) != first)
    }
}
