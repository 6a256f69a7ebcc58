import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap

/// Files with harmless defects: the tools warn about them on standard error, and use them.
@Suite("Warnings")
struct WarningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a model with some metadata changed, and returns its path.
    private func model(_ change: (inout GGUFWriter, GGUFMetadata) throws -> Void) throws -> String {
        let original = try GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path)
        var writer = GGUFWriter()
        writer.add(contentsOf: original.metadata)
        try change(&writer, original.metadata)
        for tensor in original.tensors { try writer.addTensor(tensor) }
        let bytes = try writer.encoded { output in
            for tensor in original.tensors { try output.append(tensor.bytes) }
        }
        return try folder.write("odd.gguf", bytes)
    }

    private func warnings(_ outcome: Tool.Outcome) -> [Substring] {
        outcome.errorText.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
    }

    @Test("an invalid template is an error for chats, but only a warning for text completion")
    func brokenTemplate() async throws {
        let path = try model { writer, _ in writer.set("tokenizer.chat_template", .string("{% for %}")) }
        expectFailure(try await Tool.leap.run(["run", path, "-p", "Hello"]), "the chat template is invalid")
        let raw = try await Tool.leap.run(["run", path, "--raw", "-p", "Hello", "-n", "3"])
        #expect(raw.status == ExitStatus.success && raw.text.count > 1, "\(raw.errorText)")
        #expect(warnings(raw).count == 1 && raw.errorText.contains("this model supports only text completion"))
        let inspection = try await Tool.leap.run(["inspect", path])
        #expect(inspection.text.contains("warning         the chat template is invalid"))
        #expect(inspection.text.contains("supported       yes"))
    }

    @Test("run, tokenize and inspect warn about duplicate tokens")
    func equalTokens() async throws {
        let path = try model { writer, metadata in
            var tokens = try metadata.strings("tokenizer.ggml.tokens").map { $0 }
            tokens[60] = tokens[61]
            writer.set("tokenizer.ggml.tokens", strings: tokens)
        }
        for arguments in [
            ["run", path, "-p", "Hello", "-n", "3"], ["tokenize", path, "Hello"],
        ] {
            let outcome = try await Tool.leap.run(arguments)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            #expect(
                warnings(outcome).count == 1
                    && outcome.errorText.contains("another token (tokenizer.ggml.tokens), for example 60 and 61"))
        }
        let inspection = try await Tool.leap.run(["inspect", path, "--json"])
        struct Report: Decodable { let supported: Bool, warnings: [String] }
        let report = try JSONDecoder().decode(Report.self, from: inspection.output)
        #expect(report.supported && report.warnings.count == 1 && report.warnings[0].contains("for example 60 and 61"))
    }

    @Test("log messages of libraries become a line with their level and metadata")
    func loggedLines() {
        #expect(Warnings.line("warning", "so it is", [:]) == "warning: so it is")
        let fields = ["model": "a", "error": "no \"x\"\nthere", "empty": ""]
        #expect(
            Warnings.line("error", "a model cannot be loaded", fields)
                == #"error: a model cannot be loaded empty="" error="no \"x\"\nthere" model=a"#)
    }

    #if Server && os(Linux)
    @Test("a server that runs out of file descriptors warns once and recovers")
    func descriptors() async throws {
        let port = 18_000 + Int(getpid()) % 10_000
        let outcome = try await Tool.leap.run(
            bash: """
                ulimit -n 24
                "$LEAP" serve --port \(port) & server=$!
                ask() { (exec 9<>/dev/tcp/127.0.0.1/\(port) && printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&9 && timeout 20 cat <&9) 2>&-; }
                until ask | grep -q ok; do sleep 0.1; kill -0 $server || exit 1; done
                for one in {1..25}; do sleep 3 <>/dev/tcp/127.0.0.1/\(port) & done
                sleep 3.5
                ask | grep ok
                kill $server
                wait $server
                """)
        #expect(outcome.text.contains("\"status\":\"ok\""), "\(outcome.errorText)")
        let lines = warnings(outcome)
        #expect(lines.count == 1 && lines[0].contains("new connections wait, and"), "\(outcome.errorText)")
    }
    #endif

    @Test("an unsupported architecture is reported before an unsupported tokenizer")
    func architectureFirst() async throws {
        let path = try model { writer, _ in
            writer.set("general.architecture", .string("mamba2"))
            writer.set("tokenizer.ggml.model", .string("bert"))
        }
        expectFailure(try await Tool.leap.run(["run", path, "-p", "Hello"]), "architecture 'mamba2' is not supported")
    }
}
