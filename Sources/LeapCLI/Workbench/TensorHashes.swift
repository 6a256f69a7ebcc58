import LeapBlocks
import LeapDigest
import LeapGGUF
import LeapJSON

/// SHA-256 of tensors, which do not depend on where and in which order a file has them.
struct TensorHashes {
    /// By name.
    let tensors: [(name: String, hash: String)]
    /// That of all tensors: of a line `NAME TYPE DIMENSIONS HASH` for each, sorted by names.
    let all: String

    init(_ file: GGUFFile) throws {
        let sorted = file.tensors.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        tensors = sorted.map { ($0.name, Self.hash($0.bytes)) }
        try file.checkNothingLost()
        let lines = zip(sorted, tensors).map { tensor, hashed in
            let dimensions = tensor.dimensions.map(String.init).joined(separator: "x")
            return "\(tensor.name) \(tensor.type.name) \(dimensions) \(hashed.hash)\n"
        }
        all = Self.hexadecimal(SHA256.hash(data: Array(lines.joined().utf8)))
    }

    /// As `sha256sum` prints them, with that of all at the end.
    var text: String {
        (tensors.map { "\($0.hash)  \($0.name)" } + ["\(all)  all \(tensors.count) tensors"]).joined(separator: "\n")
    }

    var json: JSONValue {
        [
            "all": .string(all),
            "tensors": .array(tensors.map { ["name": .string($0.name), "sha256": .string($0.hash)] }),
        ]
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> String {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        return hexadecimal(hash.finalize())
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
