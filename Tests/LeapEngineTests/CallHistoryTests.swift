import Foundation
import LeapChat
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapEngine

/// Past calls and their results, as rendered by templates of several model families. The templates are our own, in the
/// style of each family.
@Suite("Past calls in prompts")
struct CallHistoryTests {
    private static let messages = [
        Message(.user, "Rome?"),
        Message(
            .assistant, "Let me see.",
            calls: [ToolCall(name: "get_weather", arguments: ["city": "Rome", "days": 3]), ToolCall(name: "now")]),
        Message(.tool, "sunny"), Message(.tool, "noon"),
    ]

    /// A template, the parser of the generation, and the prompt.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var template: String
        var format: ToolCallFormat?
        var prompt: String

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "LFM2: calls are part of the content",
            template: """
                {%- for m in messages -%}
                {%- set content = m.content -%}
                {%- if m.role == "tool" -%}
                {%- set content = "<|tool_response_start|>" + content + "<|tool_response_end|>" -%}
                {%- endif -%}
                {{- "<|im_start|>" + m.role + "\\n" + content + "<|im_end|>\\n" -}}
                {%- endfor -%}
                """,
            format: .lfm,
            prompt: """
                <|im_start|>user
                Rome?<|im_end|>
                <|im_start|>assistant
                Let me see.<|tool_call_start|>[get_weather(city="Rome", days=3), now()]<|tool_call_end|><|im_end|>
                <|im_start|>tool
                <|tool_response_start|>sunny<|tool_response_end|><|im_end|>
                <|im_start|>tool
                <|tool_response_start|>noon<|tool_response_end|><|im_end|>

                """),
        Case(
            name: "calls in the content, with another parser",
            template: "{% for m in messages %}[{{ m.content }}]{% endfor %}", format: .hermes,
            prompt: """
                [Rome?][Let me see.<tool_call>
                {"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}
                </tool_call>
                <tool_call>
                {"name": "now", "arguments": {}}
                </tool_call>][sunny][noon]
                """),
        Case(
            name: "without a parser, the format is taken from the template",
            template: "{# <tool_call> #}{% for m in messages %}[{{ m.content }}]{% endfor %}",
            prompt: """
                [Rome?][Let me see.<tool_call>
                {"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}
                </tool_call>
                <tool_call>
                {"name": "now", "arguments": {}}
                </tool_call>][sunny][noon]
                """),
        Case(
            name: "LFM2.5-8B-A1B: the template writes the calls",
            template: """
                {%- for m in messages -%}
                {{- m.role + ": " + m.content -}}
                {%- if m.tool_calls is defined -%}
                {%- for c in m.tool_calls -%}
                {{- "|" + c.function.name -}}
                {%- for key, value in c.function.arguments.items() -%}{{- "," + key + "=" + (value | string) -}}{%- endfor -%}
                {%- endfor -%}
                {%- endif -%}
                {{- "\\n" -}}
                {%- endfor -%}
                """,
            format: .lfm,
            prompt: "user: Rome?\nassistant: Let me see.|get_weather,city=Rome,days=3|now\ntool: sunny\ntool: noon\n"),
        Case(
            name: "arguments as a JSON string, for a template that concatenates them",
            template: """
                {%- for m in messages -%}
                {%- for c in m.tool_calls or [] -%}{{- "|" + c.function.name + c.function.arguments -}}{%- endfor -%}
                {%- endfor -%}
                """,
            format: .lfm, prompt: #"|get_weather{"city": "Rome", "days": 3}|now{}"#),
        Case(
            name: "calls and results have matching ids",
            template: """
                {%- for m in messages -%}
                {%- for c in m.tool_calls or [] -%}{{- c.id + c.function.name -}}{%- endfor -%}
                {%- if m.tool_call_id is defined -%}{{- m.tool_call_id + m.content -}}{%- endif -%}
                {%- endfor -%}
                """,
            format: .lfm, prompt: "call00000get_weathercall00001nowcall00000sunnycall00001noon"),
        Case(
            name: "Llama 3: the template refuses several calls in one message",
            template: """
                {%- for m in messages -%}
                {%- if m.tool_calls -%}
                {%- if m.tool_calls | length != 1 -%}{{- raise_exception("one call at once") -}}{%- endif -%}
                {{- "{" + m.tool_calls[0].function.name + "}" -}}
                {%- else -%}{{- m.role + ": " + m.content + "\\n" -}}{%- endif -%}
                {%- endfor -%}
                """,
            format: .llama3, prompt: "user: Rome?\n{get_weather}tool: sunny\n{now}tool: noon\n"),
        Case(
            name: "gpt-oss: the template writes only the first call, and its name before every result",
            template: """
                {%- set ns = namespace(name="") -%}
                {%- for m in messages -%}
                {%- if m.tool_calls -%}
                {%- set ns.name = m.tool_calls[0].function.name -%}
                {{- m.content + " to=" + ns.name + "\\n" -}}
                {%- else -%}{{- ns.name + ": " + m.content + "\\n" -}}{%- endif -%}
                {%- endfor -%}
                """,
            format: .lfm,
            prompt: ": Rome?\nLet me see. to=get_weather\nget_weather: sunny\n to=now\nnow: noon\n"),
    ]

    @Test("calls and results are rendered as each family expects", arguments: cases)
    func rendered(_ test: Case) throws {
        let template = try ChatTemplate(source: test.template)
        let history = CallHistory(
            template: template, tools: nil, dialect: test.format.flatMap { Dialect(named: $0.name) } ?? .plain)
        let messages = history.templateMessages(Self.messages.withNumberedCalls)
        #expect(try template.render(messages: messages, addGenerationPrompt: false) == test.prompt)
    }

    @Test("reasoning is given to templates under both of its names")
    func thoughts() throws {
        let plain = try ChatTemplate(source: "{% for m in messages %}{{ m.content }}{% endfor %}")
        let json = CallHistory(template: plain, tools: nil, dialect: .plain)
            .templateMessages([Message(.assistant, "No.", reasoning: "Hm.")])
        #expect(json == [["role": "assistant", "content": "No.", "reasoning_content": "Hm.", "thinking": "Hm."]])
        #expect(try plain.render(messages: json) == "No.")
    }

    @Test("parallel calls are split into single ones, each followed by its result if there is one")
    func singleCalls() {
        let (one, two) = (ToolCall(name: "one"), ToolCall(name: "two"))
        let both = Message(.assistant, "Both.", reasoning: "Hm.", calls: [one, two])
        let apart = [
            Message(.assistant, "Both.", reasoning: "Hm.", calls: [one]), Message(.tool, "1"),
            Message(.assistant, "", calls: [two]),
        ]
        #expect([both, Message(.tool, "1")].withSingleCalls == apart)
        #expect([both].withSingleCalls == [apart[0], apart[2]])
        #expect([both, Message(.user, "x")].withSingleCalls == [apart[0], apart[2], Message(.user, "x")])
        #expect(apart.withSingleCalls == apart)
    }

    /// Two calls with ids, and a result for each that refers to its id.
    private static let named = [
        Message(.assistant, "", calls: [ToolCall(name: "one", id: "a"), ToolCall(name: "two", id: "b")]),
        result("2", of: "b"), result("1", of: "a"),
    ]

    private static func result(_ text: String, of id: String?) -> Message {
        var message = Message(.tool, text)
        message.callID = id
        return message
    }

    /// The results of a conversation, each prefixed with the name of the called function.
    private static func results(_ messages: [Message]) -> [String] {
        let numbered = messages.withNumberedCalls
        let calls = numbered.flatMap(\.calls)
        return numbered.filter { $0.role == .tool }.map { result in
            (calls.first { $0.id == result.callID }?.name ?? "") + ":" + result.text
        }
    }

    @Test("results are matched to calls by id, and put in the order of the calls")
    func namedResults() {
        #expect(Self.results(Self.named) == ["one:1", "two:2"])
        // One call has no result, and later results are not assigned to it.
        let later = Message(.assistant, "", calls: [ToolCall(name: "three", id: "c")])
        #expect(
            Self.results([Self.named[0], Self.named[1], later, Self.result("3", of: "c")]) == ["two:2", "three:3"])
        #expect(Self.results([Self.named[0], later, Self.named[2], Self.named[1]]) == ["one:1", "two:2"])
        // A late result.
        #expect(
            Self.results([Self.named[0], Self.named[1], Message(.user, "And?"), Self.named[2]]) == ["two:2", "one:1"])
        // Duplicate ids, and an unknown one.
        let same = Message(.assistant, "", calls: [ToolCall(name: "one", id: "x"), ToolCall(name: "two", id: "x")])
        #expect(Self.results([same, Self.result("1", of: "x"), Self.result("2", of: "x")]) == ["one:1", "two:2"])
        #expect(Self.results([Self.named[0], Self.result("1", of: "z")]) == ["one:1"])
        #expect(Self.results([Message(.tool, "0")] + Self.named) == [":0", "one:1", "two:2"])
    }

    @Test("results without ids are matched to the latest calls in order")
    func namelessResults() {
        func calls(_ names: String...) -> Message { Message(.assistant, "", calls: names.map { ToolCall(name: $0) }) }
        let (one, two) = (Message(.tool, "1"), Message(.tool, "2"))
        #expect(Self.results([calls("a", "b"), one, calls("c"), two]) == ["a:1", "c:2"])
        #expect(Self.results([calls("a"), Message(.user, "x"), calls("b"), one]) == ["b:1"])
        #expect(Self.results([calls("a"), calls("b"), one, two]) == ["a:1", "b:2"])
        #expect(Self.results([calls("a"), one, two, calls("b"), one]) == ["a:1", ":2", "b:1"])
    }

    @Test("split calls keep their results, even if one has none")
    func singleNamedCalls() {
        let apart = [Self.named[0], Self.named[1]].withNumberedCalls.withSingleCalls
        #expect(apart.map { $0.calls.first?.name ?? $0.text } == ["one", "two", "2"])
        let both = Self.named.withNumberedCalls.withSingleCalls
        #expect(both.map { $0.calls.first?.name ?? $0.text } == ["one", "1", "two", "2"])
    }

    @Test("call ids survive a JSON round trip")
    func namesAsJSON() throws {
        for message in Self.named { #expect(try Message(json: message.json) == message) }
    }

    @Test("text between reasoning and calls becomes reasoning if the template refuses it, and is kept otherwise")
    func wordsBesideThoughts() throws {
        let writing = """
            {%- for m in messages if m.tool_calls -%}
            {{- (m.thinking or "") + "|" + m.content + "|" + m.tool_calls[0].function.name -}}
            {%- endfor -%}
            """
        let refusing = """
            {%- for m in messages if m.tool_calls and m.content and m.thinking -%}
            {{- raise_exception("not both") -}}
            {%- endfor -%}
            """
        let messages = [Message(.assistant, "I look.", reasoning: "Hm.", calls: [ToolCall(name: "now")])]
        for (source, prompt) in [(writing, "Hm.|I look.|now"), (refusing + writing, "Hm.\n\nI look.||now")] {
            let template = try ChatTemplate(source: source)
            let history = CallHistory(template: template, tools: nil, dialect: .plain)
            #expect(try template.render(messages: history.templateMessages(messages.withNumberedCalls)) == prompt)
        }
    }

    // MARK: - Real templates

    /// A message from the reference's JSON.
    private static func message(_ json: JSONValue) throws -> Message {
        let calls = try (json["tool_calls"]?.array ?? []).map { call in
            let arguments = try #require(call["function"]?["arguments"])
            let object = try arguments.object ?? JSONValue(parsing: arguments.string ?? "").object
            return ToolCall(name: try #require(call["function"]?["name"]?.string), arguments: object ?? [:])
        }
        let role = try #require(json["role"]?.string.flatMap(Message.Role.init))
        return Message(role, json["content"]?.string ?? "", calls: calls)
    }

    private static let folder = ProcessInfo.processInfo.environment["LEAP_GOLDENS"].map {
        URL(fileURLWithPath: $0).appending(path: "templates")
    }

    /// Families whose templates write calls themselves.
    private static let families = [
        "LFM2.5-8B-A1B", "Qwen-Qwen2.5-7B-Instruct", "Qwen-Qwen3-0.6B", "NousResearch-Hermes-3-Llama-3.1-8B-tool_use",
        "meta-llama-Llama-3.2-3B-Instruct", "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
    ]

    @Test(
        "Real templates render calls as Python's Jinja2 does",
        .enabled(if: folder != nil, "LEAP_GOLDENS names no folder"), arguments: families)
    func golden(_ family: String) throws {
        let folder = try #require(Self.folder)
        func read(_ name: String) throws -> JSONValue {
            try JSONValue(parsing: Data(contentsOf: folder.appending(path: name)))
        }
        let reference = try read("\(family).json")
        let template = try ChatTemplate(source: #require(reference["template_source"]?.string))
        let now = Date(timeIntervalSince1970: 1_721_997_296)
        var count = 0
        let conversations = try #require(read("conversations.json").array)
        for (conversation, result) in zip(conversations, try #require(reference["results"]?.array)) {
            guard conversation["name"]?.string?.hasPrefix("tool_call_") == true,
                conversation["name"]?.string?.contains("str") == false, let expected = result["rendered"]?.string
            else { continue }
            let messages = try #require(conversation["messages"]?.array).map(Self.message)
            let tools = conversation["tools"]?.array
            let history = CallHistory(template: template, tools: tools, dialect: .lfm)
            let text = try template.render(
                messages: history.templateMessages(messages.withNumberedCalls), tools: tools,
                addGenerationPrompt: conversation["add_generation_prompt"] == true,
                bosToken: reference["bos_token"]?.string ?? "", eosToken: reference["eos_token"]?.string ?? "",
                now: now, timeZone: .gmt)
            #expect(text == expected)
            count += 1
        }
        #expect(count >= 2)
    }

    @Test(
        "LFM2's templates, which write no calls, get them in the model's own syntax",
        .enabled(if: folder != nil, "LEAP_GOLDENS names no folder"),
        arguments: ["LFM2-8B-A1B", "LFM2.5-Instruct", "LiquidAI-LFM2-1.2B_hf_repo_copy"])
    func goldenContent(_ family: String) throws {
        let file = try #require(Self.folder).appending(path: "\(family).json")
        let reference = try JSONValue(parsing: Data(contentsOf: file))
        let template = try ChatTemplate(source: #require(reference["template_source"]?.string))
        let history = CallHistory(template: template, tools: nil, dialect: .plain)
        let text = try template.render(messages: history.templateMessages(Self.messages.withNumberedCalls))
        #expect(
            text.contains(
                #"Let me see.<|tool_call_start|>[get_weather(city="Rome", days=3), now()]<|tool_call_end|><|im_end|>"#))
    }
}
