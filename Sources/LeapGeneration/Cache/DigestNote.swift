import Foundation
import LeapDigest
import LeapGGUF

/// A model's digest, stored in the cache's folder as a file of 64 bytes: the digest, then the SHA-256 of the note's name and
/// the digest. The name hashes what identifies the model's file without reading it: device, inode, size, and the times of
/// its last changes, to the nanosecond.
struct DigestNote {
    private let name: String
    /// Whether the file's last change is old enough that any further write is sure to change its times.
    private let isOld: Bool

    /// How the names of all notes end.
    static let suffix = ".id"
    private static let byteCount = 2 * SHA256.byteCount
    /// Notes that a folder keeps, those used last.
    private static let limit = 64
    /// Seconds. File-system timestamps have a granularity of up to two seconds, so a second change within that time may
    /// leave no trace.
    private static let clockStep = 3

    /// `nil` for a model that does not come from files.
    init?(of file: GGUFFile) {
        guard let stamps = file.stamps else { return nil }
        var hash = SHA256()
        for stamp in stamps {
            for number in stamp.numbers { withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) } }
        }
        name = Array(hash.finalize()).hexadecimal + Self.suffix
        let newest = stamps.map { max($0.changed.seconds, $0.modified.seconds) }.max() ?? 0
        isOld = newest + Self.clockStep < Int(Date.now.timeIntervalSince1970)
    }

    /// The digest, if it was noted.
    func read(in folder: CacheFolder) -> [UInt8]? {
        guard let data = folder.read(name, byteCounts: [Self.byteCount]), data.count == Self.byteCount else {
            return nil
        }
        let digest = Array(data.prefix(SHA256.byteCount))
        guard data.elementsEqual(bytes(digest)) else { return nil }
        folder.markAsUsed(name)
        return digest
    }

    /// Notes the digest.
    func write(_ digest: [UInt8], in folder: CacheFolder) {
        guard isOld else { return }
        do {
            try folder.write(name) { append in try bytes(digest).withUnsafeBytes(append) }
            folder.removeOldest(Self.suffix, maxEntries: Self.limit)
        } catch {
            // The digest itself is known; if the folder is not writable, the segment store will report it.
        }
    }

    private func bytes(_ digest: [UInt8]) -> [UInt8] {
        digest + SHA256.hash(data: Array(name.utf8) + digest)
    }
}

extension FileStamp {
    fileprivate var numbers: [UInt64] {
        [device, inode, UInt64(size)]
            + [modified, changed].flatMap { time in
                [time.seconds, time.nanoseconds].map { UInt64(bitPattern: Int64($0)) }
            }
    }
}
