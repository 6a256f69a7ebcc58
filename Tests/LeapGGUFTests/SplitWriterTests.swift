import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Splitting models")
struct SplitWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "Splitting and merging a model reproduces the same bytes",
        arguments: [
            GGUFSplit.Limit.tensors(1), .tensors(7), .tensors(1000), .bytes(60_000), .bytes(1), .bytes(1 << 30),
        ])
    func roundTrip(limit: GGUFSplit.Limit) throws {
        let source = Fixture(name: "llama-biases-bf16").path
        let file = try GGUFFile(path: source)
        let split = try GGUFSplit(file, limit, prefix: folder.path("part"))
        try split.write()
        let parts = try GGUFFile(path: split.parts[0].path)
        #expect(parts.tensors.map(\.name) == file.tensors.map(\.name))
        var writer = GGUFWriter()
        try writer.add(parts)
        let whole = try writer.encoded { output in
            for tensor in parts.tensors { try output.append(tensor) }
        }
        var again = GGUFWriter()
        try again.add(file)
        #expect(try whole == again.encoded { output in for tensor in file.tensors { try output.append(tensor) } })
    }

    @Test("File names and metadata keys are those that llama.cpp writes")
    func keys() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-biases-bf16").path)
        let split = try GGUFSplit(file, .tensors(9), prefix: folder.path("part"))
        try split.write()
        let count = (file.tensors.count + 8) / 9
        #expect(count > 1)
        let names = (1...count).map { "part-0000\($0)-of-0000\(count).gguf" }
        #expect(try folder.content == names)
        let first = try GGUFFile(path: folder.path(names[0])).metadata
        #expect(first.value("split.no") == .uint16(0))
        #expect(first.value("split.count") == .uint16(UInt16(count)))
        #expect(first.value("split.tensors.count") == .int32(Int32(file.tensors.count)))
        #expect(first.contains("general.architecture"))
    }

    @Test("Files stay within their planned size, and plans within the limit unless a single tensor exceeds it")
    func sizes() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-biases-bf16").path)
        let limit = 60_000
        let split = try GGUFSplit(file, .bytes(limit), prefix: folder.path("part"))
        try split.write()
        #expect(split.parts.count > 1)
        for part in split.parts {
            let size = try Data(contentsOf: URL(filePath: part.path)).count
            #expect(size <= part.byteCount)
            #expect(part.byteCount <= limit || part.tensors.count == 1)
        }
    }

    @Test("A split model can be split again with another limit")
    func again() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-biases-bf16").path)
        let first = try GGUFSplit(file, .tensors(5), prefix: folder.path("a"))
        try first.write()
        let second = try GGUFSplit(GGUFFile(path: first.parts[0].path), .tensors(11), prefix: folder.path("b"))
        try second.write()
        let result = try GGUFFile(path: second.parts[0].path)
        #expect(result.tensors.count == file.tensors.count)
        for (left, right) in zip(file.tensors, result.tensors) { #expect(left.bytes.elementsEqual(right.bytes)) }
    }

    @Test("More files than a key of 16 bits can count are refused before one is written")
    func tooManyFiles() throws {
        func file(tensors count: Int) throws -> GGUFFile {
            var writer = GGUFWriter()
            for index in 0..<count { try writer.addTensor("\(index)", type: .F32, dimensions: [1]) }
            let data = [Float](repeating: 1, count: count)
            return try GGUFFile(bytes: writer.encoded { try $0.append(data) }, name: "model.gguf")
        }
        let prefix = folder.path("part")
        let expected = GGUFError.write(file: prefix, .tooManyParts(65_536))
        #expect(throws: expected) { try GGUFSplit(file(tensors: 65_536), .tensors(1), prefix: prefix) }
        #expect(try GGUFSplit(file(tensors: 65_535), .tensors(1), prefix: prefix).parts.count == 65_535)
    }

    @Test("A split into a single file is a set that can be recognised and rewritten as a whole")
    func singleFile() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-biases-bf16").path)
        let split = try GGUFSplit(file, .tensors(1_000), prefix: folder.path("part"))
        try split.write()
        #expect(split.parts.count == 1)
        #expect(try GGUFFile(path: split.parts[0].path).isSplit)
        #expect(!file.isSplit)
    }

    @Test("A failed split leaves no files behind")
    func failure() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-biases-bf16").path)
        let split = try GGUFSplit(file, .tensors(9), prefix: folder.path("part"))
        // A folder in the place of the last file.
        let last = try #require(split.parts.last).path
        try FileManager.default.createDirectory(atPath: last, withIntermediateDirectories: false)
        #expect(throws: GGUFError.self) { try split.write() }
        #expect(try folder.content == [URL(filePath: last).lastPathComponent])
    }
}
