import LeapDigest
import LeapTokenizer

/// Names a segment by everything that it depends on: the model, how it is computed, and all tokens up to its end.
struct SegmentKey: Hashable, Sendable {
    /// 32 bytes.
    let bytes: [UInt8]

    /// The key of the beginning of every sequence of a model.
    init(fingerprint: [UInt8]) {
        bytes = fingerprint
    }

    /// The key of the segment that follows another one.
    init(after parent: SegmentKey, _ tokens: some Collection<Token>) {
        var hash = SHA256()
        hash.update(data: parent.bytes)
        for token in tokens {
            withUnsafeBytes(of: token.littleEndian) { hash.update(bufferPointer: $0) }
        }
        bytes = Array(hash.finalize())
    }

    /// The name of the segment's file.
    var fileName: String { bytes.hexadecimal + Self.suffix }

    /// How the names of all segments' files end.
    static let suffix = ".kv"
}

extension [UInt8] {
    /// Two digits for each byte.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
