import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `leap run --tools` with scripted models.
@Suite struct RunToolsTests {
    private static let tools = """
        [{"type": "function", "function": {"name": "add", "description": "Adds",
          "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}}]
        """

    /// ChatML after a list of the tools.
    private static let template = "{%- if tools -%}{{- tools | tojson -}}{%- endif -%}" + ScriptedModel.chatML

    /// Runs with tools, and a model that generates a given answer.
    private func run(
        _ answer: String, tools: String = tools, template: String = template, _ more: [String] = []
    ) async throws -> Tool.Outcome {
        let folder = try TemporaryFolder()
        let file = try folder.write("tools", tools)
        let model = try ScriptedModel(answer, template: template)
        return try await Tool.leap.run(["run", model.path, "Add.", "--temp", "0", "--tools", file] + more)
    }

    @Test("calls are printed, one per line")
    func calls() async throws {
        let outcome = try await run("Yes.<|tool_call_start|>[add(a=1), add(2)]<|tool_call_end|>")
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text == "Yes.\nadd(a=1)\nadd(a=2)\n")
        #expect(outcome.errorText == "")
    }

    @Test("--json lists calls with their problems")
    func json() async throws {
        let outcome = try await run("<|tool_call_start|>[add(b='x'), f()]<|tool_call_end|>", ["--json"])
        let calls = try #require(try JSONValue(parsing: outcome.output)["functionCalls"]?.array)
        #expect(calls.map { $0["name"] } == ["add", "f"])
        #expect(
            calls[0]["problems"] == ["argument 'a' is missing", "unknown argument 'b'; known arguments: 'a'"])
        #expect(calls[1]["problems"] == ["unknown function 'f'; known functions: 'add'"])
    }

    @Test("results are passed to the model, which continues until the limit of calls")
    func results() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("results", #"{"add": {"sum": 3}}"#)
        // The model repeats its call until the limit is reached.
        let outcome = try await run(
            "<|tool_call_start|>[add(a=1)]<|tool_call_end|>", ["--json", "--tool-results", path])
        let calls = try #require(try JSONValue(parsing: outcome.output)["functionCalls"]?.array)
        #expect(calls.count == 8)
        #expect(calls.allSatisfy { $0["result"] == .string(#"{"sum": 3}"#) })
    }

    @Test("a result for an unknown function is noted")
    func unusedResults() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("results", #"{"add": 3, "sub": 1}"#)
        let outcome = try await run("So.", ["--tool-results", path])
        #expect(outcome.status == ExitStatus.success)
        #expect(
            outcome.errorText == "note: the result of 'sub' has no effect: --tools has no function of this name\n")
    }

    @Test("a chat template that does not show tools to the model is noted")
    func toolsNotShown() async throws {
        let outcome = try await run("So.", template: ScriptedModel.chatML)
        #expect(outcome.text == "So.\n")
        #expect(
            outcome.errorText == """
                note: the model's chat template does not show tools to the model; describe them in the system prompt

                """)
        #expect(try await run("So.", tools: "[]", template: ScriptedModel.chatML).errorText == "")
    }

    @Test("a chat template that shows tools only with a system prompt is not noted if there is one")
    func toolsShownWithSystemPrompt() async throws {
        let template =
            "{%- if tools and messages[0].role == 'system' -%}{{- tools | tojson -}}{%- endif -%}"
            + ScriptedModel.chatML
        #expect(try await run("So.", template: template, ["-sys", "Add."]).errorText == "")
        #expect(try await run("So.", template: template).errorText.contains("does not show tools"))
    }

    @Test("a call that cannot be parsed is text, and a warning gives its column")
    func malformed() async throws {
        let outcome = try await run("<|tool_call_start|>[add(a=]<|tool_call_end|>")
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text == "<|tool_call_start|>[add(a=]<|tool_call_end|>\n")
        #expect(outcome.errorText.contains("function call 1:8: expected a value, found ']'"), "\(outcome.errorText)")
    }

    @Test(
        "invalid tools are rejected before anything is generated",
        arguments: [
            ("{}", "expected a JSON array"), ("[{]", "JSON 1:3: expected a key"),
            (#"[{"name": "a b"}]"#, "a function cannot be named 'a b'"),
            (#"[{"name": "f"}, {"name": "f", "description": "x"}]"#, "two functions are named 'f'"),
            (#"[{"description": "x"}]"#, "a function's 'name' must be a string"),
        ])
    func refused(tools: String, message: String) async throws {
        expectFailure(try await run("So.", tools: tools), message)
    }
}
