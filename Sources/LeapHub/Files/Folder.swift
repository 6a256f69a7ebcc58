import Foundation
import LeapDigest
import LeapGGUF

/// An open folder. Everything in it is opened, renamed and removed relative to the open folder and without following
/// symbolic links, so that nothing planted in a cache can redirect a download.
final class Folder: Sendable {
    /// The path of the folder, for messages and readers.
    let url: URL
    private let descriptor: CInt

    /// Opens the folder below a root that a path of names leads to.
    ///
    /// - Parameters:
    ///   - root: Chosen by the user: symbolic links on the way to it are followed.
    ///   - creates: Whether missing folders are made; otherwise a missing one gives `nil`.
    /// - Throws: ``HubError/file(_:_:_:)``, also for a symbolic link below the root.
    static func open(_ path: [FileName] = [], in root: URL, creates: Bool) throws(HubError) -> Folder? {
        if creates { try create(root) }
        let descriptor = Foundation.open(root.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT, !creates { return nil }
            throw .system(root, "open the folder")
        }
        var folder = Folder(root, descriptor)
        for name in path {
            guard let next = try folder.subfolder(name.text, creates: creates) else { return nil }
            folder = next
        }
        return folder
    }

    private static func create(_ root: URL) throws(HubError) {
        do {
            #if canImport(Darwin)
            let isNew = !FileManager.default.fileExists(atPath: root.path)
            #endif
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            #if canImport(Darwin)
            // Gigabytes that can be downloaded again have no place in a backup. Whoever made the folder has decided for it.
            if isNew {
                var (root, values) = (root, URLResourceValues())
                values.isExcludedFromBackup = true
                // Not every file system can store this; the models are of use even so.
                try? root.setResourceValues(values)
            }
            #endif
        } catch {
            throw .file(root.path, "create the folder", error.localizedDescription)
        }
    }

    private init(_ url: URL, _ descriptor: CInt) {
        self.url = url
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private func subfolder(_ name: String, creates: Bool) throws(HubError) -> Folder? {
        let url = url.appending(path: name, directoryHint: .isDirectory)
        if creates, mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST {
            throw .system(url, "create the folder")
        }
        let next = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard next >= 0 else {
            if errno == ENOENT, !creates { return nil }
            // A link gives ENOTDIR here where it leads to a folder.
            if errno == ELOOP || errno == ENOTDIR {
                throw .file(url.path, "open the folder", "it is a symbolic link or a file")
            }
            throw .system(url, "open the folder")
        }
        return Folder(url, next)
    }
}

extension Folder {
    /// Opens a file for reading and writing, and creates it if necessary. Never blocks, even if the name belongs to a
    /// pipe.
    ///
    /// - Parameter mode: The permissions of a new file, before the process's umask.
    /// - Throws: ``HubError/file(_:_:_:)``, also for a symbolic link.
    func openFile(_ name: String, mode: mode_t = 0o666) throws(HubError) -> OpenFile {
        try open(name, O_CREAT, mode)
    }

    /// Creates a file for reading and writing; `nil` if the name is taken.
    func makeFile(_ name: String) throws(HubError) -> OpenFile? {
        do {
            return try open(name, O_CREAT | O_EXCL, 0o666)
        } catch {
            if status(name, follows: false) != nil { return nil }
            throw error
        }
    }

    private func open(_ name: String, _ flags: CInt, _ mode: mode_t) throws(HubError) -> OpenFile {
        let url = url.appending(path: name)
        let file = openat(descriptor, name, O_RDWR | flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
        guard file >= 0 else {
            if errno == ELOOP { throw .file(url.path, "write", "it is a symbolic link") }
            throw .system(url, "open")
        }
        return OpenFile(file, url)
    }

    /// Returns the bytes of a small file; `nil` if it does not exist, is not a regular file, or has more than `limit`
    /// bytes.
    func read(_ name: String, limit: Int = ModelManifest.maximumSize) throws(HubError) -> Data? {
        try reading(name, follows: false)?.contents(upTo: limit)
    }

    /// Opens a regular file for reading; `nil` if it does not exist or is not a regular file.
    ///
    /// - Parameter follows: Whether to follow a symbolic link; if not, it does not count as a regular file.
    func reading(_ name: String, follows: Bool) throws(HubError) -> OpenFile? {
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
        return try OpenFile.regular(openat(descriptor, name, flags, 0), url.appending(path: name))
    }

    /// Writes a small file atomically.
    ///
    /// - Parameter mode: The permissions of the file, before the process's umask.
    func write(_ bytes: Data, to name: String, mode: mode_t = 0o666) throws(HubError) {
        let temporary = ".\(name).\(UUID().uuidString)"
        do {
            let file = try openFile(temporary, mode: mode)
            try file.write(bytes, at: 0)
            // What a power failure loses is written again by the next download.
            try file.sync(durably: false)
            try rename(temporary, to: name)
        } catch {
            remove(temporary)
            throw error
        }
    }

    /// Renames a file, replacing any other file or symbolic link, and syncs the folder to disk, where that is supported.
    ///
    /// - Parameter durably: Whether the cache of the disk must not keep the name either; see `DiskSync`.
    func rename(_ name: String, to target: String, durably: Bool = false) throws(HubError) {
        guard renameat(descriptor, name, descriptor, target) == 0 else {
            throw .system(url.appending(path: target), "rename a file to this name")
        }
        guard DiskSync.folder(descriptor, durably: durably) else { throw .system(url, "sync the folder to disk") }
    }

    /// Creates a symbolic link, replacing any other file.
    func link(_ name: String, to target: URL) throws(HubError) {
        let temporary = ".\(name).\(UUID().uuidString)"
        guard symlinkat(target.path, descriptor, temporary) == 0 else {
            throw .system(url.appending(path: name), "create a link")
        }
        try rename(temporary, to: name)
    }

    /// Removes whatever has a name that is needed for a file.
    ///
    /// - Throws: ``HubError/file(_:_:_:)`` if that is not possible.
    func clear(_ name: String) throws(HubError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .system(url.appending(path: name), "remove")
        }
    }

    /// Removes a file, if it exists.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Returns a file's size and identity; `nil` if it does not exist. If `follows`, symbolic links are followed.
    func status(_ name: String, follows: Bool) -> FileStatus? {
        var status = stat()
        guard fstatat(descriptor, name, &status, follows ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(status)
    }

    /// Returns the names of everything in the folder, sorted.
    func names() throws(HubError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        } catch {
            throw .file(url.path, "list", error.localizedDescription)
        }
    }
}

extension HubError {
    /// The system's last error.
    static func system(_ url: URL, _ action: String) -> HubError {
        .file(url.path, action, SystemError(code: errno).description)
    }
}

extension Folder {
    /// Returns the SHA-256 of a file as hexadecimal digits; `nil` if it does not exist. Links are followed, because our
    /// own lead into other caches.
    ///
    /// - Throws: ``HubError``, or `CancellationError`.
    func sha256(of name: String) throws -> String? {
        try reading(name, follows: true)?.hash().finalize().hexadecimal
    }
}
