import Foundation
import LeapEngine
import LeapToolSupport

/// Reads pictures and sounds that the user names.
enum MediaFile {
    /// A file's picture.
    static func picture(_ name: String) throws -> Picture { Picture(try bytes(name, "picture")) }

    /// A file's sound.
    static func sound(_ name: String) throws -> Sound { Sound(try bytes(name, "sound")) }

    /// A file's bytes. Its path may have the form in which a terminal inserts a dropped file: quoted, or with
    /// backslashes before spaces.
    private static func bytes(_ name: String, _ kind: String) throws -> Data {
        let path = FileManager.default.fileExists(atPath: name) ? name : dropped(name)
        // A file may have the name that stands for standard input.
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
