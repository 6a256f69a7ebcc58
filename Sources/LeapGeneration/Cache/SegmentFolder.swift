import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files of a ``SegmentStore``: `KEY.kv`, and `KEY.kv.UNIQUE.PROCESS.tmp` while it is being written.
struct SegmentFolder: Sendable {
    private static let suffix = ".kv"
    private static let temporarySuffix = ".tmp"

    let path: String

    /// A call to the system that failed.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let path: String
        let code: CInt

        init(_ call: String, _ path: String, code: CInt = errno) {
            self.call = call
            self.path = path
            self.code = code
        }

        var description: String { "\(call) '\(path)': \(String(cString: strerror(code)))" }
    }

    /// Whether the system would take the path for what it says: a zero would end it early.
    private var isPath: Bool { !path.isEmpty && !path.utf8.contains(0) }

    func path(of key: SegmentKey) -> String { "\(path)/\(key.name)\(Self.suffix)" }

    func contains(_ key: SegmentKey) -> Bool { access(path(of: key), F_OK) == 0 }

    /// Removes a file, if it is there.
    func remove(_ path: String) { unlink(path) }

    /// Makes a file the last to be removed for want of room.
    func markAsUsed(_ key: SegmentKey) { utimensat(AT_FDCWD, path(of: key), nil, 0) }
}

// MARK: - Reading

extension SegmentFolder {
    /// The bytes of a file; `nil` where there is none, or something else than a file, as a link or a pipe; no bytes where it
    /// has another size than asked for, which may be absurd.
    func read(_ key: SegmentKey, byteCount: Int) -> Data? {
        guard isPath else { return nil }
        let descriptor = open(path(of: key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size == byteCount else { return Data() }
        var data = Data(count: byteCount)
        let isWhole = data.withUnsafeMutableBytes { buffer in
            var rest = UnsafeMutableRawBufferPointer(rebasing: buffer[...])
            while !rest.isEmpty {
                let count = Self.retrying { systemRead(descriptor, rest.baseAddress, rest.count) }
                guard count > 0 else { return false }
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
        return isWhole ? data : nil
    }

    /// Paths of all files, the one that was not used for longest first.
    func oldestFirst() -> [String] {
        names { $0.hasSuffix(Self.suffix) }
            .map { name in
                let path = path + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { return (time: [0, 0], path: path) }
                return (time: [status.modificationTime.tv_sec, status.modificationTime.tv_nsec], path: path)
            }
            .sorted { $0.time.lexicographicallyPrecedes($1.time) }
            .map(\.path)
    }

    private func names(where isWanted: (String) -> Bool) -> [String] {
        guard isPath, let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if isWanted(name) { names.append(name) }
        }
        return names
    }
}

// MARK: - Writing

extension SegmentFolder {
    /// Writes a file whole or not at all.
    ///
    /// - Parameter body: Calls its argument with the bytes, piece by piece.
    func write(_ key: SegmentKey, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        guard isPath else { throw Failure("open", path, code: ENOENT) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let target = path(of: key)
        let temporary = "\(target).\(UUID().uuidString).\(getpid())\(Self.temporarySuffix)"
        do {
            try writeFile(temporary, body)
            guard rename(temporary, target) == 0 else { throw Failure("rename", target) }
            try synchronizeFolder()
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func writeFile(
        _ path: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("open", path) }
        defer { close(descriptor) }
        try body { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Self.retrying { systemWrite(descriptor, rest.baseAddress, rest.count) }
                guard count > 0 else { throw Failure("write", path) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        guard fsync(descriptor) == 0 else { throw Failure("fsync", path) }
    }

    /// Brings the renaming to the disk.
    private func synchronizeFolder() throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("fsync", path) }
    }

    /// Removes what processes that are no more left unfinished.
    func removeAbandonedFiles() {
        for name in names(where: { $0.hasSuffix(Self.temporarySuffix) }) {
            let process = name.dropLast(Self.temporarySuffix.count).split(separator: ".").last.flatMap { pid_t($0) }
            if let process, kill(process, 0) == 0 || errno == EPERM { continue }
            unlink(path + "/" + name)
        }
    }

    /// Calls again what a signal interrupted.
    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// Members named `read` and `write` hide the functions of these names.
private let systemRead: @Sendable (CInt, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }
private let systemWrite: @Sendable (CInt, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }

extension stat {
    #if canImport(Darwin)
    fileprivate var modificationTime: timespec { st_mtimespec }
    #else
    fileprivate var modificationTime: timespec { st_mtim }
    #endif
}
