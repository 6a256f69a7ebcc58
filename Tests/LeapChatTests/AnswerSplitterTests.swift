import LeapChat
import Testing
import _LeapTestSupport

@Suite("Answer splitter")
struct AnswerSplitterTests {
    typealias Event = AnswerSplitter.Event

    /// A stream and what it consists of.
    struct Stream: Sendable, CustomTestStringConvertible {
        var text: String
        var marks: ToolCallMarks?
        var startsInReasoning = false
        var events: [Event]

        init(_ text: String, startsInReasoning: Bool = false, _ events: Event...) {
            self.text = text
            self.startsInReasoning = startsInReasoning
            self.events = events
        }

        init(_ text: String, _ marks: ToolCallMarks, _ events: Event...) {
            self.text = text
            self.marks = marks
            self.events = events
        }

        var testDescription: String { text }
    }

    private static let lfm = ToolCallFormat.lfm.marks
    private static let hermes = ToolCallFormat.hermes.marks
    private static let llama3 = ToolCallFormat.llama3.marks
    private static let mistral = ToolCallFormat.mistral.marks
    private static let plain = ToolCallMarks(start: "[C]", end: "[/C]")

    static let reasoning: [Stream] = [
        Stream("plain", .text("plain")),
        Stream("<think>a\nb</think>\n\nc", .reasoningBegins, .reasoning("a\nb"), .reasoningEnds, .text("\n\nc")),
        Stream(
            "x <think>a</think> y <think>b</think>z", .text("x "), .reasoningBegins, .reasoning("a"), .reasoningEnds,
            .text(" y "), .reasoningBegins, .reasoning("b"), .reasoningEnds, .text("z")),
        Stream(
            "a</think>b", startsInReasoning: true, .reasoningBegins, .reasoning("a"), .reasoningEnds, .text("b")),
        Stream("a</think>b", .text("a</think>b")),
        Stream("<think>open", .reasoningBegins, .reasoning("open")),
        Stream(
            "a < b <thin <<think>c</thin</think>d", .text("a < b <thin <"), .reasoningBegins, .reasoning("c</thin"),
            .reasoningEnds, .text("d")),
        Stream("<think></think>", .reasoningBegins, .reasoningEnds),
        Stream(
            "é你😀<think>é你😀</think>é", .text("é你😀"), .reasoningBegins, .reasoning("é你😀"), .reasoningEnds,
            .text("é")),
        Stream("ends with <think", .text("ends with <think")),
        Stream(""),
    ]

