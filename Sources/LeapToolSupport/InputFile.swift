package import Foundation

/// Reads a small file that a flag names.
package enum InputFile {
    /// The maximum size of a prompt, template or message file: 256 MiB.
    private static let limit = 256 << 20
    /// How long a named pipe may lack a writer, in milliseconds.
    private static let patience = Int32(5_000)

    /// The bytes of a regular file or a pipe, such as a shell's `<(…)`; `-` is standard input.
    ///
    /// - Throws: ``CommandError`` for a folder, a device, or a missing, unreadable or oversized file.
    package static func bytes(_ path: String) throws(CommandError) -> Data {
        let isInput = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
        let data = isInput ? try Console.readInput(atMost: limit) : try contents(of: path)
        guard data.count <= limit else {
            throw CommandError("\(name(path)): too large: the limit is \(limit >> 20) MiB")
        }
        return data
    }

    /// The file's text; bytes that are not UTF-8 are an error.
    package static func text(_ path: String) throws(CommandError) -> String {
        guard let text = String(validating: try bytes(path), as: UTF8.self) else {
            throw CommandError("\(name(path)): not valid UTF-8 text")
        }
        return text
    }

    /// The file's text without the newline at the end of its last line, which belongs to the file, not to the prompt.
    package static func prompt(_ path: String) throws(CommandError) -> String {
        let text = try text(path)
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }

    private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    private static func contents(of path: String) throws(CommandError) -> Data {
        if let objection = objection(to: path) { throw CommandError("\(path): \(objection)") }
        do throws(SystemFailure) {
            // `O_NONBLOCK`, so that opening a named pipe does not wait for a writer that may never come.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw SystemFailure() }
            defer { close(descriptor) }
            if let first = try firstBytes(of: descriptor) {
                return first + (try Descriptor.readToEnd(descriptor, atMost: limit))
            }
        } catch {
            throw CommandError("\(path): cannot be read: \(error)")
        }
        throw CommandError("\(path): no process is writing to this pipe")
    }

    /// Waits for a pipe's writer; after that, reads wait for data.
    ///
    /// - Returns: The data read meanwhile; `nil` if no writer came.
    private static func firstBytes(of descriptor: Int32) throws(SystemFailure) -> Data? {
        var first = Data()
        if FileKind(descriptor: descriptor) == .pipe, !Descriptor.isReadable(descriptor, within: patience) {
            // If a writer has opened the pipe but written nothing, there are no bytes yet; without a writer this is the
            // end.
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count == 0 { return nil }
            if count == 1 { first.append(byte) }
        }
        guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw SystemFailure() }
        return first
    }

    /// Why a path cannot be read; `nil` if it can.
    private static func objection(to path: String) -> String? {
        guard let kind = FileKind(path: path) else {
            let code = errno
            return code == ENOENT ? "no such file" : "cannot be read: \(SystemFailure(code: code))"
        }
        switch kind {
        case .regular, .pipe, .socket: return nil
        case .directory: return "expected a file, found a folder"
        case .other: return "not a regular file"
        }
    }
}

/// The kind of file at a path or a descriptor.
package enum FileKind: Sendable {
    case regular, directory, pipe, socket
    /// A terminal or another device.
    case other

    /// The kind of file at a path; `nil` if there is none, or it cannot be determined: see `errno`.
    package init?(path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(mode: info.st_mode)
    }

    /// The kind of an open descriptor; `nil` if it is not open.
    package init?(descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(mode: info.st_mode)
    }

    private init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFIFO: self = .pipe
        case S_IFSOCK: self = .socket
        default: self = .other
        }
    }
}
