#if os(Linux)
import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Atomic writing of files")
struct NewFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Whether the file system of temporary folders has files without a name.
    private static let hasNamelessFiles: Bool = {
        // O_TMPFILE, which is not visible to Swift.
        let descriptor = open(FileManager.default.temporaryDirectory.path, 0o20_000_000 | O_DIRECTORY | O_WRONLY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }()

    @Test(
        "No temporary file exists during writing, so a killed process leaves nothing behind",
        .enabled(if: hasNamelessFiles))
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

    @Test("Writing through symbolic links replaces the target and keeps the links", arguments: [true, false])
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

    @Test("Writing through a cycle of symbolic links is an error and changes nothing")
    func endlessLinks() throws {
        let links = [("a.gguf", "b.gguf"), ("b.gguf", "a.gguf")]
        for (link, target) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        let path = folder.path("a.gguf")
        let expected = GGUFError.write(file: path, .system(action: "create", SystemError(code: ELOOP)))
        #expect(throws: expected) { try GGUFWriter().write(to: path) }
        #expect(try folder.content == ["a.gguf", "b.gguf"])
        for (link, target) in links {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(link)) == target)
        }
    }

    @Test("As many links in a row are followed as the system follows")
    func manyLinks() throws {
        for number in 1...41 {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("\(number)"), withDestinationPath: "\(number - 1)")
        }
        try GGUFWriter().write(to: folder.path("40"))
        #expect(try GGUFFile(path: folder.path("0")).tensors.isEmpty)
        #expect(try GGUFFile(path: folder.path("30")).tensors.isEmpty)
        #expect(throws: GGUFError.self) { try GGUFFile(path: folder.path("41")) }
        #expect(throws: GGUFError.self) { try GGUFWriter().write(to: folder.path("41")) }
    }

    @Test(
        "A name as long as the file system allows is written, also if it is not ASCII",
        arguments: ["n", "\u{E9}", "\u{20AC}"])
    func longName(letter: String) throws {
        let name = String(repeating: letter, count: 255 / letter.utf8.count)
        try GGUFWriter().write(to: folder.path(name))
        #expect(try folder.content == [name])
    }

    @Test("A name that no file can have is refused before anything is written", arguments: ["", "x"])
    func impossibleName(letter: String) throws {
        let path = letter.isEmpty ? "" : folder.path(String(repeating: letter, count: 256))
        let code = letter.isEmpty ? ENOENT : ENAMETOOLONG
        var hasBegun = false
        #expect(throws: GGUFError.write(file: path, .system(action: "create", SystemError(code: code)))) {
            try GGUFWriter().write(to: path) { _ in hasBegun = true }
        }
        #expect(!hasBegun)
        #expect(try folder.content == [])
    }

    @Test("A folder that cannot be synced is no error, unlike such a file")
    func unsyncable() throws {
        // Nothing in there is on a disk.
        let folder = open("/proc", O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        #expect(!DiskSync.file(folder) && errno == EINVAL)
        #expect(DiskSync.folder(folder))
        #expect(!DiskSync.folder(-1))
    }

    @Test("A file gets its name with and without waiting for the disk", arguments: [true, false])
    func durability(isDurable: Bool) throws {
        let file = try NewFile(path: folder.path("file"))
        try Data("content".utf8).withUnsafeBytes { try file.append($0) }
        #expect(try !folder.content.contains("file"))
        try file.commit(durably: isDurable)
        #expect(try Data(contentsOf: folder.url.appending(path: "file")) == Data("content".utf8))
    }

    @Test("A name without a folder is written to the current directory")
    func currentDirectory() throws {
        let name = "leap-\(UUID().uuidString).gguf"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try GGUFWriter().write(to: name)
        #expect(try GGUFFile(path: name).tensors.isEmpty)
    }
}
#endif
