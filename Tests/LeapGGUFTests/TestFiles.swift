import Foundation
import LeapGGUF
import _LeapTestSupport

/// A file written by the Python package `gguf`; `make-all-types.py` beside it lists the contents.
let allTypesPath = Fixture.folder.appending(path: "gguf/all-types.gguf").path

/// The bytes of a file.
func contents(of path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }

/// The error when opening bytes as a file, or `nil` if they are a valid file. Errors call the file `f`.
func errorOpening(_ bytes: [UInt8]) -> GGUFError? {
    do throws(GGUFError) {
        _ = try GGUFFile(bytes: bytes, name: "f")
        return nil
    } catch {
        return error
    }
}

/// The error when opening a hand-made file.
func errorOpening(_ file: HandmadeGGUF) -> GGUFError? { errorOpening(file.bytes) }

/// The error when opening a path.
func errorOpening(path: String, useMmap: Bool = true) -> GGUFError? {
    do throws(GGUFError) {
        _ = try GGUFFile(path: path, useMmap: useMmap)
        return nil
    } catch {
        return error
    }
}

extension HandmadeGGUF {
    /// A file of only metadata.
    init(metadata: [Entry]) {
        self.init()
        self.metadata = metadata
    }

    /// A file of only tensors.
    init(tensors: [Tensor], dataSize: Int) {
        self.init()
        self.tensors = tensors
        data = [UInt8](repeating: 0, count: dataSize)
    }

    /// A small valid file with a bit of everything: 3 tensors, strings, numbers, nested arrays. Its last tensor ends on
    /// a multiple of the alignment, so every byte at the end is needed.
    static var sample: HandmadeGGUF {
        var file = HandmadeGGUF(metadata: [
            .string("general.architecture", "llama"), .uint32("general.alignment", 32),
            .strings("tokenizer.ggml.tokens", ["a", "", "größer"]),
            .array("numbers", of: 5, count: 3, [1, -2, 3].flatMap { littleEndian(Int32($0)) }),
            .array("flags", of: 7, count: 2, [0, 1]),
            .array(
                "nested", of: 9, count: 1,
                littleEndian(UInt32(8)) + littleEndian(UInt64(1)) + ggufString("deep".utf8)),
            Entry("number", type: 12, littleEndian(0.5.bitPattern)),
        ])
        file.tensors = [
            Tensor("a.weight", dimensions: [4, 2]), Tensor("b.weight", dimensions: [32], type: 8, offset: 32),
            Tensor("c.weight", dimensions: [2, 2, 2, 2], type: 1, offset: 96),
        ]
        // The padding after the 34 bytes of the second tensor is zero, as writers leave it.
        file.data = (0..<128).map { (66..<96).contains($0) ? 0 : UInt8($0) }
        return file
    }
}
