#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// An open regular file: everything that reading needs from the operating system.
final class OpenFile: Sendable {
    let path: String

    /// The file's identity when it was opened.
    let stamp: FileStamp

    /// Bytes in the file when it was opened.
    var size: Int { stamp.size }

    private let descriptor: Int32

    /// Opens a path that must be a regular, non-empty file. Never waits: a FIFO without a writer, a device or a socket
    /// ends in an error.
    init(path: String) throws(GGUFError) {
        // The system's functions would stop at the zero byte and open another file than the one that was named.
        guard !path.utf8.contains(0) else { throw .path(path, .zeroByte) }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .path(path, .cannotOpen(SystemError.last)) }
        do {
            stamp = try Self.stampOfRegularFile(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Maps the whole file read-only.
    func map() throws(GGUFError) -> UnsafeRawBufferPointer {
        let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else {
            throw .path(path, .cannotMap(bytes: size, SystemError.last))
        }
        return UnsafeRawBufferPointer(start: address, count: size)
    }

    /// Removes a mapping.
    static func unmap(_ bytes: UnsafeRawBufferPointer) {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    /// Memory that reads as zeros, and takes none until something is written to it with ``write(_:to:)``.
    static func mapZeros(_ count: Int, for name: String) throws(GGUFError) -> UnsafeRawBufferPointer {
        let address = mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw .path(name, .cannotMap(bytes: count, SystemError.last))
        }
        return UnsafeRawBufferPointer(start: address, count: count)
    }

    /// Writes into memory of ``mapZeros(_:for:)``. Only the pages concerned become writable: systems count writable memory
    /// as used.
    static func write(_ bytes: [UInt8], to target: UnsafeRawPointer, for name: String) throws(GGUFError) {
        guard !bytes.isEmpty else { return }
        let target = UnsafeMutableRawPointer(mutating: target)
        let start = target - Int(bitPattern: target) % Int(getpagesize())
        guard mprotect(start, target - start + bytes.count, PROT_READ | PROT_WRITE) == 0 else {
            throw .path(name, .cannotMap(bytes: bytes.count, SystemError.last))
        }
        target.copyMemory(from: bytes, byteCount: bytes.count)
    }

    /// Fills a buffer with the bytes of the file from an offset on.
    func read(into buffer: UnsafeMutableRawBufferPointer, from start: Int = 0) throws(GGUFError) {
        var done = 0
        while done < buffer.count {
            let wanted = min(buffer.count - done, SystemCall.largestTransfer)
            let count = pread(descriptor, buffer.baseAddress.map { $0 + done }, wanted, off_t(start + done))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .path(path, .cannotRead(offset: start + done, SystemError.last)) }
            guard count > 0 else { throw .path(path, .changed(sizeWhenOpened: size, sizeNow: start + done)) }
            done += count
        }
    }

    /// Reads a stretch of at most the buffer's size; `false` if the file ends early.
    func canRead(_ stretch: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        pread(descriptor, buffer.baseAddress, stretch.count, off_t(stretch.lowerBound)) == stretch.count
    }

    /// Throws when size or modification time differ from what they were when the file was opened.
    func checkUnchanged() throws(GGUFError) {
        let now = try Self.stamp(descriptor, path)
        guard now.size == stamp.size, now.modified == stamp.modified else {
            throw .path(path, .changed(sizeWhenOpened: stamp.size, sizeNow: now.size))
        }
    }

    /// Bytes in the file now.
    var currentSize: Int {
        get throws(GGUFError) { try Self.stamp(descriptor, path).size }
    }

    private static func stampOfRegularFile(_ descriptor: Int32, _ path: String) throws(GGUFError) -> FileStamp {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .path(path, .cannotOpen(SystemError.last)) }
        guard info.st_mode & S_IFMT == S_IFREG else { throw .path(path, .notAFile(fileKind(info.st_mode))) }
        guard let size = Int(exactly: info.st_size) else {
            throw .path(path, .tooLarge(bytes: UInt64(clamping: info.st_size)))
        }
        guard size > 0 else { throw .path(path, .empty) }
        return FileStamp(info)
    }

    /// What is at a path that a new file must not replace; `nil` if that is a regular file, or nothing.
    static func specialFile(at path: String) -> GGUFError.FileKind? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG else { return nil }
        return fileKind(info.st_mode)
    }

    private static func stamp(_ descriptor: Int32, _ path: String) throws(GGUFError) -> FileStamp {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .path(path, .cannotOpen(SystemError.last)) }
        return FileStamp(info)
    }

    private static func fileKind(_ mode: mode_t) -> GGUFError.FileKind {
        switch mode & S_IFMT {
        case S_IFDIR: .directory
        case S_IFIFO: .fifo
        case S_IFSOCK: .socket
        case S_IFCHR, S_IFBLK: .device
        default: .other
        }
    }
}
