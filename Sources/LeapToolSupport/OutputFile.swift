package import Foundation
import LeapGGUF

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

    /// Also rejects a path that is one of the files that are read for it.
    package static func check(_ path: String, inputs: [String]) throws(CommandError) {
        try check(path)
        try refuse(path, among: inputs)
    }

    /// Rejects a path that is one of some files, under whatever name.
    package static func refuse(_ path: String, among inputs: [String]) throws(CommandError) {
        guard inputs.contains(where: { isSame($0, path) }) else { return }
        throw CommandError("\(path) is also an input file: write to another file.")
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
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

    /// Writes a new file that gets the name once it is complete and was given to the disk.
    private static func replace(_ path: String, with data: Data) throws(SystemFailure) {
        do {
            let file = try NewFile(path: path, followsLinks: false, mode: 0o666)
            try data.withUnsafeBytes { try file.append($0) }
            // Once it has its name it is written, even if the folder cannot be synced.
            try file.commit(durably: false)
        } catch GGUFError.write(_, .system(_, let error)) {
            throw SystemFailure(code: error.code)
        } catch {
            // A path that no file can have.
            throw SystemFailure(code: EINVAL)
        }
    }
}
