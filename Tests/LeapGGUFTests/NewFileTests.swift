#if os(Linux)
import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Files that appear when they are complete")
struct NewFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Whether the file system of temporary folders has files without a name.
    private static let hasNamelessFiles: Bool = {
        // O_TMPFILE, which Swift does not see.
        let descriptor = open(FileManager.default.temporaryDirectory.path, 0o20_000_000 | O_DIRECTORY | O_WRONLY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }()

    @Test("Nothing is there to be left behind by a process that is killed", .enabled(if: hasNamelessFiles))
    func nameless() throws {
        let path = try folder.write("model.gguf", Data("before".utf8))
        var writer = GGUFWriter()
        try writer.addTensor("t", type: .F32, dimensions: [1])
        try writer.write(to: path) { output in
            #expect(try folder.content == ["model.gguf"])
            try output.append([1] as [Float])
        }
        #expect(try folder.content == ["model.gguf"])
        #expect(try GGUFFile(path: path).tensors.map(\.name) == ["t"])
    }

    @Test("What a symbolic link leads to is replaced, and the link stays", arguments: [true, false])
    func link(isThere: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: true)
        if isThere { _ = try folder.write("real/target.gguf", "before") }
        for (link, target) in [("near.gguf", "real/target.gguf"), ("far.gguf", folder.path("near.gguf"))] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        try GGUFWriter().write(to: folder.path("far.gguf"))
        #expect(try GGUFFile(path: folder.path("real/target.gguf")).tensors.isEmpty)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("near.gguf")) == "real/target.gguf")
        #expect(try folder.content == ["far.gguf", "near.gguf", "real"])
    }

    @Test("Links that lead to each other are an error")
    func endlessLinks() throws {
        for (link, target) in [("a.gguf", "b.gguf"), ("b.gguf", "a.gguf")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        // Which of the two names is replaced does not matter, as long as it ends.
        try? GGUFWriter().write(to: folder.path("a.gguf"))
        #expect(try folder.content == ["a.gguf", "b.gguf"])
    }

    @Test("A name without a folder is one in the present folder")
    func presentFolder() throws {
        let name = "leap-\(UUID().uuidString).gguf"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try GGUFWriter().write(to: name)
        #expect(try GGUFFile(path: name).tensors.isEmpty)
    }
}
#endif
