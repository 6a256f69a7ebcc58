import Foundation
import LeapBlocks
import Testing
import _LeapTestSupport

@testable import LeapGGUF

/// When a mapped file is truncated, some of its pages no longer exist. Reading one must not end the process.
@Suite("Files truncated while mapped")
struct LostPageTests {
    private static let count = 1 << 18

    /// Writes a file with a tensor of a mebibyte of ones, and `padding` bytes after it.
    private func write(_ name: String = "model.gguf", in folder: TemporaryFolder, padding: Int = 0) throws -> String {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string("llama"))
        try writer.addTensor("ones", type: .F32, dimensions: [Self.count])
        let bytes = try writer.encoded { output in
            try output.append([Float](repeating: 1, count: Self.count))
        }
        return try folder.write(name, bytes + [UInt8](repeating: 7, count: padding))
    }

    private func sum(_ file: GGUFFile) throws -> Float {
        try #require(file.tensor(named: "ones")).bytes.withMemoryRebound(to: Float.self) { $0.reduce(0, +) }
    }

    private func lost(_ path: String, _ file: GGUFFile, now size: Int) -> GGUFError {
        .path(path, .lost(sizeWhenOpened: file.fileSize, sizeNow: size))
    }

    @Test("a truncated file reads as zeros and reports the loss for as long as it is open")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let path = try write(in: folder)
        let file = try GGUFFile(path: path)
        let other = try GGUFFile(path: try write("other.gguf", in: folder))
        #expect(try sum(file) == Float(Self.count))
        try file.checkNothingLost()
        #expect(truncate(path, 1 << 16) == 0)
        #expect(try sum(file) < Float(Self.count))
        #expect(try sum(file) == 0)
        #expect(throws: lost(path, file, now: 1 << 16)) { try file.checkNothingLost() }
        // Restoring the size does not restore what was read in the meantime.
        #expect(truncate(path, off_t(file.fileSize)) == 0)
        #expect(throws: lost(path, file, now: file.fileSize)) { try file.checkNothingLost() }
        #expect(throws: lost(path, file, now: file.fileSize)) { try file.checkUnchanged() }
        // Other open files, and this one when opened again, are not affected.
        try other.checkNothingLost()
        #expect(try sum(other) == Float(Self.count))
        let again = try GGUFFile(path: try write(in: folder))
        #expect(try sum(again) == Float(Self.count))
        try again.checkNothingLost()
    }

    @Test("truncation within the last page is detected by the file size")
    func cutWithinPage() throws {
        let folder = try TemporaryFolder()
        let path = try write(in: folder)
        let file = try GGUFFile(path: path)
        #expect(truncate(path, off_t(file.fileSize - 1)) == 0)
        _ = try sum(file)
        #expect(throws: GGUFError.self) { try file.checkUnchanged() }
    }

    @Test("a file that shrinks during opening either opens or fails with an error that names its path")
    func whileOpening() async throws {
        let folder = try TemporaryFolder()
        let path = try write(in: folder)
        let whole = try contents(of: path)
        for _ in 0..<100 {
            let truncation = Task.detached { truncate(path, 100) }
            do throws(GGUFError) {
                let file = try GGUFFile(path: path)
                _ = try? sum(file)
            } catch {
                #expect(error.description.hasPrefix("'\(path)'"))
            }
            _ = await truncation.value
            _ = try folder.write("model.gguf", whole)
        }
    }

    @Test("with many files open, exactly the truncated ones report lost pages")
    func manyFiles() async throws {
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<20 {
                        let path = try write("\(task)-\(round).gguf", in: folder)
                        let file = try GGUFFile(path: path)
                        guard (task + round).isMultiple(of: 2) else {
                            #expect(try sum(file) == Float(Self.count))
                            try file.checkNothingLost()
                            continue
                        }
                        #expect(truncate(path, 4096) == 0)
                        #expect(try sum(file) < Float(Self.count))
                        #expect(throws: GGUFError.self) { try file.checkNothingLost() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("without mmap, a file is read only up to the end of its last tensor")
    func readWithoutMapping() throws {
        let folder = try TemporaryFolder()
        let padding = 64 << 20
        let path = try write(in: folder, padding: padding)
        let file = try GGUFFile(path: path, useMmap: false)
        #expect(file.fileSize == file.contentSize + padding)
        #expect(file.files.map(\.bytes.count) == [file.contentSize])
        #expect(try sum(file) == Float(Self.count))
        var count = 0
        try file.readContent { _, bytes in
            count += bytes.count
            return true
        }
        #expect(count == file.contentSize)
    }
}

/// What identifies a file's content.
@Suite("File contents and stamps")
struct FileContentTests {
    @Test(
        "mapped, copied and in-memory files yield the same content at any chunk size",
        arguments: [1000, 1 << 20])
    func sameContent(stretch: Int) throws {
        let bytes = try contents(of: allTypesPath)
        let files = [
            try GGUFFile(path: allTypesPath), try GGUFFile(path: allTypesPath, useMmap: false),
            try GGUFFile(bytes: bytes, name: "bytes"),
        ]
        for file in files {
            var content: [UInt8] = []
            try file.readContent(stretch: stretch) { shard, bytes in
                #expect(shard == 0 && bytes.count <= stretch)
                content += bytes
                return true
            }
            #expect(content == Array(bytes.prefix(file.contentSize)))
            #expect(content.count <= bytes.count && content.count > bytes.count / 2)
        }
        #expect(files.map { $0.stamps?.count } == [1, 1, nil])
    }

    @Test("reading stops when the closure returns false")
    func ending() throws {
        var calls = 0
        try GGUFFile(path: allTypesPath).readContent(stretch: 10) { _, _ in
            calls += 1
            return calls < 3
        }
        #expect(calls == 3)
    }

    @Test("a file's stamp is the same when it is reopened and changes when it is written")
    func stamps() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("model.gguf", HandmadeGGUF.sample.bytes)
        let first = try GGUFFile(path: path).stamps
        #expect(first != nil)
        #expect(try GGUFFile(path: path).stamps == first)
        _ = try folder.write("model.gguf", HandmadeGGUF.sample.bytes)
        #expect(try GGUFFile(path: path).stamps != first)
        let file = try GGUFFile(path: path)
        #expect(truncate(path, 100) == 0)
        #expect(throws: GGUFError.self) { try file.readContent { _, _ in true } }
    }
}
