import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Splitting and merging")
struct SplitCommandTests {
    private let folder: TemporaryFolder
    private let source = Fixture(name: "llama-rope-linear-f32").path

    init() throws { folder = try TemporaryFolder() }

    @Test("A split model generates the same token, and merging restores the original")
    func splitAndMerge() async throws {
        let split = try await Tool.leap.run(["split", source, folder.path("part"), "--split-max-size", "40K"])
        #expect(split.status == ExitStatus.success, "\(split.errorText)")
        let first = try #require(folder.content.first)
        #expect(first.hasPrefix("part-00001-of-0000"))
        #expect(try await Tool.leap.run(["inspect", folder.path(first)]).text.contains("supported       yes"))
        #expect(try await firstToken(folder.path(first)) == firstToken(source))
        let whole = folder.path("whole.gguf")
        let merge = try await Tool.leap.run(["merge", folder.path(first), whole])
        #expect(merge.status == ExitStatus.success, "\(merge.errorText)")
        let diff = try await Tool.leap.run(["inspect", whole, "--diff", source])
        #expect(diff.status == ExitStatus.success)
        #expect(diff.text == "")
        expectFailure(try await Tool.leap.run(["merge", whole, folder.path("b.gguf")]), "there is nothing to merge")
    }

    @Test("A model that was split into a single file is merged")
    func singleSplit() async throws {
        let split = try await Tool.leap.run(["split", source, folder.path("part"), "--max-tensors", "1000"])
        #expect(split.status == ExitStatus.success, "\(split.errorText)")
        let whole = folder.path("whole.gguf")
        let merge = try await Tool.leap.run(["merge", folder.path("part-00001-of-00001.gguf"), whole])
        #expect(merge.errorText.hasSuffix("merged from 1 file\n"), "\(merge.errorText)")
        #expect(try await Tool.leap.run(["inspect", whole, "--diff", source]).text == "")
    }

    @Test("Files of an older split are not replaced")
    func olderSplit() async throws {
        let older = try folder.write("part-00001-of-00001.gguf", "older")
        let split = try await Tool.leap.run(["split", source, folder.path("part"), "--max-tensors", "1000"])
        expectFailure(split, "part-00001-of-00001.gguf exists: remove the older files, or choose another prefix")
        #expect(try String(contentsOfFile: older, encoding: .utf8) == "older")
    }

    @Test("split requires a valid size limit")
    func splitUsage() async throws {
        let arguments = ["split", source, folder.path("part")]
        expectUsageError(try await Tool.leap.run(arguments), "Give one of --max-size and --max-tensors")
        expectUsageError(try await Tool.leap.run(arguments + ["--max-tensors", "0"]), "must be at least 1")
        let dry = try await Tool.leap.run(arguments + ["--max-tensors", "10", "--dry-run"])
        #expect(dry.text.contains("part-00002-of-"))
        #expect(try folder.content == [])
    }
}
