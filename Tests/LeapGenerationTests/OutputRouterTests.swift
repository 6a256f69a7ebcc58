import LeapGGUF
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapGeneration

@Suite("Output router")
struct OutputRouterTests {
    private static let tokenizer = Result {
        try Tokenizer(metadata: GGUFFile(path: Fixture(name: "lfm2-tied-f32").path).metadata)
    }

    /// An output, and the expected text and reasoning.
    struct Case: Sendable {
        var output: String
        var routing = OutputRouting.split()
        var stop: [String] = []
        var text: String
        var reasoning = ""
        /// What is emitted as text: the text, unless reasoning is inline.
        var emitted: String?
    }

    private static let cases = [
        Case(output: "Grüße 👋🏽!", text: "Grüße 👋🏽!"),
        Case(output: "<think>Hm, ≤ 3.</think>Yes.", text: "Yes.", reasoning: "Hm, ≤ 3."),
        Case(output: "Hm.</think>Yes.", routing: .split(startsInReasoning: true), text: "Yes.", reasoning: "Hm."),
        Case(
            output: "<think>Hm.</think>Yes.", routing: .inline(), text: "Yes.", reasoning: "Hm.",
            emitted: "<think>Hm.</think>Yes."),
        Case(
            output: "Hm.</think>Yes.", routing: .inline(startsInReasoning: true), text: "Yes.", reasoning: "Hm.",
            emitted: "<think>Hm.</think>Yes."),
        Case(output: "a < b <thin", text: "a < b <thin"),
        Case(output: "<think>never ends", text: "", reasoning: "never ends"),
        Case(output: "one STOP two", stop: ["STOP"], text: "one "),
        Case(output: "<think>STOP</think>x", stop: ["STOP"], text: ""),
        Case(output: "ST", stop: ["STOP"], text: "ST"),
        Case(output: "Hm.\n", routing: .raw, text: "Hm.\n"),
    ]

    @Test("every split of an output into tokens gives the same answer", arguments: cases)
    func everySplit(_ test: Case) throws {
        let tokenizer = try Self.tokenizer.get()
        for tokens in Self.segmentations(of: test.output, tokenizer) {
            var router = OutputRouter(tokenizer: tokenizer, stopStrings: test.stop, routing: test.routing)
            var emitted: [GenerationEvent] = []
            for token in tokens { router.append(token) { emitted.append($0) } }
            router.finish { emitted.append($0) }
            let texts = emitted.compactMap { if case .text(let text) = $0 { text } else { nil } }
            let reasonings = emitted.compactMap { if case .reasoning(let text) = $0 { text } else { nil } }
            let isInline = test.emitted != nil
            #expect(router.text == test.text && router.reasoning == test.reasoning, "\(tokens)")
            #expect(texts.joined() == test.emitted ?? test.text, "\(tokens)")
            #expect(reasonings.joined() == (isInline ? "" : test.reasoning), "\(tokens)")
            #expect(!(texts + reasonings).contains { $0.contains("\u{FFFD}") || $0.isEmpty }, "\(emitted)")
        }
    }

    @Test("a held-back start of a stop string before data belongs to the reasoning, not to the data")
    func heldBeforeData() throws {
        let tokenizer = try Self.tokenizer.get()
        var router = OutputRouter(
            tokenizer: tokenizer, stopStrings: [">>", "STOP"], routing: .split(startsInReasoning: true))
        for token in Self.byteTokens(of: "Hm.</think>", tokenizer) { router.append(token) { _ in } }
        router.becomePlain { _ in }
        for token in Self.byteTokens(of: "{STOP}", tokenizer) { router.append(token) { _ in } }
        router.finish { _ in }
        #expect(router.reasoning == "Hm." && router.text == "{" && router.stopString == "STOP")
    }

    /// The output tokenised in two parts, split at every scalar (tags as one token and spelled out), and byte by byte.
    private static func segmentations(of output: String, _ tokenizer: Tokenizer) -> [[Token]] {
        let scalars = Array(output.unicodeScalars)
        let inTwo = [true, false].flatMap { parseSpecial in
            (0...scalars.count).map { cut in
                [scalars[..<cut], scalars[cut...]].flatMap { part in
                    tokenizer.encode(
                        String(String.UnicodeScalarView(part)), addSpecial: false, parseSpecial: parseSpecial)
                }
            }
        }
        return inTwo + [byteTokens(of: output, tokenizer)]
    }

    private static func byteTokens(of output: String, _ tokenizer: Tokenizer) -> [Token] {
        let vocabulary = 0..<Token(tokenizer.vocabularySize)
        return output.utf8.compactMap { byte in
            vocabulary.first { tokenizer.bytes(of: $0, renderSpecial: false) == [byte] }
        }
    }
}
