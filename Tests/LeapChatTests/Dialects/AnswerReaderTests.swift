import Foundation
import LeapChat
import LeapJSON
import OrderedCollections
import Testing

/// Reasoning, text that only looks like a marker, and text that is held back.
@Suite("Answer reader")
struct AnswerReaderTests {
    private static func read(_ text: String, _ name: String = "lfm", functions: [DeclaredFunction]? = nil) -> ReadAnswer
    {
        var reader = AnswerReader(Dialect(named: name) ?? .plain, functions: functions)
        return ReadAnswer(reader.append(text) + reader.finish())
    }

    private static let thoughts: [(String, String, String)] = [
        ("plain", "plain", ""), ("<think>a\nb</think>\n\nc", "c", "a\nb"), ("<think>\na\n\n</think>\nb\n", "b\n", "a"),
        ("x <think>a</think> y <think>b</think>z", "x  y z", "ab"), ("a</think>b", "a</think>b", ""),
        ("\n</think>\nb", "b", ""), ("<think>open", "", "open"),
        ("a < b <thin <<think>c</thin</think>d", "a < b <thin <d", "c</thin"),
        ("<think></think>", "", ""), ("é你<think>é😀</think>é", "é你é", "é😀"),
        ("ends with <think", "ends with <think", ""),
        ("", "", ""), ("  ", "  ", ""), ("\n<think>a</think>b", "b", "a"),
    ]

    @Test("reasoning is separated from text, without the line breaks around it", arguments: thoughts)
    func thought(_ text: String, content: String, reasoning: String) {
        #expect(Self.read(text) == ReadAnswer(content: content, reasoning: reasoning))
    }

    @Test("line breaks are kept on request")
    func keepsLineBreaks() {
        var reader = AnswerReader(.plain, keepsLineBreaks: true)
        let answer = ReadAnswer(reader.append("<think>\na\n</think>\n\nb") + reader.finish())
        #expect(answer == ReadAnswer(content: "\n\nb", reasoning: "\na\n"))
    }

