import LeapBlocks
import LeapDigest
import LeapGGUF
import LeapJSON

/// SHA-256 hashes of tensors, independent of their location and order in a file.
struct TensorHashes {
    /// By name.
    let tensors: [(name: String, hash: String)]
    /// The hash of all tensors: of one line `NAME TYPE DIMENSIONS HASH` per tensor, sorted by name.
    let all: String

    init(_ file: GGUFFile) throws {
        let sorted = file.tensors.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        tensors = sorted.map { ($0.name, Self.hash($0.bytes)) }
        try file.checkNothingLost()
        let lines = zip(sorted, tensors).map { tensor, hashed in
            let dimensions = tensor.dimensions.map(String.init).joined(separator: "x")
            return "\(Self.line(tensor.name)) \(tensor.type.name) \(dimensions) \(hashed.hash)\n"
        }
        all = SHA256.hash(data: lines.joined().utf8).hexadecimal
    }

    /// In the format of `sha256sum`, with the overall hash at the end.
    var text: String {
        let lines = tensors.map { "\($0.hash)  \(Self.line($0.name))" }
        return (lines + ["\(all)  all \(tensors.count) tensors"]).joined(separator: "\n")
    }

    var json: JSONValue {
        [
            "all": .string(all),
            "tensors": .array(tensors.map { ["name": .string($0.name), "sha256": .string($0.hash)] }),
        ]
    }

    /// A name within a line; no other name is written like it. A line end in it would begin the line of another tensor.
    private static func line(_ name: String) -> String { singleLine(name.replacing("\\", with: "\\\\")) }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> String {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        return hash.finalize().hexadecimal
    }
}
