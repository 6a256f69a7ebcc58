package import Foundation

/// A file that is open for reading and writing, closed when nobody holds it any more.
final class OpenFile: Sendable {
    let url: URL
    private let descriptor: CInt

    init(_ descriptor: CInt, _ url: URL) {
        self.descriptor = descriptor
        self.url = url
    }

    deinit { close(descriptor) }

    func status() throws(HubError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(url, "look at") }
        return FileStatus(status)
    }

    /// Locks the file for this owner alone, against other processes and other opens in this one.
    ///
    /// - Returns: Whether that was possible now. The lock goes when the file is closed, also by the process's death.
    func tryLock() throws(HubError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .system(url, "lock") }
        }
        return true
    }

    /// The most bytes of one write. Of a megabyte at a time, writing a new file on ext4 in a virtual machine was measured to
    /// take about twice as long.
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
                        throw HubError.system(url, "write")
                    }
                    done += count
                }
            }
        } catch let error as HubError {
            throw error
        } catch {
            throw .file(url.path, "write", "\(error)")
        }
    }

    /// Reads from a position to the end, piece by piece.
    func read(from position: Int64, _ body: (UnsafeRawBufferPointer) -> Void) throws(HubError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var position = position
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(url, "read")
            }
            if count == 0 { return }
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(count)
        }
    }

    func truncate(to size: Int64) throws(HubError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .system(url, "shorten") }
    }

    /// Brings all bytes to the disk.
    func sync() throws(HubError) {
        guard fsync(descriptor) == 0 else { throw .system(url, "bring to the disk") }
    }
}

/// What is known of a file without reading it.
struct FileStatus: Hashable, Sendable {
    let size: Int64
    let isRegular: Bool
    let isLink: Bool
    /// Device and number: equal for equal files.
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
        size = Int64(status.st_size)
        let kind = status.st_mode & S_IFMT
        isRegular = kind == S_IFREG
        isLink = kind == S_IFLNK
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }

    func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}

/// Room on disks.
package enum DiskSpace {
    /// The bytes that are free for files of this user in a folder; nil if that is not known.
    package static func available(at folder: URL) -> Int64? {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}
