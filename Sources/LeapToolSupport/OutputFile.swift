package import Foundation

/// Writes a file that a flag names.
package enum OutputFile {
    /// Writes the file atomically: a failure leaves the previous contents. Anything that is not a regular file, such as
    /// a device, a FIFO or a link (including `/dev/stdout`), is written to and never replaced.
    package static func write(_ data: Data, to path: String) throws(CommandError) {
        do throws(SystemFailure) {
            if isSpecial(path) { try overwrite(path, with: data) } else { try replace(path, with: data) }
        } catch {
            throw CommandError("\(path): cannot be written: \(error)")
        }
    }

    /// Rejects a path that cannot be written, before anything is computed for it.
    package static func check(_ path: String) throws(CommandError) {
        guard path != "-" else {
            throw CommandError("'-' is not supported here: give a file, or /dev/stdout for standard output")
        }
        if isSpecial(path) { try checkAccess(path, path) } else { try checkFolder(of: path) }
    }

    /// Rejects a path in whose folder no temporary file can be created, which would then be renamed to the path.
    package static func checkFolder(of path: String) throws(CommandError) {
        // The dot distinguishes a folder from a file.
        try checkAccess(path, folder(of: path) + "/.")
    }

    private static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }

    private static func checkAccess(_ path: String, _ place: String) throws(CommandError) {
        guard access(place, W_OK) != 0 else { return }
        throw CommandError("\(path): cannot be written: \(SystemFailure())")
    }

    private static func isSpecial(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
    }

    private static func overwrite(_ path: String, with data: Data) throws(SystemFailure) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        try Descriptor.write(data, to: descriptor)
    }

    /// Writes a temporary file next to `path` and renames it, which is atomic for readers.
    private static func replace(_ path: String, with data: Data) throws(SystemFailure) {
        // The name does not contain that of the file, which may be as long as the file system allows.
        let temporary = folder(of: path) + "/.\(UUID().uuidString).incomplete"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemFailure() }
        do throws(SystemFailure) {
            defer { close(descriptor) }
            try Descriptor.write(data, to: descriptor)
            guard rename(temporary, path) == 0 else { throw SystemFailure() }
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