    static let calls: [Stream] = [
        Stream(
            "Sure.<|tool_call_start|>[f(a=1)]<|tool_call_end|>\nDone.", lfm, .text("Sure."), .calls("[f(a=1)]"),
            .text("\nDone.")),
        Stream(
            "<|tool_call_start|>[f()]<|tool_call_end|><|tool_call_start|>[g()]<|tool_call_end|>", lfm, .calls("[f()]"),
            .calls("[g()]")),
        Stream("<|tool_call_start|>[f()]<|tool_call_end|>", .text("<|tool_call_start|>[f()]<|tool_call_end|>")),
        Stream("<|tool_call_start|>[f(a=", lfm, .cutOffCalls("[f(a=")),
        Stream("<|tool_call_start|>", lfm, .cutOffCalls("")),
        Stream("a <|tool_call_sta", lfm, .text("a <|tool_call_sta")),
        Stream("a<|tool_call_end|>b", lfm, .text("a<|tool_call_end|>b")),
        // Inside a thought a mark is a thought, and inside a block there are no thoughts.
        Stream(
            "<think><|tool_call_start|>[f()]<|tool_call_end|></think>x", lfm, .reasoningBegins,
            .reasoning("<|tool_call_start|>[f()]<|tool_call_end|>"), .reasoningEnds, .text("x")),
        Stream("<|tool_call_start|>[f(a='<think>')]<|tool_call_end|>", lfm, .calls("[f(a='<think>')]")),
        // Marks inside strings are strings.
        Stream(
            #"<|tool_call_start|>[f(a="x<|tool_call_end|>y")]<|tool_call_end|>z"#, lfm,
            .calls(#"[f(a="x<|tool_call_end|>y")]"#), .text("z")),
        Stream(
            #"<|tool_call_start|>[f(a='\'<|tool_call_end|>')]<|tool_call_end|>"#, lfm,
            .calls(#"[f(a='\'<|tool_call_end|>')]"#)),
        Stream(
            #"<|tool_call_start|>[f(a="""it"s <|tool_call_end|> " ""z""")]<|tool_call_end|>"#, lfm,
            .calls(#"[f(a="""it"s <|tool_call_end|> " ""z""")]"#)),
        Stream(
            #"<|tool_call_start|>[f(a="", b='')]<|tool_call_end|>"#, lfm, .calls(#"[f(a="", b='')]"#)),
        Stream(
            "<|tool_call_start|>I'll call [f()] # it's\n<|tool_call_end|>x", lfm, .calls("I'll call [f()] # it's\n"),
            .text("x")),
        Stream(
            #"<|tool_call_start|>[f(a=r"\")"<|tool_call_end|>"#, lfm, .calls(#"[f(a=r"\")""#)),
        Stream(
            #"<tool_call>{"name": "f", "arguments": {"a": "</tool_call>\""}}</tool_call>z"#, hermes,
            .calls(#"{"name": "f", "arguments": {"a": "</tool_call>\""}}"#), .text("z")),
        Stream("<tool_call>it's</tool_call>z", hermes, .calls("it's"), .text("z")),
        // A string without an end hides no mark for ever.
        Stream(
            #"<|tool_call_start|>[f(a="x)]<|tool_call_end|> so <|tool_call_start|>['<|tool_call_end|>b"#, lfm,
            .calls(#"[f(a="x)]"#), .text(" so "), .calls("['"), .text("b")),
        Stream(#"<|tool_call_start|>[f(a="x)]"#, lfm, .cutOffCalls(#"[f(a="x)]"#)),
        // Where nothing is known of strings, the first mark ends the block.
        Stream(#"[C]"[/C]"[/C]"#, plain, .calls("\""), .text("\"[/C]")),
    ]

    static let bare: [Stream] = [
        Stream(#"{"name": "f", "parameters": {}}"#, llama3, .calls(#"{"name": "f", "parameters": {}}"#)),
        Stream("\n { \"name\" : 1", llama3, .calls("\n { \"name\" : 1")),
        Stream("<|python_tag|>{}", llama3, .calls("{}")),
        Stream(#" {"nam": 1}"#, llama3, .text(#" {"nam": 1}"#)),
        Stream(#"See {"name": 1}"#, llama3, .text(#"See {"name": 1}"#)),
        Stream(
            #"<think>x</think> {"name":"#, llama3, .reasoningBegins, .reasoning("x"), .reasoningEnds,
            .calls(#" {"name":"#)),
        Stream("  ", llama3, .text("  ")),
        Stream("{", llama3, .text("{")),
        Stream(#"Hm.[TOOL_CALLS][{"name":"f"}]"#, mistral, .text("Hm."), .calls(#"[{"name":"f"}]"#)),
    ]

    @Test("Every way of cutting a stream gives the same events", arguments: reasoning + calls + bare)
    func cuts(_ stream: Stream) {
        let scalars = Array(stream.text.unicodeScalars)
        #expect(Self.split([stream.text], stream) == stream.events)
        #expect(Self.split(scalars.map { String($0) }, stream) == stream.events)
        for first in 0...scalars.count {
            for second in first...scalars.count {
                let pieces = [scalars[..<first], scalars[first..<second], scalars[second...]]
                #expect(Self.split(pieces.map { String(String.UnicodeScalarView($0)) }, stream) == stream.events)
            }
        }
    }

    /// Events of a stream in pieces, neighbours of one kind joined.
    private static func split(_ pieces: [String], _ stream: Stream) -> [Event] {
        var splitter = AnswerSplitter(marks: stream.marks, startsInReasoning: stream.startsInReasoning)
        return joined(pieces.flatMap { splitter.append($0) } + splitter.finish())
    }

    private static func joined(_ events: [Event]) -> [Event] {
        var result: [Event] = []
        for event in events {
            switch (result.last, event) {
            case (.text(let before), .text(let text)): result[result.count - 1] = .text(before + text)
            case (.reasoning(let before), .reasoning(let text)): result[result.count - 1] = .reasoning(before + text)
            default: result.append(event)
            }
        }
        return result
    }

    @Test("Only what may begin a mark is held back")
    func holdsBackLittle() {
        var splitter = AnswerSplitter(marks: Self.lfm)
        #expect(splitter.append("abc") == [.text("abc")])
        #expect(splitter.append("x<th") == [.text("x")])
        #expect(splitter.append("e") == [.text("<the")])
        #expect(splitter.append("<|tool_call_start") == [])
        #expect(splitter.append("s") == [.text("<|tool_call_starts")])
        #expect(splitter.append("<think>r") == [.reasoningBegins, .reasoning("r")])
        #expect(splitter.append("<think>") == [.reasoning("<think>")])
        #expect(splitter.finish() == [])
    }

    @Test("A mark that is a token of its own ends a block, even inside a string")
    func tokens() {
        var splitter = AnswerSplitter(marks: Self.lfm)
        #expect(splitter.append(#"<|tool_call_start|>[f(a="x)]"#) == [])
        #expect(splitter.append("<|tool_call_end|>", endsWithToken: true) == [.calls(#"[f(a="x)]"#)])
        #expect(splitter.append("a<|tool_call_end|>", endsWithToken: true) == [.text("a")])
        #expect(splitter.append("b") == [.text("b")])
    }

    @Test("Time is linear, whatever the stream")
    func linear() {
        let count = 200_000
        let streams = [
            String(repeating: "<", count: count), String(repeating: " ", count: count),
            "<|tool_call_start|>" + String(repeating: "\"<|tool_call_end|>\\", count: count / 10),
            String(repeating: "<|tool_call_start|>\\\"<|tool_call_end|>", count: count / 20),
        ]
        for stream in streams {
            for marks in [Self.lfm, Self.llama3] {
                var splitter = AnswerSplitter(marks: marks)
                #expect(!(splitter.append(stream) + splitter.finish()).isEmpty)
            }
        }
    }

    @Test("Nothing is lost of random streams, however they are cut", arguments: 0..<20 as Range<UInt64>)
    func random(_ seed: UInt64) {
        var numbers = SeededRandomNumberGenerator(seed: seed)
        let parts = [
            "<think>", "</think>", "<|tool_call_start|>", "<|tool_call_end|>", "\"", "'", "\\", "a", " ", "#", "\n",
            "é",
            "[f(a=", ")]", "<|tool", "<",
        ]
        let pieces = (0..<60).compactMap { _ in parts.randomElement(using: &numbers) }
        let stream = Stream(pieces.joined(), Self.lfm)
        let whole = Self.split([stream.text], stream)
        #expect(Self.split(pieces, stream) == whole)
        #expect(Self.split(stream.text.unicodeScalars.map { String($0) }, stream) == whole)
        #expect(Self.length(of: whole) == stream.text.utf8.count)
    }

    /// Bytes of the stream that gave the events.
    private static func length(of events: [Event]) -> Int {
        events.reduce(0) { sum, event in
            switch event {
            case .text(let text), .reasoning(let text): sum + text.utf8.count
            case .reasoningBegins: sum + 7
            case .reasoningEnds: sum + 8
            case .calls(let text): sum + text.utf8.count + 19 + 17
            case .cutOffCalls(let text): sum + text.utf8.count + 19
            }
        }
    }
}
