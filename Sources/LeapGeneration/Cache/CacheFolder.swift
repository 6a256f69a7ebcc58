import Foundation
import LeapDigest
import LeapGGUF

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a ``SegmentStore``: a file for every segment, `KEY.kv`, and one for every large model, `KEY.id`. Files of
/// other names are somebody else's and are left alone.
struct CacheFolder: Sendable {
    let path: String
    /// Called before a file is written. Tests throw what the system would.
    var beforeWriting: @Sendable () throws -> Void = {}

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

        var description: String { "\(call) '\(path)': \(SystemError(code: code))" }
    }

    /// Whether the path can be passed to C: a zero byte would end it early.
    private var isPath: Bool { !path.isEmpty && !path.utf8.contains(0) }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    /// Removes a file, if it exists.
    func remove(_ name: String) { unlink(path(of: name)) }

    /// Sets a file's time of use.
    ///
    /// - Returns: Whether there is such a file.
    @discardableResult
    func markAsUsed(_ name: String, at time: UseTime = .now) -> Bool {
        guard isPath else { return false }
        let times = [time.specification, time.specification]
        // The target of a link that was planted is not ours to change.
        return utimensat(AT_FDCWD, path(of: name), times, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT
    }

    /// When a file was used last; `nil` if there is none.
    func lastUse(of name: String) -> UseTime? { isPath ? entry(name)?.lastUse : nil }
}

// MARK: - Reading

extension CacheFolder {
    /// The bytes of a file. `nil` if it does not exist or is not a regular file, but a link or a pipe; empty if its size is
    /// none of the expected ones, so that a file of absurd size is never read.
    func read(_ name: String, byteCounts: [Int]) -> Data? {
        guard isPath else { return nil }
        let descriptor = open(path(of: name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let byteCount = byteCounts.first(where: { $0 == status.st_size }) else { return Data() }
        var data = Data(count: byteCount)
        let isWhole = data.withUnsafeMutableBytes { buffer in
            var rest = UnsafeMutableRawBufferPointer(rebasing: buffer[...])
            while !rest.isEmpty {
                // Darwin refuses to read 2 GiB and more in one call.
                let wanted = min(rest.count, SystemCall.largestTransfer)
                let count = Self.retrying { systemRead(descriptor, rest.baseAddress, wanted) }
                guard count > 0 else { return false }
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
        return isWhole ? data : nil
    }

    /// A file, and what it takes.
    struct Entry {
        let name: String
        let byteCount: Int
        let lastUse: UseTime

        /// Whether it was used before some time. A time in the future is that of a clock that was ahead: it says nothing, and
        /// without this no other file would ever count as newer.
        func wasUsed(before time: UseTime) -> Bool { lastUse < time || lastUse > .latest }
    }

    /// All files of the cache with a suffix, the one that was not used for longest first, after those whose last use is in
    /// the future. Files that another process removes meanwhile are left out.
    func oldestFirst(_ suffix: String) -> [Entry] {
        let latest = UseTime.latest
        return entries { Self.isKey($0, suffix) }.sorted { one, other in
            // Segments of the future, too, go before those that they need.
            (one.lastUse > latest ? 0 : 1, one.lastUse) < (other.lastUse > latest ? 0 : 1, other.lastUse)
        }
    }

    private func entries(where isWanted: (String) -> Bool) -> [Entry] {
        names(where: isWanted).compactMap(entry)
    }

    private func entry(_ name: String) -> Entry? {
        var status = stat()
        guard lstat(path(of: name), &status) == 0 else { return nil }
        return Entry(name: name, byteCount: Int(status.st_size), lastUse: UseTime(status.modificationTime))
    }

    /// Removes the least recently used files of the cache with a suffix until the caps are met. Another process may do the
    /// same at the same time; a file that is gone already does no harm.
    ///
    /// - Returns: What is left.
    @discardableResult
    func removeOldest(_ suffix: String, maxEntries: Int, maxBytes: Int = .max) -> (count: Int, byteCount: Int) {
        let entries = oldestFirst(suffix)
        var left = (count: entries.count, byteCount: entries.reduce(0) { $0 + $1.byteCount })
        for entry in entries where left.count > maxEntries || left.byteCount > maxBytes {
            remove(entry.name)
            left = (left.count - 1, left.byteCount - entry.byteCount)
        }
        return left
    }

    /// Removes the least recently used files of the cache with a suffix until some bytes are freed.
    ///
    /// - Parameter time: Files that were used then, or later, are kept.
    /// - Returns: Whether any was removed.
    func free(_ byteCount: Int, _ suffix: String, usedBefore time: UseTime) -> Bool {
        var freed = 0
        let old = oldestFirst(suffix).prefix { $0.wasUsed(before: time) }
        for entry in old where freed < byteCount {
            remove(entry.name)
            freed += entry.byteCount
        }
        return freed > 0
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

extension CacheFolder {
    /// Writes a file whole or not at all.
    ///
    /// - Parameter body: Calls its argument with the bytes, piece by piece.
    func write(_ name: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        guard isPath else { throw Failure("open", path, code: ENOENT) }
        try make()
        try beforeWriting()
        // A link of this name was planted: its target is not ours to replace.
        let file = try NewFile(path: path(of: name), followsLinks: false, mode: 0o600)
        try body(file.append)
        // What a power failure loses is computed again.
        try file.commit(durably: false)
    }

    /// Creates the folder and its parents if they do not exist.
    private func make() throws {
        for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o777) }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Failure("mkdir", path) }
    }

    /// Removes the temporary files of processes that were killed while they wrote.
    func removeAbandonedFiles() {
        let time = UseTime.now.behind(seconds: Self.writingTime)
        for file in entries(where: Self.isTemporary) where file.wasUsed(before: time) { remove(file.name) }
    }

    /// Seconds without a write after which a temporary file counts as abandoned.
    private static let writingTime = 3600

    /// Calls again what a signal interrupted.
    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// MARK: - Names

extension CacheFolder {
    /// Whether a name is a key of the cache's with a suffix.
    private static func isKey(_ name: some StringProtocol, _ suffix: String) -> Bool {
        let digits = 2 * SHA256.byteCount
        return name.utf8.count == digits + suffix.utf8.count && name.hasSuffix(suffix)
            && name.utf8.prefix(digits).allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// Whether a name is that of a file which does not have its own yet.
    private static func isTemporary(_ name: String) -> Bool {
        guard let infix = name.range(of: NewFile.temporaryInfix) else { return false }
        return [SegmentKey.suffix, DigestNote.suffix].contains { isKey(name[..<infix.lowerBound], $0) }
    }
}

// A member named `read` hides the function of this name.
private let systemRead: @Sendable (CInt, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }

extension stat {
    #if canImport(Darwin)
    fileprivate var modificationTime: timespec { st_mtimespec }
    #else
    fileprivate var modificationTime: timespec { st_mtim }
    #endif
}
