import Foundation
import LeapGGUF
import LeapToolSupport
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct InspectCommandTests {
    private struct Report: Decodable {
        struct TypeSummary: Decodable { let type: String, tensors: Int, elements: Int, bytes: Int }
        struct Tensor: Decodable { let name: String, type: String, dimensions: [Int], bytes: Int }
        struct Memory: Decodable { let contextSize: Int, weightBytes: Int, stateBytes: Int, privateBytes: Int }
        let fileSize: Int, version: Int
        let types: [TypeSummary], tensors: [Tensor]
        let supported: Bool, unsupported: [String]
        let memory: Memory?
    }

    @Test("--json lists all tensors and the memory that the model needs", arguments: Fixture.all)
    func json(fixture: Fixture) async throws {
        let outcome = try await Tool.leap.run(["inspect", fixture.path, "--json"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.errorText == "")
        let report = try JSONDecoder().decode(Report.self, from: outcome.output)
        let file = try GGUFFile(path: fixture.path)
        #expect(report.fileSize == file.fileSize)
        #expect(report.tensors.map(\.name) == file.tensors.map(\.name))
        #expect(report.types.reduce(0) { $0 + $1.tensors } == file.tensors.count)
        #expect(report.supported && report.unsupported.isEmpty)
        let memory = try #require(report.memory)
        #expect(memory.contextSize == 512)
        #expect(memory.weightBytes == file.tensors.reduce(0) { $0 + $1.byteCount })
        #expect(memory.stateBytes < memory.privateBytes)
    }

    @Test("Embedding models are supported for embeddings")
    func embeddings() async throws {
        let path = Fixture.folder.appending(path: "embeddings/bert-mean.gguf").path
        #expect(
            try await Tool.leap.run(["inspect", path]).text.hasSuffix(
                "supported       yes, for embeddings: 'leap embed' and 'leap rerank'\n"))
        let outcome = try await Tool.leap.run(["inspect", path, "--json"])
        #expect(try JSONDecoder().decode(Report.self, from: outcome.output).supported)
    }

    @Test("A smaller context needs less memory")
    func contextSize() async throws {
        func stateBytes(_ contextSize: String) async throws -> Int {
            let outcome = try await Tool.leap.run(
                ["inspect", Fixture(name: "llama-tied-f32").path, "--json", "-c", contextSize])
            return try #require(JSONDecoder().decode(Report.self, from: outcome.output).memory).stateBytes
        }
        #expect(try await stateBytes("128") < stateBytes("512"))
        #expect(try await stateBytes("512") == stateBytes("0"))
    }

    @Test(
        "A context beyond the model's is noted",
        arguments: [("512", ""), ("513", "note: the memory estimate is for 512 tokens, the model's context\n")])
    func excessiveContext(contextSize: String, note: String) async throws {
        let outcome = try await Tool.leap.run(["inspect", Fixture(name: "llama-tied-f32").path, "-c", contextSize])
        #expect(outcome.status == ExitStatus.success && outcome.text.contains("supported       yes"))
        #expect(outcome.errorText.isEmpty == note.isEmpty && outcome.errorText.hasPrefix(note), "\(outcome.errorText)")
    }

    @Test("Text output shows metadata and types, and tensors with --tensors")
    func text() async throws {
        let path = Fixture(name: "lfm2-k-quants").path
        let short = try await Tool.leap.run(["inspect", path]).text
        #expect(short.contains("general.architecture = "))
        #expect(short.contains("Q4_K"))
        #expect(short.contains("supported       yes"))
        #expect(!short.contains("blk.0.ffn_up.weight"))
        // The unit of `leap list` and of downloads.
        #expect(
            short.contains("size            \(ByteCount.text(Int64(try GGUFFile(path: path).fileSize))), GGUF version"))
        #expect(try await Tool.leap.run(["inspect", path, "--tensors"]).text.contains("blk.0.ffn_up.weight"))
    }

    @Test("A long value is shortened to 80 characters", arguments: [80, 81])
    func longValue(length: Int) async throws {
        let value = String(repeating: "x", count: length)
        var file = HandmadeGGUF()
        file.metadata = [.string("general.description", value)]
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run(["inspect", folder.write("long.gguf", file.bytes)])
        let shown = length == 80 ? value : value.prefix(79) + "…"
        #expect(outcome.text.contains("general.description = \(shown)\n"), "\(outcome.text)")
    }
}
