import Foundation
import LeapGGUF

/// A file that is open for reading and writing, closed when the last reference is released.
final class OpenFile: Sendable {
    /// The names of writing and syncing in errors.
    static let writing = "write", syncing = "sync to disk"

    let url: URL
    private let descriptor: CInt

    init(_ descriptor: CInt, _ url: URL) {
        self.descriptor = descriptor
        self.url = url
    }

    deinit { close(descriptor) }

    /// Creates a file from a descriptor that was just opened for reading; `nil` if opening failed because the file does
    /// not exist, or if it is not a regular file. Callers must open with `O_NONBLOCK`, because opening a pipe would
    /// wait for its writer.
    static func regular(_ descriptor: CInt, _ url: URL) throws(HubError) -> OpenFile? {
        guard descriptor >= 0 else {
            // The last two: a symbolic link that is not followed, and a socket.
            if [ENOENT, ELOOP, ENXIO].contains(errno) { return nil }
            throw .system(url, "open")
        }
        let file = OpenFile(descriptor, url)
        return try file.status().isRegular ? file : nil
    }

    /// Opens a regular file by its path, following symbolic links; `nil` if it does not exist.
    static func regular(at url: URL) throws(HubError) -> OpenFile? {
        try regular(open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), url)
    }

    /// Returns all bytes of a small regular file; `nil` if it does not exist or has more than `limit`.
    static func contents(of url: URL, upTo limit: Int = ModelManifest.maximumSize) throws(HubError) -> Data? {
        try regular(at: url)?.contents(upTo: limit)
    }

    func status() throws(HubError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(url, "get the file's status") }
        return FileStatus(status)
    }

    /// Locks the file exclusively, against other processes and other open descriptors in this one.
    ///
    /// - Returns: Whether the lock was acquired. It is released when the file is closed, also by the end of the
    ///   process.
    func tryLock() throws(HubError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .system(url, "lock") }
        }
        return true
    }

    /// The maximum number of bytes per write. As measured on ext4 in a virtual machine, writing a new file in pieces of
    /// a megabyte takes about twice as long.
    private static let writeSize = 64 << 10

    /// Writes all bytes at a position.
    func write(_ bytes: Data, at position: Int64) throws(HubError) {
        do {
            try bytes.withUnsafeBytes { buffer in
                var done = 0
                while done < buffer.count {
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                    let count = pwrite(
                        descriptor, rest.baseAddress, min(rest.count, Self.writeSize), off_t(position) + off_t(done))
                    if count < 0 {
                        if errno == EINTR { continue }
                        throw HubError.system(url, Self.writing)
                    }
                    done += count
                }
            }
        } catch let error as HubError {
            throw error
        } catch {
            throw .file(url.path, Self.writing, "\(error)")
        }
    }

    /// Reads from the beginning to the end, piece by piece.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes after which no further piece is read.
    ///   - body: Receives the pieces, of up to a megabyte each, and returns whether to go on.
    func read(upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) -> Bool) throws(HubError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(limit, 1 << 20), alignment: 4096)
        defer { buffer.deallocate() }
        var position = 0
        while position < limit {
            let count = pread(descriptor, buffer.baseAddress, min(buffer.count, limit - position), off_t(position))
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(url, "read")
            }
            if count == 0 { return }
            guard body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
            position += count
        }
    }

    /// Returns the first bytes; fewer if the file is shorter.
    func read(first count: Int) throws(HubError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, Int(clamping: try status().size)))
        try read(upTo: count) { piece in
            bytes.append(contentsOf: piece)
            return true
        }
        return bytes
    }

    /// Returns all bytes; `nil` if there are more than `limit`, regardless of the reported file size.
    func contents(upTo limit: Int) throws(HubError) -> Data? {
        let bytes = try read(first: limit + 1)
        return bytes.count > limit ? nil : Data(bytes)
    }

    func truncate(to size: Int64) throws(HubError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .system(url, "truncate") }
    }

    /// Syncs the file to disk.
    ///
    /// - Parameter durably: Whether the cache of the disk must not keep anything either; see `DiskSync`.
    func sync(durably: Bool = true) throws(HubError) {
        guard DiskSync.file(descriptor, durably: durably) else { throw .system(url, Self.syncing) }
    }
}
