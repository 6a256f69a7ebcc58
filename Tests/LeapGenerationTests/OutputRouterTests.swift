import LeapChat
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
        Case(
            output: "<think>\nHm.\n</think>\n\nYes.\n", routing: .inline(), text: "Yes.\n", reasoning: "Hm.",
            emitted: "<think>\nHm.\n</think>\n\nYes.\n"),
        Case(
            output: "\nHm.\n</think>\n\nYes.", routing: .inline(startsInReasoning: true), text: "Yes.",
            reasoning: "Hm.", emitted: "<think>\nHm.\n</think>\n\nYes."),
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

    @Test("nothing follows the calls that end an answer, not even what shows that their block has ended")
    func onlyCalls() throws {
        let tokenizer = try Self.tokenizer.get()
        let reading = AnswerReading(try #require(Dialect(named: "llama3")), readsUnknown: true)
        for endsAfterCalls in [true, false] {
            var router = OutputRouter(
                tokenizer: tokenizer, stopStrings: [], routing: .split(), reading: reading,
                endsAfterCalls: endsAfterCalls)
            for token in Self.byteTokens(of: #"{"name":"f","parameters":{}} Sure."#, tokenizer) {
                router.append(token) { _ in }
            }
            router.finish { _ in }
            #expect(router.hasCalls)
            #expect(router.text == (endsAfterCalls ? "" : " Sure."), "\(router.text)")
        }
    }

    private static func report(_ token: Token) -> TokenProbability {
        TokenProbability(token: token, logprob: 0, alternatives: [])
    }

    /// Outputs, stop strings, and the text before them.
    private static let stopped: [(output: String, stop: [String], text: String)] = [
        ("one STOP two", ["STOP"], "one "), ("Grüße 👋🏽!", [], "Grüße 👋🏽!"), ("ST", ["STOP"], "ST"),
        ("ghghi t", ["im", "he", " "], "ghghi"), ("caf é", ["é"], "caf "), ("abd bdx", ["dx", " b"], "abd"),
    ]

    @Test("a token is reported before its first text, and tokens of a stop string are not", arguments: stopped)
    func reports(output: String, stop: [String], text: String) throws {
        let tokenizer = try Self.tokenizer.get()
        for tokens in Self.segmentations(of: output, tokenizer) {
            var router = OutputRouter(tokenizer: tokenizer, stopStrings: stop, routing: .raw)
            var (shown, reported): (String, [[UInt8]]) = ("", [])
            let check = { (event: GenerationEvent) in
                switch event {
                case .token(let report): reported.append(tokenizer.bytes(of: report.token, renderSpecial: false))
                case .text(let piece):
                    shown += piece
                    #expect(shown.utf8.count <= reported.joined().count, "\(tokens)")
                    #expect(shown.utf8.count > reported.dropLast().joined().count, "\(tokens)")
                default: Issue.record("unexpected event \(event)")
                }
            }
            for token in tokens {
                router.report(Self.report(token))
                router.append(token, check)
            }
            router.finish(check)
            #expect(shown == text && reported.count <= tokens.count, "\(tokens)")
        }
    }

    @Test("control tokens, which have no text, are reported up to where a stop string begins")
    func reportsOfControlTokens() throws {
        let tokenizer = try Self.tokenizer.get()
        let control = try #require(tokenizer.token(for: "<|im_start|>"))
        let letters = Self.byteTokens(of: "ab", tokenizer)
        func reported(_ tokens: [Token], _ stop: [String]) -> [Token] {
            var router = OutputRouter(tokenizer: tokenizer, stopStrings: stop, routing: .raw)
            var reported: [Token] = []
            let note = { (event: GenerationEvent) in
                if case .token(let report) = event { reported.append(report.token) }
            }
            for token in tokens {
                router.report(Self.report(token))
                router.append(token, note)
            }
            router.finish(note)
            return reported
        }
        let (a, b) = (letters[0], letters[1])
        #expect(reported([a, control, a], ["aa"]) == [])
        #expect(reported([control, b, control, a, control, a], ["aa"]) == [control, b])
        #expect(reported([control, a, control, b, control], ["aa"]) == [control, a, control, b, control])
        #expect(reported([a, control], []) == [a, control])
        // A stop string that follows an incomplete character, which is shown as U+FFFD.
        let incomplete = Self.byteTokens(of: "é", tokenizer)[0]
        #expect(reported([a, incomplete, b], ["b"]) == [a, incomplete])
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
