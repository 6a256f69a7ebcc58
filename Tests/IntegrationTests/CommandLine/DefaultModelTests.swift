import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("The default model of the tool")
struct DefaultModelTests {
    @Test("Without a model, leap-tiny answers, and its limits are stated beside the answer")
    func answers() async throws {
        let outcome = try await Tool.leap.run(["run", "-p", "Who are you?"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text.contains("leap-tiny"))
        #expect(outcome.errorText.contains("knows next to nothing"))
    }

    @Test("The prompt may come from standard input")
    func input() async throws {
        let outcome = try await Tool.leap.run(["run"], input: Data("Hello\n".utf8))
        #expect(outcome.text.contains("Hello"))
    }

    @Test("A model that is named is used, and nothing is said about another one")
    func named() async throws {
        let model = Fixture(name: "lfm2-chat-q8_0").path
        let outcome = try await Tool.leap.run(["run", model, "-p", "What is two plus two?", "--temp", "0"])
        #expect(outcome.text == "Two plus two is four.\n")
        #expect(outcome.errorText == "")
    }

    @Test("The executable needs nothing beside it, wherever it lies and is started")
    func alone() async throws {
        let folder = try TemporaryFolder()
        let tool = try Tool.leap.copied(to: folder.url)
        #expect(try await tool.run(["run", "-p", "Who are you?"]).text.contains("leap-tiny"))
        #expect(try folder.content == ["leap"])
    }

    @Test("Without mapping, it is read into memory")
    func unmapped() async throws {
        let outcome = try await Tool.leap.run(["run", "--no-mmap", "-p", "Who are you?"])
        #expect(outcome.text.contains("leap-tiny"))
    }

    @Test("What killed processes left of it is removed, what living ones need is not")
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

    @Test("It is the fixture")
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
