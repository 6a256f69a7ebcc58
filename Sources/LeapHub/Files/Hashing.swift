import Foundation
import LeapDigest

extension String {
    /// The SHA-256 of the text in hexadecimal digits.
    var sha256: String { SHA256.hash(data: Data(utf8)).hexadecimal }
}

extension OpenFile {
    /// The SHA-256 of all bytes, of which there may be gigabytes: it is given up when the current task is cancelled.
    ///
    /// - Throws: ``HubError``, or `CancellationError`.
    func hash() throws -> SHA256 {
        var hash = SHA256()
        try read { bytes in
            hash.update(bufferPointer: bytes)
            return !Task.isCancelled
        }
        try Task.checkCancellation()
        return hash
    }
}

extension String {
    /// The text as a SHA-256 in lower-case hexadecimal digits; `nil` if it is not one.
    var asSHA256: String? { isHexadecimal(digits: 64) ? lowercased() : nil }

    /// Whether this is the hash of a commit.
    var isCommit: Bool { isHexadecimal(digits: 40) }

    private func isHexadecimal(digits: Int) -> Bool {
        utf8.count == digits && allSatisfy { $0.isHexDigit && $0.isASCII }
    }
}

/// The SHA-256 of bytes that arrive in pieces. An actor, so that it is computed concurrently with its owner.
actor RunningHash {
    private var hash: SHA256

    /// Creates a hash that continues from another one.
    init(_ hash: SHA256 = SHA256()) { self.hash = hash }

    func update(_ bytes: Data) { hash.update(data: bytes) }

    /// The SHA-256 of all bytes so far in hexadecimal digits.
    var sha256: String { hash.finalize().hexadecimal }
}
