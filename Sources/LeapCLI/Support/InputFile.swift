import Foundation

/// Reads a small file that a flag names.
enum InputFile {
    /// The most that a prompt, template or message file may have: 256 MiB.
    private static let limit = 256 << 20

    /// The bytes of a regular file, or of standard input for `-`.
    ///
    /// - Throws: ``CommandError`` for a directory, a FIFO, a missing, unreadable or immense file.
    static func bytes(_ path: String) throws -> Data {
        if path == "-" { return try Console.readInput() }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CommandError("\(path): no such file")
        }
        guard !isDirectory.boolValue else { throw CommandError("\(path): is a directory, but a file is needed") }
        let attributes = try FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw CommandError("\(path): is not a regular file")
        }
        guard let size = attributes[.size] as? Int, size <= limit else {
            throw CommandError("\(path): is larger than \(limit >> 20) MiB")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path): cannot be read")
        }
        return data
    }

    /// The file's text; bytes that are not UTF-8 are an error.
    static func text(_ path: String) throws -> String {
        let data = try bytes(path)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandError("\(path): is not UTF-8 text")
        }
        return text
    }
}

/// A failure that a command reports in its own words.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
