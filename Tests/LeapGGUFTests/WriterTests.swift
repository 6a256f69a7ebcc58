import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Writing")
struct WriterTests {
    /// The bytes of a file that is read and written again.
    private func rewritten(_ file: GGUFFile) throws -> [UInt8] {
        var writer = GGUFWriter(version: try #require(GGUFWriter.Version(rawValue: file.version)))
        writer.add(contentsOf: file.metadata)
        for tensor in file.tensors { try writer.addTensor(tensor) }
        return try writer.encoded { output in
            for tensor in file.tensors { try output.append(tensor.bytes) }
        }
    }

    @Test("Rewriting a hand-made file reproduces it byte for byte", arguments: [UInt32(2), 3])
    func roundTrip(version: UInt32) throws {
        var file = HandmadeGGUF.sample
        file.version = version
        #expect(try rewritten(GGUFFile(bytes: file.bytes, name: "f")) == file.bytes)
    }

    @Test("Rewriting a file of the reference implementation reproduces it byte for byte")
    func referenceRoundTrip() throws {
        #expect(try rewritten(GGUFFile(path: allTypesPath)) == contents(of: allTypesPath))
    }

    @Test(
        "Every value survives a round trip",
        arguments: [
            .uint8(.max), .int8(.min), .uint16(.max), .int16(.min), .uint32(.max), .int32(.min), .uint64(.max),
            .int64(.min), .float32(-0.0), .float64(.pi), .bool(true), .bool(false), .string(""), .string("größer\0🙂"),
        ] as [GGUFValue])
    func value(value: GGUFValue) throws {
        var writer = GGUFWriter()
        writer.set("k", value)
        #expect(try GGUFFile(bytes: writer.encoded(), name: "f").metadata.value("k") == value)
    }

    @Test("An array read from one file can be written to another")
    func arrayValue() throws {
        let sample = try GGUFFile(bytes: HandmadeGGUF.sample.bytes, name: "f").metadata
        var writer = GGUFWriter()
        for key in ["nested", "tokenizer.ggml.tokens", "flags"] {
            writer.set(key, try #require(sample.value(key)))
        }
        let copy = try GGUFFile(bytes: writer.encoded(), name: "f").metadata
        for key in copy.keys { #expect(copy.value(key) == sample.value(key)) }
    }

    @Test("Setting a key again replaces its value in place; removing a key deletes it")
    func replace() throws {
        var writer = GGUFWriter()
        for key in ["a", "b", "c"] { writer.set(key, .uint8(1)) }
        writer.set("b", .string("new"))
        writer.remove("a")
        writer.set("c", .uint8(3))
        let metadata = try GGUFFile(bytes: writer.encoded(), name: "f").metadata
        #expect(metadata.keys == ["b", "c"])
        #expect(try metadata.string("b") == "new")
        #expect(try metadata.integer("c") == 3)
    }

    /// Three tensors whose sizes are not multiples of the alignment, and their 4 + 34 + 6 bytes.
    private func threeTensors(alignment: UInt32?) throws -> (GGUFWriter, data: [UInt8]) {
        var writer = GGUFWriter()
        if let alignment { writer.set("general.alignment", .uint32(alignment)) }
        try writer.addTensor("a", type: .F32, dimensions: [1])
        try writer.addTensor("b", type: .Q8_0, dimensions: [32])
        try writer.addTensor("c", type: .F16, dimensions: [3, 1, 1, 1])
        return (writer, (1...44).map { UInt8($0) })
    }

    @Test("Tensor data is placed correctly whatever the size of the appended pieces", arguments: [1, 3, 7, 34, 44])
    func pieces(size: Int) throws {
        for alignment in [nil, 8, 4096] as [UInt32?] {
            let (writer, data) = try threeTensors(alignment: alignment)
            let bytes = try writer.encoded { output in
                for start in stride(from: 0, to: data.count, by: size) {
                    try output.append(Array(data[start..<min(start + size, data.count)]))
                }
            }
            let file = try GGUFFile(bytes: bytes, name: "f")
            #expect(file.tensors.flatMap { Array($0.bytes) } == data)
            let step = Int(alignment ?? 32)
            #expect(file.tensors.allSatisfy { $0.fileOffset.isMultiple(of: step) })
            #expect(bytes.count.isMultiple(of: step))
        }
    }

    @Test("Missing data is an error that names the tensor")
    func missingData() throws {
        let (writer, data) = try threeTensors(alignment: nil)
        let expected = GGUFError.WriteProblem.missingData(tensor: "b", expected: 34, found: 6)
        #expect(throws: GGUFError.write(file: "a GGUF file", expected)) {
            try writer.encoded { try $0.append(Array(data.prefix(10))) }
        }
    }

    @Test("Too much data is an error")
    func tooMuchData() throws {
        let (writer, data) = try threeTensors(alignment: nil)
        #expect(throws: GGUFError.write(file: "a GGUF file", .tooMuchData(expected: 44))) {
            try writer.encoded { try $0.append(data + [0]) }
        }
    }

    // MARK: Content that readers refuse

    @Test(
        "Keys that readers refuse are not written",
        arguments: ["", "größe", "a\n", String(repeating: "k", count: 65_536)])
    func invalidKey(key: String) {
        var writer = GGUFWriter()
        writer.set(key, .bool(true))
        #expect(throws: GGUFError.write(file: "a GGUF file", .invalidKey(key))) { try writer.encoded() }
    }

    @Test(
        "Tensors that readers refuse are not written",
        arguments: [[], [0], [-32], [1, 1, 1, 1, 1], [33, 2], [.max - 31, 32]] as [[Int]])
    func invalidDimensions(dimensions: [Int]) {
        var writer = GGUFWriter()
        let expected = GGUFError.WriteProblem.invalidDimensions(
            tensor: "t", dimensions: dimensions, type: "Q8_0")
        #expect(throws: GGUFError.write(file: "a GGUF file", expected)) {
            try writer.addTensor("t", type: .Q8_0, dimensions: dimensions)
        }
    }

