import Foundation
import LeapBlocks
import LeapGGUF
import Testing
import _LeapTestSupport

@Suite("Files written by other implementations")
struct ReferenceFileTests {
    private func reference(useMmap: Bool) throws -> GGUFFile {
        try GGUFFile(path: allTypesPath, useMmap: useMmap)
    }

    @Test("Scalars have the values that were written", arguments: [true, false])
    func scalars(useMmap: Bool) throws {
        let metadata = try reference(useMmap: useMmap).metadata
        let expected: [(String, GGUFValue)] = [
            ("general.alignment", .uint32(64)), ("general.architecture", .string("test")),
            ("scalar.uint8", .uint8(200)), ("scalar.int8", .int8(-100)), ("scalar.uint16", .uint16(60_000)),
            ("scalar.int16", .int16(-30_000)), ("scalar.uint32", .uint32(4_000_000_000)),
            ("scalar.int32", .int32(-2_000_000_000)), ("scalar.uint64", .uint64(18_000_000_000_000_000_000)),
            ("scalar.int64", .int64(-9_000_000_000_000_000_000)), ("scalar.float32", .float32(1.5)),
            ("scalar.float64", .float64(-0.1)), ("scalar.bool", .bool(true)),
            ("scalar.string", .string("größer 🙂")),
        ]
        for (key, value) in expected { #expect(metadata.value(key) == value, "\(key)") }
        #expect(metadata.count == expected.count + 5)
    }

    @Test("Arrays have the elements that were written", arguments: [true, false])
    func arrays(useMmap: Bool) throws {
        let metadata = try reference(useMmap: useMmap).metadata
        #expect(try metadata.integers("array.int32") == [1, -2, 3])
        #expect(try metadata.floats("array.float32") == [0.25, -0.5])
        #expect(try metadata.integers("array.bool") == [1, 0])
        #expect(try Array(metadata.strings("array.string")) == ["one", "", "drei 🙂"])
        guard case .array(let nested) = metadata.value("array.array") else {
            Issue.record("array.array is not an array")
            return
        }
        #expect(nested.typeDescription == "array of array of int32")
        let elements = nested.map { element in
            if case .array(let inner) = element { Array(inner) } else { [element] }
        }
        #expect(elements == [[.int32(1), .int32(2)], [.int32(3)]])
    }

    @Test("Tensors have the shapes and bytes that were written", arguments: [true, false])
    func tensors(useMmap: Bool) throws {
        let file = try reference(useMmap: useMmap)
        #expect(file.tensors.map(\.name) == ["matrix.weight", "half.weight", "quantised.weight"])
        #expect(file.tensors.map(\.type) == [.F32, .F16, .Q8_0])
        #expect(file.tensors.map(\.dimensions) == [[3, 2], [3], [64]])
        #expect(file.tensors.map(\.byteCount) == [24, 6, 68])
        #expect(file.tensors.allSatisfy { $0.fileOffset.isMultiple(of: 64) })
        let matrix = try #require(file.tensor(named: "matrix.weight"))
        #expect(
            (0..<6).map { matrix.bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) } == [0, 1, 2, 3, 4, 5])
        let half = try #require(file.tensor(named: "half.weight"))
        // 1, −2 and 0.5 in half precision.
        #expect(
            (0..<3).map { half.bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) } == [
                0x3C00, 0xC000, 0x3800,
            ])
        #expect(file.tensor(named: "missing.weight") == nil)
    }

    /// The repository's model files, and all GGUF files in a folder of reference data, where the environment variable
    /// `LEAP_GOLDENS` names one.
    private static let modelPaths: [String] = {
        let goldens = ProcessInfo.processInfo.environment["LEAP_GOLDENS"].map { ggufFiles(below: $0) } ?? []
        return Fixture.all.map(\.path) + goldens
    }()

    private static func ggufFiles(below folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".gguf") }.sorted().map { "\(folder)/\($0)" }
    }

    @Test("Reading and rewriting a model reproduces it byte for byte", arguments: modelPaths)
    func model(path: String) throws {
        let file = try GGUFFile(path: path)
        var writer = GGUFWriter(version: try #require(GGUFWriter.Version(rawValue: file.version)))
        writer.add(contentsOf: file.metadata)
        for tensor in file.tensors { try writer.addTensor(tensor) }
        let bytes = try writer.encoded { output in
            for tensor in file.tensors { try output.append(tensor.bytes) }
        }
        #expect(try bytes == contents(of: path))
    }
}
