import Crypto
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

    /// The key in hexadecimal digits, as a file's name.
    var name: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
