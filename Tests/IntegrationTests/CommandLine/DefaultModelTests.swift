import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap

@Suite("The tool's default model")
struct DefaultModelTests {
    @Test("Without a model, leap-tiny answers, and a note on standard error states its limits")
    func answers() async throws {
        let outcome = try await Tool.leap.run(["run", "-p", "Who are you?"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text.contains("leap-tiny"))
        #expect(outcome.errorText.contains("knows almost nothing"))
    }

    @Test("The prompt may come from standard input")
    func input() async throws {
        let outcome = try await Tool.leap.run(["run"], input: Data("Hello\n".utf8))
        #expect(outcome.text.contains("Hello"))
    }

    @Test("A given model is used, without a note about the default model")
    func named() async throws {
        let model = Fixture(name: "lfm2-chat-q8_0").path
        let outcome = try await Tool.leap.run(["run", model, "-p", "What is two plus two?", "--temp", "0"])
        #expect(outcome.text == "Two plus two is four.\n")
        #expect(outcome.errorText == "")
    }

    @Test("Its name means it, unless there is a file of that name")
    func byName() async throws {
        let outcome = try await Tool.leap.run(["run", "leap-tiny", "Who are you?"])
        #expect(outcome.text.contains("leap-tiny") && outcome.errorText == "")
        let folder = try TemporaryFolder()
        try Data("no model".utf8).write(to: URL(filePath: folder.path("leap-tiny")))
        let refused = try await Tool.leap.run(bash: "cd '\(folder.url.path)' && \"$LEAP\" run leap-tiny Hi")
        #expect(refused.errorText.contains("'leap-tiny'"))
    }

    @Test(
        "Commands that only inspect a model know it by its name, without a network and without leaving files",
        arguments: [
            "inspect MODEL --hash", "inspect MODEL --diff MODEL", "tokenize MODEL Hello", "detokenize MODEL 52,359,390",
            #"render MODEL --messages - <<<'[{"role":"user","content":"Hi"}]'"#,
        ])
    func inspected(command: String) async throws {
        let folder = try TemporaryFolder()
        func outcome(_ model: String) async throws -> Tool.Outcome {
            let command = command.replacing("MODEL", with: model)
            return try await Tool.leap.run(bash: "TMPDIR='\(folder.url.path)' \"$LEAP\" \(command) --offline")
        }
        let expected = try await outcome("'\(Fixture(name: "leap-tiny/leap-tiny-q8_0").path)'")
        let named = try await outcome("leap-tiny")
        #expect(expected.status == 0 && named.status == 0 && named.errorText == "")
        #expect(named.text == expected.text)
        #expect(try folder.content.isEmpty)
    }

    @Test("The executable works on its own in any folder")
    func alone() async throws {
        let folder = try TemporaryFolder()
        let tool = try Tool.leap.copied(to: folder.url)
        #expect(try await tool.run(["run", "-p", "Who are you?"]).text.contains("leap-tiny"))
        #expect(try folder.content == ["leap"])
    }

    @Test("The default model works with --no-mmap")
    func unmapped() async throws {
        let outcome = try await Tool.leap.run(["run", "--no-mmap", "-p", "Who are you?"])
        #expect(outcome.text.contains("leap-tiny"))
    }

    @Test("Temporary folders of dead processes are removed, those of running processes kept")
    func leftovers() async throws {
        let folder = try TemporaryFolder()
        let (dead, alive) = ("leap-tiny.999999999.\(UUID().uuidString)", "leap-tiny.1.\(UUID().uuidString)")
        for name in [dead, alive, "leap-tiny.999999999.notes"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        let outcome = try await Tool.leap.run(bash: "TMPDIR='\(folder.url.path)' \"$LEAP\" run -p Hello")
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(try folder.content == [alive, "leap-tiny.999999999.notes"].sorted())
    }

    #if Server
    @Test("The address of the server's page is known where browsers can open it")
    func page() {
        #expect(ServeCommand.page(at: "http://127.0.0.1:8080", "") == "http://127.0.0.1:8080/")
        #expect(ServeCommand.page(at: "https://[::1]:1", "/api") == "https://[::1]:1/api/")
        #expect(ServeCommand.page(at: "http://127.0.0.1:8080", nil) == nil)
        #expect(ServeCommand.page(at: "unix:/run/leap", "") == nil)
    }

    #if os(Linux)
    @Test("On a terminal, serve says that it has leap-tiny, and where its page is")
    func serve() throws {
        let terminal = try PseudoTerminal(.leap, ["serve", "--port", "0"])
        try terminal.wait(for: "A chat page for browsers is at http://127.0.0.1:")
        #expect(terminal.output.contains("No model given: using leap-tiny"))
        #expect(terminal.output.contains("listening on http://127.0.0.1:"))
        #expect(try terminal.end(by: SIGTERM) == ExitStatus.success)
    }
    #endif

    @Test("The log of a server stays empty")
    func serveForService() async throws {
        let outcome = try await Tool.leap.run(
            bash: """
                coproc "$LEAP" serve --port 0
                read -r line <&${COPROC[0]}
                echo "$line"
                kill $COPROC_PID
                wait
                """)
        #expect(
            outcome.text.hasPrefix("listening on http://127.0.0.1:") && outcome.errorText == "", "\(outcome.errorText)")
    }
    #endif

    @Test("The embedded model generates the same tokens as the fixture")
    func sameAnswers() async throws {
        let model = Fixture(name: "leap-tiny/leap-tiny-q8_0").path
        let named = try await Tool.leap.run(["run", model, "-p", "What can you do?", "--json"])
        let embedded = try await Tool.leap.run(["run", "-p", "What can you do?", "--json"])
        #expect(try tokens(of: named) == tokens(of: embedded))
        #expect(try !tokens(of: named).isEmpty)
    }

    private func tokens(of outcome: Tool.Outcome) throws -> [Int] {
        struct Answer: Decodable { let tokens: [Int] }
        return try JSONDecoder().decode(Answer.self, from: outcome.output).tokens
    }
}
