import Foundation
import LeapEngine
import LeapToolSupport

/// Reads pictures and sounds that a person names.
enum MediaFile {
    /// The picture of a file.
    static func picture(_ name: String) throws -> Picture { Picture(try bytes(name, "picture")) }

    /// The sound of a file.
    static func sound(_ name: String) throws -> Sound { Sound(try bytes(name, "sound")) }

    /// A file's bytes. Its path may be what a terminal makes of a file that is dropped on it: in quotes, or with backslashes before
    /// spaces.
    private static func bytes(_ name: String, _ kind: String) throws -> Data {
        let path = FileManager.default.fileExists(atPath: name) ? name : dropped(name)
        // A file may have the name by which standard input goes.
        do { return try InputFile.bytes(path == "-" ? "./-" : path) } catch {
            throw CommandError("the \(kind) \(error)")
        }
    }

    private static func dropped(_ name: String) -> String {
        for quote in ["'", "\""] where name.count > 1 && name.hasPrefix(quote) && name.hasSuffix(quote) {
            return String(name.dropFirst().dropLast())
        }
        var path = ""
        var isEscaped = false
        for character in name {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                path.append(character)
                isEscaped = false
            }
        }
        return path
    }
}
