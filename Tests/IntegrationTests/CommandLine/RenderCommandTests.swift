import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct RenderCommandTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let messages = #"[{"role": "user", "content": "What is the capital of France?"}]"#

    @Test("The prompt is printed byte for byte")
    func prompt() async throws {
        let outcome = try await Tool.leap.run(
            ["render", Self.model, "--messages", "-"], input: Data(Self.messages.utf8))
        #expect(outcome.status == ExitStatus.success)
        #expect(
            outcome.text == """
                <|startoftext|><|im_start|>user
                What is the capital of France?<|im_end|>
                <|im_start|>assistant

                """)
        #expect(outcome.errorText == "")
    }

    @Test("A custom template gets the messages, tools, variables and given special tokens")
    func ownTemplate() async throws {
        let folder = try TemporaryFolder()
        let source =
            "{{ bos_token }}{{ messages[0].content }} {{ tools[0].name }} {{ mood }} {{ add_generation_prompt }}"
        let outcome = try await Tool.leap.run(
            [
                "render", "--template", try folder.write("template", source), "--bos", "<s>", "--messages", "-",
                "--tools", try folder.write("tools", #"[{"name": "clock"}]"#), "--variables", #"{"mood": "glad"}"#,
                "--no-generation-prompt",
            ], input: Data(Self.messages.utf8))
        #expect(outcome.text == "<s>What is the capital of France? clock glad False")
    }

    @Test("A whole chat request is accepted as messages")
    func request() async throws {
        let request = Data(#"{"model": "m", "messages": \#(Self.messages)}"#.utf8)
        let outcome = try await Tool.leap.run(["render", Self.model, "--messages", "-"], input: request)
        let plain = try await Tool.leap.run(["render", Self.model, "--messages", "-"], input: Data(Self.messages.utf8))
        #expect(outcome.status == ExitStatus.success && outcome.text == plain.text, "\(outcome.errorText)")
    }

    /// The content of a file for `--messages` or `--tools`, and what is wrong with it.
    private static let brokenDocuments: [(content: String, message: String)] = [
        ("", "expected a value, but the text ends here"),
        ("[{\"role\": \"user\",}]", "JSON 1:18: expected a key in double quotes"),
        ("[\n  1,\n  nul\n]", "JSON 3:3"),
        ("{\"role\": \"user\"}", "expected a JSON array"),
        ("\"\u{1}\"", "JSON 1:"),
        (String(repeating: "[", count: 100_000), "nested deeper than"),
    ]

    @Test(
        "Messages and tools that are not a JSON array are rejected", arguments: ["--messages", "--tools"],
        brokenDocuments.indices)
    func badJSON(flag: String, index: Int) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("bad.json", Self.brokenDocuments[index].content)
        let good = try folder.write("good.json", Self.messages)
        let flags = flag == "--messages" ? ["--messages", file] : ["--messages", good, "--tools", file]
        let outcome = try await Tool.leap.run(["render", Self.model] + flags)
        expectFailure(outcome, Self.brokenDocuments[index].message)
        #expect(outcome.errorText.contains("bad.json"))
    }

    @Test("Messages that are not UTF-8 are rejected")
    func invalidUTF8() async throws {
        let outcome = try await Tool.leap.run(
            ["render", Self.model, "--messages", "-"], input: Data([0x5B, 0x22, 0xFF, 0x22, 0x5D]))
        expectFailure(outcome, "not valid UTF-8")
    }

    @Test(
        "Messages in an unreadable file are rejected",
        arguments: [BadModelFile.missing, .directory, .fifo, .device])
    func badFile(file: BadModelFile) async throws {
        let folder = try TemporaryFolder()
        let path = try file.make(in: folder)
        let outcome = try await Tool.leap.run(["render", Self.model, "--messages", path])
        expectFailure(outcome, path)
    }

    @Test("Variables that are not a JSON object are a usage error", arguments: ["[1]", "{", "1", ""])
    func badVariables(text: String) async throws {
        let outcome = try await Tool.leap.run(
            ["render", Self.model, "--messages", "-", "--variables", text], input: Data(Self.messages.utf8))
        expectUsageError(outcome, "--variables")
    }

    /// A template, and where and why it fails.
    private static let brokenTemplates: [(source: String, message: String)] = [
        ("{% for %}", "chat template 1:8"),
        ("one\n{{ 'two' | tojsn }}", "chat template 2:12: unknown filter 'tojsn'. Did you mean 'tojson'?"),
        ("{{ raise_exception('only questions') }}", "the template rejects this conversation: only questions"),
        ("{{ 1 / 0 }}", "chat template 1:"),
        ("{{ messages[0].content.foo.bar }}", "chat template 1:"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "the template exceeds a limit"),
        ("{{ range(100000000) }}", "chat template 1:4: OverflowError"),
        (
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "the template exceeds a limit"
        ),
        ("{{ 'x' * 1000000000000 }}", "the template exceeds a limit"),
        ("{{ " + String(repeating: "(", count: 20_000), "chat template 1:"),
    ]

    @Test("Errors in a template are reported as text and as JSON", arguments: brokenTemplates.indices)
    func badTemplate(index: Int) async throws {
        let (source, message) = Self.brokenTemplates[index]
        let folder = try TemporaryFolder()
        let arguments = ["render", "--template", try folder.write("template", source), "--messages", "-"]
        expectFailure(try await Tool.leap.run(arguments, input: Data(Self.messages.utf8)), message)

        // With --json: one object on standard error, and nothing else.
        let outcome = try await Tool.leap.run(arguments + ["--json"], input: Data(Self.messages.utf8))
        #expect(outcome.status == ExitStatus.failure)
        #expect(outcome.text == "")
        let object = try JSONDecoder().decode([String: String].self, from: outcome.errorOutput)
        #expect(Array(object.keys) == ["error"])
        #expect(object["error"]?.contains(message) == true, "\(object)")
    }
}
