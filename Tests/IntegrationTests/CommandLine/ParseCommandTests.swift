import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct ParseCommandTests {
    /// `EX_DATAERR` of sysexits.h.
    private static let badData: Int32 = 65

    private static let answer = """
        <think>Grüße 😀</think>Sure.<|tool_call_start|>[get_weather(city="Zürich", days=3)]<|tool_call_end|>
        <|tool_call_start|>[f(a=1 b=2)]<|tool_call_end|><|tool_call_start|>[g()]<|tool_call_end|>
        """
    private static let events = """
        {"type": "reasoning", "text": "Grüße 😀"}
        {"type": "text", "text": "Sure."}
        {"type": "function_calls", "calls": [{"name": "get_weather", "arguments": {"city": "Zürich", "days": 3}}]}
        {"type": "text", "text": "\\n<|tool_call_start|>[f(a=1 b=2)]<|tool_call_end|>"}
        {"type": "error", "message": "expected ',' or ')', found 'b'", "line": 1, "column": 8, "text": "[f(a=1 b=2)]"}
        {"type": "function_calls", "calls": [{"name": "g", "arguments": {}}]}

        """

    @Test("The events do not depend on the chunk size", arguments: [nil, 1, 2, 3, 7, 64, 4096])
    func pieces(size: Int?) async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm"] + (size.map { ["--chunk", "\($0)"] } ?? []) + ["-"],
            input: Data(Self.answer.utf8))
        #expect(outcome.text == Self.events)
        #expect(outcome.status == Self.badData)
        #expect(outcome.errorText == "")
    }

    @Test("Valid calls give exit code 0, also from a file")
    func good() async throws {
        let folder = try TemporaryFolder()
        let call = "{\"name\": \"f\", \"arguments\": {\"a\": 1e400}}"
        let path = try folder.write("answer", "<tool_call>\n\(call)\n</tool_call>")
        let outcome = try await Tool.leap.run(["parse", "--format", "hermes", path])
        #expect(outcome.text == "{\"type\": \"function_calls\", \"calls\": [\(call)]}\n")
        #expect(outcome.status == ExitStatus.success)
    }

    @Test("A call cut off at the end is reported")
    func cutOff() async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm"], input: Data("a<|tool_call_start|>[f(".utf8))
        #expect(outcome.status == Self.badData)
        #expect(outcome.text.contains("\"message\": \"the answer ends in the middle of the call\""), "\(outcome.text)")
    }

    @Test("With --json, the exit code also reports an unreadable call")
    func unreadableInObject() async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm", "--json"], input: Data(Self.answer.utf8))
        #expect(outcome.status == Self.badData)
        #expect(outcome.text.contains(#"[f(a=1 b=2)]"#) && outcome.text.hasSuffix("}\n"), "\(outcome.text)")
        let good = try await Tool.leap.run(
            ["parse", "--format", "lfm", "--json"], input: Data("<|tool_call_start|>[g()]<|tool_call_end|>".utf8))
        #expect(good.status == ExitStatus.success)
    }

    @Test("With --in-reasoning, the text begins inside the reasoning")
    func inReasoning() async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm", "--in-reasoning"], input: Data("a</think>b".utf8))
        #expect(outcome.text == "{\"type\": \"reasoning\", \"text\": \"a\"}\n{\"type\": \"text\", \"text\": \"b\"}\n")
    }

    private static let template = """
        {%- for m in messages -%}
        {{- '<|' + m.role + '|>' + (m.content or '') -}}
        {%- for c in m.tool_calls or [] -%}
        {{- '<tool_call>' + {'name': c.function.name, 'arguments': c.function.arguments} | tojson + '</tool_call>' -}}
        {%- endfor -%}
        {%- endfor -%}
        {%- if add_generation_prompt -%}{{- '<|assistant|><think>' -}}{%- endif -%}
        """
    private static let tools = #"[{"type": "function", "function": {"name": "f", "parameters": {}}}]"#

    private func parse(_ text: String, _ arguments: String...) async throws -> String {
        let folder = try TemporaryFolder()
        let (template, tools) = (try folder.write("t", Self.template), try folder.write("tools", Self.tools))
        return try await Tool.leap.run(
            ["parse", "--template", template, "--tools", tools, "--json"] + arguments, input: Data(text.utf8)
        ).text
    }

    @Test("A template determines the formats of calls and reasoning, and the generation prompt")
    func fromTemplate() async throws {
        let text = #"Hm.</think>Yes.<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>"#
        let expected = #"{"content": "Yes.", "reasoning": "Hm.", "calls": [{"name": "f", "arguments": {"a": 1}}]}"#
        for size in ["1", "5", "1000"] {
            #expect(
                try await parse(text, "--generation-prompt", "<|assistant|><think>", "--chunk", size) == expected + "\n"
            )
        }
    }

    @Test("Calls of functions that are not among the tools are treated as text")
    func unknownFunction() async throws {
        let outcome = try await parse(#"<tool_call>{"name": "g"}</tool_call>"#)
        #expect(
            outcome
                == #"{"content": "<tool_call>{\"name\": \"g\"}</tool_call>", "reasoning": "", "calls": []}"# + "\n")
    }

    @Test("--partial prints what is certain of an unfinished text")
    func partial() async throws {
        let outcome = try await parse(#"Yes.<tool_call>{"name": "f", "arguments": {"a"#, "--partial")
        #expect(
            outcome
                == #"{"content": "Yes.", "reasoning": "", "calls": [{"name": "f", "arguments": "{\"a"}]}"# + "\n")
    }

    @Test("Exactly one of --template and --format is required")
    func either() async throws {
        expectUsageError(try await Tool.leap.run(["parse", "-"]), "--template or --format")
        expectUsageError(
            try await Tool.leap.run(["parse", "--format", "lfm", "--template", "t", "-"]), "--template or --format")
    }

    @Test("Input that is not UTF-8 is rejected")
    func invalid() async throws {
        expectFailure(
            try await Tool.leap.run(["parse", "--format", "lfm"], input: Data([0x61, 0xE9])), "not valid UTF-8 text")
    }
}
