import Foundation
import LeapDigest

extension String {
    /// The SHA-256 of the text in hexadecimal digits.
    var sha256: String { SHA256.hash(data: Data(utf8)).hexadecimal }
}

extension Sequence where Element == UInt8 {
    /// Two digits per byte.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension OpenFile {
    /// The SHA-256 of all bytes in hexadecimal digits.
    var sha256: String {
        get throws(HubError) {
            var hash = SHA256()
            try read { hash.update(bufferPointer: $0) }
            return hash.finalize().hexadecimal
        }
    }
}

extension String {
    /// The SHA-256 that this is in hexadecimal digits, in lower case; nil if it is none.
    var asSHA256: String? { isHexadecimal(digits: 64) ? lowercased() : nil }

    /// Whether this is the hash of a commit.
    var isCommit: Bool { isHexadecimal(digits: 40) }

    private func isHexadecimal(digits: Int) -> Bool {
        utf8.count == digits && allSatisfy { $0.isHexDigit && $0.isASCII }
    }
}

/// The SHA-256 of bytes that come piece by piece. An actor, so that it is computed while its owner does something else.
actor RunningHash {
    private var hash: SHA256

    /// Continues from the bytes that another hash has seen.
    init(_ hash: SHA256 = SHA256()) { self.hash = hash }

    func update(_ bytes: Data) { hash.update(data: bytes) }

    /// The SHA-256 of all bytes so far in hexadecimal digits.
    var sha256: String { hash.finalize().hexadecimal }
}
