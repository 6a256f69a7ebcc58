#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A file that appears under its name when it is complete.
///
/// If the system supports it, the file has no name until then, so nothing is left over however the process ends;
/// otherwise it has a temporary name in the same folder, which is removed unless the file is committed. The last step
/// is a rename within one file system.
package final class NewFile {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var hasTemporaryName: Bool

    /// What a temporary name has between the beginning of the file's own and some letters by chance.
    package static let temporaryInfix = ".partial-"

    /// - Parameters:
    ///   - path: Its name. Where that is a symbolic link, the file that it leads to is replaced.
    ///   - followsLinks: Otherwise the link itself is.
    ///   - mode: Who may read and write it, before the process's mask.
    /// - Throws: ``GGUFError`` where the file could not be created under this name.
    package init(path: String, followsLinks: Bool = true, mode: UInt16 = 0o644) throws(GGUFError) {
        let path = try Self.place(of: path, followsLinks: followsLinks)
        // A rename would silently replace a device, too.
        if let kind = OpenFile.specialFile(at: path) { throw .path(path, .notAFile(kind)) }
        let temporaryPath = Self.temporaryPath(beside: path)
        var descriptor = Self.openNameless(beside: path, mode_t(mode))
        hasTemporaryName = descriptor < 0
        if descriptor < 0 { descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode)) }
        guard descriptor >= 0 else { throw .write(file: path, .system(action: "create", .last)) }
        self.path = path
        self.temporaryPath = temporaryPath
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if hasTemporaryName { unlink(temporaryPath) }
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(GGUFError) {
        var done = 0
        while done < bytes.count {
            let wanted = min(bytes.count - done, SystemCall.largestTransfer)
            let count = write(descriptor, bytes.baseAddress.map { $0 + done }, wanted)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .write(file: path, .system(action: "write", .last)) }
            done += count
        }
    }

    /// Removes a file that was committed.
    static func remove(_ path: String) { unlink(path) }

    /// Gives the file its name, after its data are on the disk, and brings that there too.
    ///
    /// - Parameter durably: Otherwise the data are only given to the disk, and nothing waits for the name: a power
    ///   failure may lose the file. For what can be made again, or is written often.
    package func commit(durably: Bool = true) throws(GGUFError) {
        guard DiskSync.file(descriptor, durably: durably) else {
            throw .write(file: path, .system(action: "save", .last))
        }
        try giveTemporaryName()
        guard rename(temporaryPath, path) == 0 else {
            throw .write(file: path, .system(action: "rename", .last))
        }
        hasTemporaryName = false
        if durably { try synchronizeFolder() }
    }

    private func synchronizeFolder() throws(GGUFError) {
        let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written to but not read cannot be opened, and so not synced.
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard DiskSync.folder(folder) else { throw .write(file: path, .system(action: "save", .last)) }
    }

    /// The file that would be written: a path, or where it leads as a symbolic link.
    ///
    /// - Throws: ``GGUFError`` for a path that cannot be that of a file, because it is empty or a name in it is too long, and
    ///   for a cycle of links.
    package static func place(of path: String, followsLinks: Bool = true) throws(GGUFError) -> String {
        guard !path.utf8.contains(0) else { throw .path(path, .zeroByte) }
        guard !path.isEmpty else { throw .write(file: path, .system(action: "create", SystemError(code: ENOENT))) }
        let place = followsLinks ? try end(ofLinksFrom: path) : path
        // Without a name of its own the file would be written as a whole before this is found.
        var info = stat()
        guard lstat(place, &info) == 0 || errno != ENAMETOOLONG else {
            throw .write(file: place, .system(action: "create", .last))
        }
        return place
    }

    /// A name in the same folder. It begins like the file's, so that what a killed process leaves can be told, but is no longer
    /// than names may be.
    private static func temporaryPath(beside path: String) -> String {
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        var name = ""
        for scalar in path[nameStart...].unicodeScalars {
            guard name.utf8.count + UTF8.width(scalar) <= longestBeginning else { break }
            name.unicodeScalars.append(scalar)
        }
        return String(path[..<nameStart]) + name + temporaryInfix + String(UInt32.random(in: .min ... .max), radix: 36)
    }

    /// Bytes of the file's name in a temporary one: all of it, for files of the caches.
    private static let longestBeginning = 100

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    /// Where symbolic links lead, from one to the next; there need not be a file.
    private static func end(ofLinksFrom path: String) throws(GGUFError) -> String {
        var end = path
        // As many as Linux follows. A longer chain or a cycle is an error, because the rename would replace a link.
        for _ in 0...40 {
            guard let target = target(ofLink: end) else { return end }
            end = target.hasPrefix("/") || !end.contains("/") ? target : folder(of: end) + target
        }
        throw .write(file: path, .system(action: "create", SystemError(code: ELOOP)))
    }

    /// The target of a symbolic link; `nil` for anything else.
    private static func target(ofLink path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            buffer.withMemoryRebound(to: CChar.self) {
                count = $0.baseAddress.map { max(0, readlink(path, $0, buffer.count)) } ?? 0
            }
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    #if os(Linux) || os(Android)
    /// A file without a name in the folder of a path; negative where the file system has none, or could not name it later.
    private static func openNameless(beside path: String, _ mode: mode_t) -> Int32 {
        // O_TMPFILE, which Swift does not see.
        let nameless: Int32 = 0o20_000_000 | O_DIRECTORY
        let descriptor = open(folder(of: path), nameless | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0, access(link(to: descriptor), F_OK) != 0 else { return descriptor }
        close(descriptor)
        return -1
    }

    /// What the system names an open file by.
    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private func giveTemporaryName() throws(GGUFError) {
        guard !hasTemporaryName else { return }
        guard linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, temporaryPath, AT_SYMLINK_FOLLOW) == 0 else {
            throw .write(file: path, .system(action: "name", .last))
        }
        hasTemporaryName = true
    }
    #else
    private static func openNameless(beside path: String, _ mode: mode_t) -> Int32 { -1 }

    private func giveTemporaryName() throws(GGUFError) {}
    #endif
}