    @Test("Tensor names that readers refuse are not written")
    func invalidNames() throws {
        var writer = GGUFWriter()
        let long = String(repeating: "n", count: 65)
        for name in ["", long] {
            #expect(throws: GGUFError.write(file: "a GGUF file", .invalidTensorName(name))) {
                try writer.addTensor(name, type: .F32, dimensions: [1])
            }
        }
        try writer.addTensor("t", type: .F32, dimensions: [1])
        #expect(throws: GGUFError.write(file: "a GGUF file", .duplicateTensor("t"))) {
            try writer.addTensor("t", type: .F32, dimensions: [1])
        }
    }

    @Test(
        "Alignments that readers refuse are not written",
        arguments: [.uint32(3), .uint32(0), .int32(32)] as [GGUFValue])
    func invalidAlignment(value: GGUFValue) {
        var writer = GGUFWriter()
        writer.set("general.alignment", value)
        #expect(throws: GGUFError.self) { try writer.encoded() }
    }

    @Test("Sizes whose sum overflows are not written")
    func tooLarge() throws {
        var writer = GGUFWriter()
        for name in ["a", "b", "c"] { try writer.addTensor(name, type: .I8, dimensions: [1 << 62]) }
        #expect(throws: GGUFError.write(file: "a GGUF file", .tooLarge)) { try writer.encoded() }
    }

    // MARK: Files

    @Test("A file written to disk equals the encoded bytes and replaces an older file")
    func toDisk() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("model.gguf", [1, 2, 3])
        let (writer, data) = try threeTensors(alignment: nil)
        try writer.write(to: path) { try $0.append(data) }
        #expect(try contents(of: path) == writer.encoded { try $0.append(data) })
        #expect(try folder.content == ["model.gguf"])
    }

    @Test("A write that fails halfway leaves only the old file")
    func failedWrite() throws {
        struct Interruption: Error {}
        let folder = try TemporaryFolder()
        let path = try folder.write("model.gguf", [1, 2, 3])
        let (writer, data) = try threeTensors(alignment: nil)
        #expect(throws: Interruption.self) {
            try writer.write(to: path) { output in
                try output.append(Array(data.prefix(20)))
                throw Interruption()
            }
        }
        #expect(throws: GGUFError.self) { try writer.write(to: path) }
        #expect(try contents(of: path) == [1, 2, 3])
        #expect(try folder.content == ["model.gguf"])
    }

    @Test("Writing into a missing folder is an error")
    func noFolder() throws {
        let path = try TemporaryFolder().path("missing/model.gguf")
        let expected = GGUFError.WriteProblem.system(action: "create", SystemError(code: ENOENT))
        #expect(throws: GGUFError.write(file: path, expected)) { try GGUFWriter().write(to: path) }
    }

    @Test("Writing to a path that is a folder fails and leaves nothing behind")
    func ontoFolder() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("inner")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: GGUFError.self) { try GGUFWriter().write(to: path) }
        #expect(try folder.content == ["inner"])
    }

    @Test("A path that is not a regular file is refused and not replaced")
    func ontoPipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: GGUFError.path(path, .notAFile(.fifo))) { try GGUFWriter().write(to: path) }
        #expect(throws: GGUFError.path(path, .notAFile(.fifo))) { try GGUFFile(path: path) }
        #expect(try folder.content == ["pipe"])
    }
}
