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
        {"type": "text", "text": "\\n"}
        {"type": "error", "message": "expected ',' or ')', found 'b'", "line": 1, "column": 8, "text": "[f(a=1 b=2)]"}
        {"type": "function_calls", "calls": [{"name": "g", "arguments": {}}]}

        """

    @Test("The events are the same in pieces of any size", arguments: [nil, 1, 2, 3, 7, 64, 4096])
    func pieces(size: Int?) async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm"] + (size.map { ["--chunk", "\($0)"] } ?? []) + ["-"],
            input: Data(Self.answer.utf8))
        #expect(outcome.text == Self.events)
        #expect(outcome.status == Self.badData)
        #expect(outcome.errorText == "")
    }

    @Test("Good calls give exit code 0, from a file as well")
    func good() async throws {
        let folder = try TemporaryFolder()
        let call = "{\"name\": \"f\", \"arguments\": {\"a\": 1e400}}"
        let path = try folder.write("answer", "<tool_call>\n\(call)\n</tool_call>")
        let outcome = try await Tool.leap.run(["parse", "--format", "hermes", path])
        #expect(outcome.text == "{\"type\": \"function_calls\", \"calls\": [\(call)]}\n")
        #expect(outcome.status == ExitStatus.success)
    }

    @Test("A call that the end cuts off is reported")
    func cutOff() async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm"], input: Data("a<|tool_call_start|>[f(".utf8))
        #expect(outcome.status == Self.badData)
        #expect(outcome.text.contains("\"message\": \"the answer ends before the call does\""), "\(outcome.text)")
    }

    @Test("A text may begin inside a thought")
    func inReasoning() async throws {
        let outcome = try await Tool.leap.run(
            ["parse", "--format", "lfm", "--in-reasoning"], input: Data("a</think>b".utf8))
        #expect(outcome.text == "{\"type\": \"reasoning\", \"text\": \"a\"}\n{\"type\": \"text\", \"text\": \"b\"}\n")
    }

    @Test("What is not UTF-8 is refused")
    func invalid() async throws {
        expectFailure(
            try await Tool.leap.run(["parse", "--format", "lfm"], input: Data([0x61, 0xE9])), "is not UTF-8 text")
    }
}
