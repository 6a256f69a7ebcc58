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
/// Until then it stands beside its place under a temporary name, so that the last step is a rename within one file
/// system. It is removed if that step is never reached.
package final class NewFile {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var isCommitted = false

    package init(path: String) throws(GGUFError) {
        guard !path.utf8.contains(0) else { throw .path(path, .zeroByte) }
        // A rename would take the place of a device just as well.
        if let kind = OpenFile.specialFile(at: path) { throw .path(path, .notAFile(kind)) }
        let temporaryPath = path + ".partial-" + String(UInt32.random(in: .min ... .max), radix: 36)
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .write(file: path, .system(action: "create", .last)) }
        self.path = path
        self.temporaryPath = temporaryPath
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if !isCommitted { unlink(temporaryPath) }
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(GGUFError) {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .write(file: path, .system(action: "write", .last)) }
            done += count
        }
    }

    /// Removes a file that was committed.
    static func remove(_ path: String) { unlink(path) }

    /// Brings the data to the disk and gives the file its name.
    package func commit() throws(GGUFError) {
        guard fsync(descriptor) == 0 else { throw .write(file: path, .system(action: "save", .last)) }
        guard rename(temporaryPath, path) == 0 else {
            throw .write(file: path, .system(action: "rename", .last))
        }
        isCommitted = true
    }
}
