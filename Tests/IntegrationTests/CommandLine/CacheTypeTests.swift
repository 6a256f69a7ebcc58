import Foundation
import LeapBlocks
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `-ctk` and `-ctv`, which all commands that compute have.
@Suite("Types of keys and values on the tools")
struct CacheTypeTests {
    private static let model = Fixture(name: "llama-q4_k").path
    /// Heads of 14 elements.
    private static let oddModel = Fixture(name: "llama-tied-f32").path
    private static let prose = Fixture.folder.appending(path: "prose.txt").path
    /// What `perplexity --json` prints.
    private struct Report: Decodable { let perplexity: Double }

    /// What `inspect --json` prints.
    private struct Inspection: Decodable {
        struct Memory: Decodable { let stateBytes: Int }
        let memory: Memory?
    }

    private static let names = KeyValueType.allCases.map { "\($0)" }

    @Test("perplexity is that of half precision within what a type rounds", arguments: names, names)
    func perplexity(keys: String, values: String) async throws {
        func perplexity(_ flags: [String]) async throws -> Double {
            let outcome = try await Tool.leap.run(
                ["perplexity", Self.model, "--file", Self.prose, "-c", "256", "--json"] + flags)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            return try JSONDecoder().decode(Report.self, from: outcome.output).perplexity
        }
        let found = try await perplexity(["-ctk", keys, "-ctv", values])
        // Numbers are off by 1/254 at most; the figure of some hundred tokens moves by much less.
        #expect(abs(found / (try await perplexity([])) - 1) < 0.005)
    }

    @Test("logits of every type are of their own, near those of half precision", arguments: names)
    func logits(type: String) async throws {
        let folder = try TemporaryFolder()
        func logits(_ flags: [String]) async throws -> Data {
            let path = folder.path("logits")
            let outcome = try await Tool.leap.run(
                ["logits", Self.model, "--tokens", "40,41,50,60,70,80,90", "--out", path] + flags)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            return try Data(contentsOf: URL(filePath: path))
        }
        let found = try await logits(["--cache-type-k", type, "--cache-type-v", type])
        let usual = try await logits([])
        #expect(found.count == usual.count)
        #expect((found == usual) == (type == "f16"))
    }

    @Test("run answers with every type", arguments: names)
    func run(type: String) async throws {
        let outcome = try await Tool.leap.run([
            "run", Fixture(name: "lfm2-k-quants").path, "-p", "Hello", "--raw", "-n", "3", "--temp", "0", "-ctk", type,
            "-ctv", type,
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }

    @Test("inspect plans with the bytes of a type")
    func inspect() async throws {
        func stateBytes(_ flags: [String]) async throws -> Int {
            let outcome = try await Tool.leap.run(["inspect", Self.model, "--json"] + flags)
            return try #require(JSONDecoder().decode(Inspection.self, from: outcome.output).memory).stateBytes
        }
        let half = try await stateBytes([])
        #expect(try await stateBytes(["-ctk", "f32", "-ctv", "f32"]) == 2 * half)
        #expect(try await stateBytes(["-ctk", "bf16", "-ctv", "bf16"]) == half)
        #expect(try await stateBytes(["-ctk", "q8_0", "-ctv", "q8_0"]) == half * 17 / 32)
        #expect(try await stateBytes(["-ctk", "q8_0"]) == half * 49 / 64)
    }

    @Test(
        "what a model's heads do not allow is refused, naming both types",
        arguments: [
            ["perplexity", oddModel, "--file", prose, "-ctk", "q8_0"],
            ["logits", oddModel, "--tokens", "1", "--out", "/dev/null", "-ctk", "q8_0"],
            ["run", oddModel, "-p", "Hello", "--raw", "-ctk", "q8_0"],
        ])
    func refused(arguments: [String]) async throws {
        let outcome = try await Tool.leap.run(arguments)
        #expect(outcome.status != ExitStatus.success)
        #expect(
            outcome.errorText.contains(
                "keys of type q8_0 and values of type f32 are not supported for this model: q8_0 needs heads of a "
                    + "multiple of 32 elements, but the model's have 14. Use f16, bf16 or f32"), "\(outcome.errorText)")
    }
}
