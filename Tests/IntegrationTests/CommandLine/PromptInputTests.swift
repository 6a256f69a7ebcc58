import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// The sources of a prompt.
@Suite(.timeLimit(.minutes(5)))
struct PromptInputTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let question = "What is the capital of France?"

    /// The number of prompt tokens after a line of Bash, in which `$RUN` runs the tool.
    private func tokens(_ line: String) async throws -> Int {
        let outcome = try await run(line)
        #expect(outcome.errorText == "", "\(line)")
        return try #require(try AnswerCounts.promptTokens(outcome))
    }

    private func run(_ line: String) async throws -> Tool.Outcome {
        try await Tool.leap.run(bash: "RUN=\"$LEAP run \(Self.model) --temp 0 -n 1 --json\"; \(line)")
    }

    @Test(
        "Piped, redirected or file input follows the prompt after an empty line",
        arguments: [
            "printf 'some text\\n' | $RUN 'Read this:'", "$RUN 'Read this:' <<< 'some text'",
            "$RUN -p 'Read this:' -f <(echo some text)", "echo some text | $RUN 'Read this:' -f -",
            "echo some text | $RUN 'Read this:' -f /dev/stdin",
            "printf 'Read this:\\n\\nsome text\\n' | $RUN", "$RUN -f <(printf 'Read this:\\n\\nsome text')",
            "printf 'Read this:\\n\\nsome text' | $RUN -", "printf 'Read this:\\n\\nsome text\\r\\n' | $RUN -f -",
        ])
    func behind(line: String) async throws {
        #expect(try await tokens(line) == tokens("$RUN $'Read this:\\n\\nsome text' < /dev/null"))
    }

    @Test(
        "Empty or closed standard input adds nothing to the prompt",
        arguments: ["< /dev/null", "<&-", "< <(printf '')", "< <(echo)"])
    func nothing(redirection: String) async throws {
        #expect(try await tokens("$RUN 'Read this:' \(redirection)") == tokens("$RUN 'Read this:'"))
    }

    @Test("An open pipe that stays silent does not block the answer")
    func silentPipe() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let outcome = try await run("exec 3<>\(pipe); $RUN '\(Self.question)' < \(pipe)")
        #expect(outcome.status == ExitStatus.success && !outcome.text.isEmpty)
        #expect(outcome.errorText.contains("waiting for standard input"))
        #expect(outcome.errorText.contains("note: no data on standard input for 10 seconds"))
    }

    @Test(
        "An empty prompt is an error",
        arguments: [
            "$RUN ''", "$RUN ' '", "$RUN -p ''", "$RUN < /dev/null", "printf '' | $RUN", "echo | $RUN -",
            "$RUN -f <(printf '')", "$RUN --raw ''",
        ])
    func empty(line: String) async throws {
        expectFailure(try await run(line), "the prompt is empty: give it after the model, with -p")
    }

    @Test("A named pipe is read once a writer opens it, and rejected if none does")
    func namedPipe() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(
            try await tokens("(sleep 1; echo some text > \(pipe)) & $RUN 'Read this:' -f \(pipe)")
                > tokens("$RUN 'Read this:'"))
        expectFailure(try await run("$RUN -f \(pipe)"), "\(pipe): no process is writing to this pipe")
    }

    @Test("A prompt that is not UTF-8 is rejected")
    func notText() async throws {
        expectFailure(try await run("printf '\\xff' | $RUN"), "standard input: not valid UTF-8 text")
        expectFailure(try await run("printf '\\xff' | $RUN 'Read this:'"), "standard input: not valid UTF-8 text")
    }
}
