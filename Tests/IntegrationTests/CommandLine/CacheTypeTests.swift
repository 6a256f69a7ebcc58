import Foundation
import LeapBlocks
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `-ctk` and `-ctv`, which all commands that run a model have.
@Suite("KV cache types of the tools")
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

    @Test("perplexity with any KV cache types is within 0.5 % of that with half precision", arguments: names, names)
    func perplexity(keys: String, values: String) async throws {
        func perplexity(_ flags: [String]) async throws -> Double {
            let outcome = try await Tool.leap.run(
                ["perplexity", Self.model, "--file", Self.prose, "-c", "256", "--json"] + flags)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            return try JSONDecoder().decode(Report.self, from: outcome.output).perplexity
        }
        let found = try await perplexity(["-ctk", keys, "-ctv", values])
        // Numbers are off by 1/254 at most; the perplexity of some hundred tokens changes by much less.
        #expect(abs(found / (try await perplexity([])) - 1) < 0.005)
    }

    /// Relative error of the logits, measured for this model: 1.7 % with f32, 2.7 % with q8_0. The products round
    /// activations to 8 bits, so a slightly different key or value may round to another number.
    private static let logitTolerance = 0.05

    @Test("every KV cache type except f16 changes the logits, by 5 % at most", arguments: names)
    func logits(type: String) async throws {
        let folder = try TemporaryFolder()
        func logits(_ flags: [String]) async throws -> [Float] {
            let path = folder.path("logits")
            let outcome = try await Tool.leap.run(
                ["logits", Self.model, "--tokens", "40,41,50,60,70,80,90", "--out", path] + flags)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            return try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        let found = try await logits(["--cache-type-k", type, "--cache-type-v", type])
        let usual = try await logits([])
        try #require(found.count == usual.count)
        #expect((found == usual) == (type == "f16"))
        let size = rootMeanSquareError(usual, usual.map { _ in 0 })
        #expect(rootMeanSquareError(found, usual) <= Self.logitTolerance * size)
    }

    @Test("run works with every KV cache type", arguments: names)
    func run(type: String) async throws {
        let outcome = try await Tool.leap.run([
            "run", Fixture(name: "lfm2-k-quants").path, "-p", "Hello", "--raw", "-n", "3", "--temp", "0", "-ctk", type,
            "-ctv", type,
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    }

    @Test("inspect accounts for the size of the KV cache types")
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
        "types that do not fit the model's head size are rejected, naming both",
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
                "keys of type q8_0 and values of type f32 are not supported for this model: q8_0 needs a head "
                    + "size that is a multiple of 32, but it is 14. Use f16, bf16 or f32"), "\(outcome.errorText)")
    }
}