    @Test("with line breaks kept, a call without markers is still read only at the beginning of an answer")
    func beginningWithLineBreaks() throws {
        var reader = AnswerReader(try #require(Dialect(named: "llama3")), keepsLineBreaks: true)
        let call = #"{"name": "f", "parameters": {}}"#
        let events = ["For example: ", call].flatMap { reader.append($0) } + reader.finish()
        #expect(ReadAnswer(events) == ReadAnswer(content: "For example: " + call))
    }

    private static let strings: [(String, JSONValue)] = [
        (#"[f(a="x<|tool_call_end|>y")]"#, "x<|tool_call_end|>y"),
        (#"[f(a='\'<|tool_call_end|>')]"#, "'<|tool_call_end|>"),
        ("[f(a='<think>')]", "<think>"), ("I'll call [f(a='')]", ""),
    ]

    @Test("markers inside strings are part of the strings", arguments: strings)
    func marksInStrings(_ block: String, _ value: JSONValue) {
        let answer = Self.read("<|tool_call_start|>\(block)<|tool_call_end|>z")
        #expect(answer == ReadAnswer(content: "z", calls: [ToolCall(name: "f", arguments: ["a": value])]))
    }

    @Test("an unterminated string does not hide later markers")
    func unclosedString() {
        let text = #"<|tool_call_start|>[f(a="x)]<|tool_call_end|> so <|tool_call_start|>[g()]<|tool_call_end|>"#
        let answer = Self.read(text)
        #expect(answer.calls == [ToolCall(name: "g")])
        #expect(answer.content == #"<|tool_call_start|>[f(a="x)]<|tool_call_end|> so "#)
    }

    @Test("a marker that is a token of its own ends a block, even inside a string")
    func tokens() {
        var reader = AnswerReader(.lfm)
        var events = reader.append(#"<|tool_call_start|>[f(a="x)]"#)
        events += reader.append("<|tool_call_end|>", endsWithToken: true)
        #expect(ReadAnswer(events).content == #"<|tool_call_start|>[f(a="x)]<|tool_call_end|>"#)
        #expect(reader.append("a<|tool_call_end|>", endsWithToken: true) == [.text("a")])
        #expect(reader.append("b") == [.text("b")])
    }

    /// Answers in pieces, of which those that are marks are tokens of their own.
    private static let unfinished: [(String, [String], content: String)] = [
        (
            "qwen-tags", ["<tool_call>", "\n<function=f>\n<parameter=a>\nx\n</function>\n", "</tool_call>"],
            "<tool_call>\n<function=f>\n<parameter=a>\nx\n</function>\n</tool_call>"
        ),
        (
            "glm", ["<tool_call>", "f\n<arg_key>a</arg_key>\n<arg_value>x\n", "</tool_call>"],
            "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x\n</tool_call>"
        ),
        (
            "hermes", ["<tool_call>", #"{"name": "f", "arguments": {"a": "x}"#, "</tool_call>"],
            #"<tool_call>{"name": "f", "arguments": {"a": "x}</tool_call>"#
        ),
        ("hermes", ["<tool_call>", #"{"nam"#, "</tool_call>"], #"<tool_call>{"nam</tool_call>"#),
        (
            "gemma", ["<|tool_call>", "call:f{a:", "<|\"|>", "x}", "<tool_call|>"],
            "<|tool_call>call:f{a:<|\"|>x}<tool_call|>"
        ),
        (
            "harmony", ["<|channel|>", "commentary to=functions.f", "<|message|>", #"{"a": "x"#, "<|end|>"],
            #"<|channel|>commentary to=functions.f<|message|>{"a": "x"#
        ),
        (
            "harmony", ["<|channel|>", "commentary to=functions.f", "<|message|>", #"{"a": "x"#, "<|channel|>"],
            #"<|channel|>commentary to=functions.f<|message|>{"a": "x"#
        ),
    ]

    @Test("a marker that is a token of its own ends an unfinished call in every form", arguments: unfinished)
    func tokensEndCalls(_ name: String, _ pieces: [String], content: String) throws {
        let dialect = try #require(Dialect(named: name))
        let marks = Set(dialect.markTexts + ["<|channel|>"])
        // What follows is read as always.
        let call = dialect.markedText(of: [ToolCall(name: "g")])
        let next = name == "harmony" ? ["<|channel|>", "final", "<|message|>", "y", "<|end|>", call] : [call]
        let isHeader = pieces.last == "<|channel|>"
        var reader = AnswerReader(dialect)
        var events: [AnswerReader.Event] = []
        for piece in pieces + next.dropFirst(isHeader ? 1 : 0) {
            events += reader.append(piece, endsWithToken: marks.contains(piece))
        }
        events += reader.finish()
        let answer = ReadAnswer(events)
        #expect(answer.content == content + (name == "harmony" ? "y" : "") && answer.calls == [ToolCall(name: "g")])
        let problems = events.compactMap { if case .unreadable(let error) = $0 { error.problem } else { nil } }
        #expect(problems == [.cutOff])
    }

    @Test("whole calls are read from markers that are tokens of their own as from text", arguments: DialectCase.all)
    func wholeCallsOfTokens(_ test: DialectCase) throws {
        let dialect = try #require(Dialect(named: test.dialect))
        guard !test.answer.calls.isEmpty, test.answer.content.isEmpty, let end = dialect.callEnd, end != "```",
            test.text.components(separatedBy: end).count == 2
        else { return }
        var reader = AnswerReader(dialect, functions: DialectCase.functions)
        var events = reader.append(test.opening)
        let parts = test.text.components(separatedBy: end)
        events += reader.append(parts[0] + end, endsWithToken: true)
        events += reader.append(parts[1]) + reader.finish()
        #expect(ReadAnswer(events) == test.answer)
    }

    @Test("a fence that is a token ends no call inside a string")
    func fenceTokens() throws {
        var reader = AnswerReader(try #require(Dialect(named: "command-fenced")))
        let begin = "Action:\n```json\n[{\"tool_name\": \"f\", \"parameters\": {\"a\": \""
        var events = reader.append(begin) + reader.append("```", endsWithToken: true)
        events += reader.append("\"}}]") + reader.append("```", endsWithToken: true) + reader.finish()
        #expect(ReadAnswer(events).calls == [ToolCall(name: "f", arguments: ["a": "```"])])
    }

    @Test("where a template shows no thoughts, they are read only at the beginning of an answer")
    func thoughtsAfterText() throws {
        let source = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>{% endfor %}"
        let plain = try Dialect(of: ChatTemplate(source: source))
        let thinking = try Dialect(of: ChatTemplate(source: source + "{# <think> #}"))
        let about = "Models write a <think> tag, and later </think>. So"
        for dialect in [plain, Dialect.lfm.thinking(as: plain)] {
            for keepsLineBreaks in [false, true] {
                func read(_ text: String) -> ReadAnswer {
                    var reader = AnswerReader(dialect, keepsLineBreaks: keepsLineBreaks)
                    return ReadAnswer(text.utf8.flatMap { reader.append(utf8: [$0]) } + reader.finish())
                }
                #expect(read(about) == ReadAnswer(content: about))
                #expect(read("<think>a</think>" + about) == ReadAnswer(content: about, reasoning: "a"))
                #expect(read(" \n<think>a</think>b").reasoning == "a")
                #expect(read("<think>a</think>\n<think>b</think>c").reasoning == "ab")
            }
        }
        var reader = AnswerReader(thinking)
        #expect(ReadAnswer(reader.append("x <think>a</think> y") + reader.finish()).reasoning == "a")
    }

    private static let broken: [(String, String, content: String)] = [
        (
            "hermes", #"<tool_call>{"name": "f", "arguments": {"a": "x"}\#n"#,
            #"<tool_call>{"name": "f", "arguments": {"a": "x"}"#
        ),
        (
            "hermes", #"<tool_call>{"name": "f", "arguments": {"a": "x""#,
            #"<tool_call>{"name": "f", "arguments": {"a": "x""#
        ),
        (
            "hermes", #"<tool_call>{"name": "f", "arguments": {"a": nu"#,
            #"<tool_call>{"name": "f", "arguments": {"a": nu"#
        ),
        ("qwen-tags", "<tool_call>\n<function=f>\n", "<tool_call>\n<function=f>"),
        ("kimi", "<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|>", ""),
    ]

    @Test("a marker directly after a broken call counts", arguments: broken)
    func afterBrokenCall(_ name: String, _ text: String, content: String) throws {
        let dialect = try #require(Dialect(named: name))
        let call = dialect.markedText(of: [ToolCall(name: "g")])
        var reader = AnswerReader(dialect)
        let answer = ReadAnswer((text + call).utf8.flatMap { reader.append(utf8: [$0]) } + reader.finish())
        #expect(answer.content == (content.isEmpty ? text : content))
        #expect(answer.calls.map(\.name) == ["g"])
    }

    @Test("two arguments for one parameter make a call unreadable, and none is reported twice")
    func argumentGivenTwice() throws {
        var reader = AnswerReader(.lfm, functions: DialectCase.functions)
        let text = "<|tool_call_start|>[weather(\"Oslo\", city=\"Rome\")]<|tool_call_end|>"
        let events = reader.append(text) + reader.finish()
        #expect(ReadAnswer(events) == ReadAnswer(content: text))
        let arguments = events.map { if case .callArguments(_, let part) = $0 { part } else { "" } }.joined()
        #expect(arguments == #"{"city": "Oslo""#)
        let problems = events.compactMap { if case .unreadable(let error) = $0 { error.problem } else { nil } }
        #expect(problems == [.duplicate("city")])
    }

    @Test("only text that may begin a marker is held back")
    func holdsBackLittle() {
        var reader = AnswerReader(.lfm)
        #expect(reader.append("abc") == [.text("abc")])
        #expect(reader.append("x<th") == [.text("x")])
        #expect(reader.append("e") == [.text("<the")])
        #expect(reader.append("<|tool_call_start") == [])
        #expect(reader.append("s") == [.text("<|tool_call_starts")])
        #expect(reader.append("<think>r") == [.reasoningBegins, .reasoning("r")])
        #expect(reader.append("<think>") == [.reasoning("<think>")])
        #expect(reader.finish() == [])
    }

    @Test("a call's name is reported before its arguments, which are reported as they arrive")
    func early() throws {
        var reader = AnswerReader(try #require(Dialect(named: "hermes")))
        #expect(reader.append(#"<tool_call>{"name": "f""#) == [.callBegins(index: 0, id: nil, name: "f")])
        #expect(reader.append(#", "arguments": {"a": [1"#) == [.callArguments(index: 0, #"{"a": [1"#)])
        #expect(reader.append("]}}") == [.callArguments(index: 0, "]}")])
        #expect(reader.append("</tool_call>") == [.calls([ToolCall(name: "f", arguments: ["a": [1]])])])
    }

    @Test("arguments of a Python call are reported one by one")
    func earlyPython() {
        var reader = AnswerReader(.lfm)
        #expect(reader.append("<|tool_call_start|>[f(a=1") == [.callBegins(index: 0, id: nil, name: "f")])
        #expect(reader.append(", b=[") == [.callArguments(index: 0, #"{"a": 1"#)])
        #expect(reader.append("True])") == [.callArguments(index: 0, #", "b": [true]}"#)])
    }

    @Test("an incomplete call is reported as begun and cut off, and is not a call")
    func incompleteCall() throws {
        for (name, text) in [
            ("lfm", "<|tool_call_start|>[f(a="), ("hermes", #"<tool_call>{"name": "f", "arguments": {"a"#),
        ] {
            var reader = AnswerReader(try #require(Dialect(named: name)))
            let events = reader.append(text) + reader.finish()
            #expect(events.contains { if case .callBegins(0, nil, "f") = $0 { true } else { false } })
            #expect(events.contains { if case .unreadable(let error) = $0 { error.problem == .cutOff } else { false } })
            #expect(ReadAnswer(events).calls.isEmpty)
        }
    }

    @Test("a broken call without markers is reported if it had certainly begun")
    func brokenBareCall() throws {
        for (text, isReported) in [
            (#"{"name": "f", "parameters": {"a": no"#, true), ("<|python_tag|>{\"name\": \"f\", 5", true),
            (#"{"name": "f", "a": 5}"#, false), ("[1, 2]", false),
        ] {
            var reader = AnswerReader(try #require(Dialect(named: "llama3")))
            let events = reader.append(text) + reader.finish()
            #expect(events.contains { if case .unreadable = $0 { true } else { false } } == isReported, "\(text)")
            #expect(ReadAnswer(events) == ReadAnswer(content: text))
        }
    }

    @Test("in a list, a call of an unknown function is text and is reported, after the calls before it")
    func unknownInList() {
        var reader = AnswerReader(.lfm, functions: [DeclaredFunction(name: "f", json: [:])])
        let events = reader.append("<|tool_call_start|>[f(), g()]<|tool_call_end|>") + reader.finish()
        #expect(ReadAnswer(events) == ReadAnswer(content: ", g()]<|tool_call_end|>", calls: [ToolCall(name: "f")]))
        let problems = events.compactMap { if case .unreadable(let error) = $0 { error.problem } else { nil } }
        #expect(problems == [.unknownFunction("g")])
    }

    @Test("surrogates without a partner are reported as the complete call has them")
    func loneSurrogates() throws {
        let pairs = [
            (#"\ud83d"#, #"\ufffd"#), (#"\ud83d."#, #"\ufffd."#), (#"\ud83d\ude00"#, #"\ud83d\ude00"#),
            (#"\ud83d\ud83d\ude00\ude00"#, #"\ufffd\ud83d\ude00\ufffd"#), (#"\uD83D\n"#, #"\ufffd\n"#),
            (#"\\ud83d\u00e9"#, #"\\ud83d\u00e9"#),
        ]
        for (written, reported) in pairs {
            var reader = AnswerReader(try #require(Dialect(named: "hermes")))
            let text = #"<tool_call>{"name": "f", "arguments": {"a": ""# + written + #""}}</tool_call>"#
            let events = text.utf8.flatMap { reader.append(utf8: [$0]) } + reader.finish()
            let arguments = events.map { if case .callArguments(_, let part) = $0 { part } else { "" } }.joined()
            #expect(arguments == #"{"a": ""# + reported + #""}"#)
        }
    }

    private static let headed: [(String, String, content: String, names: [String])] = [
        ("functionary-recipients", ">>>f\n{}>>>g\n{}", "", ["f", "g"]),
        ("functionary-recipients", ">>>f\n{} x", " x", ["f"]),
        ("functionary-recipients", ">>>f\n{}<|eot_id|>", "<|eot_id|>", ["f"]),
        (
            "harmony",
            "<|channel|>commentary to=functions.f<|message|>{}<|end|><|start|>assistant"
                + "<|channel|>commentary to=functions.g<|message|>{}<|call|>", "", ["f", "g"]
        ),
        ("harmony", "<|channel|>commentary to=functions.f<|message|>{} x<|call|>", " x", ["f"]),
    ]

    @Test("text and calls after a call that is named in a header are read independently", arguments: headed)
    func headedCalls(_ name: String, _ text: String, content: String, names: [String]) throws {
        let dialect = try #require(Dialect(named: name))
        for (functions, readsUnknown) in [(nil, false), ([], true)] as [([DeclaredFunction]?, Bool)] {
            var reader = AnswerReader(dialect, functions: functions, readsUnknown: readsUnknown)
            let events = text.utf8.flatMap { reader.append(utf8: [$0]) } + reader.finish()
            #expect(ReadAnswer(events) == ReadAnswer(content: content, calls: names.map { ToolCall(name: $0) }))
            #expect(!events.contains { if case .unreadable = $0 { true } else { false } })
        }
    }

    @Test("the reader reports its stage: text, reasoning or call")
    func stages() {
        var reader = AnswerReader(.lfm)
        #expect(reader.stage == .text)
        _ = reader.append("<think>")
        #expect(reader.stage == .thought)
        _ = reader.append("</think>a<|tool_call_start|>")
        #expect(reader.stage == .call && reader.isInOpenCall)
        _ = reader.append("[f()]<|tool_call_end|>")
        #expect(reader.stage == .text && !reader.isInOpenCall)
    }

    @Test("calls of undeclared functions are read on request, but never without markers")
    func unknown() throws {
        for (name, text, count) in [
            ("lfm", "<|tool_call_start|>[f()]<|tool_call_end|>", 1), ("llama3", #"{"name": "f", "parameters": {}}"#, 0),
        ] {
            var reader = AnswerReader(try #require(Dialect(named: name)), functions: [], readsUnknown: true)
            #expect(ReadAnswer(reader.append(text) + reader.finish()).calls.count == count)
        }
    }
}
