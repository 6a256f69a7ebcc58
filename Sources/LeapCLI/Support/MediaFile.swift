import Foundation
import LeapEngine
import LeapToolSupport

/// Reads pictures and sounds that a person names.
enum MediaFile {
    /// More is nothing that a model could take in.
    private static let limit = 256 << 20

    /// The picture of a file.
    static func picture(_ name: String) throws -> Picture { Picture(try bytes(name, "picture")) }

    /// The sound of a file.
    static func sound(_ name: String) throws -> Sound { Sound(try bytes(name, "sound")) }

    /// A file's bytes. Its path may be what a terminal makes of a file that is dropped on it: in quotes, or with backslashes before
    /// spaces.
    private static func bytes(_ name: String, _ kind: String) throws -> Data {
        let path = FileManager.default.fileExists(atPath: name) ? name : dropped(name)
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard size <= limit else {
            throw CommandError("'\(path)' has \(size) bytes: a \(kind) has at most \(limit)")
        }
        do { return try Data(contentsOf: URL(filePath: path)) } catch {
            throw CommandError("the \(kind) '\(path)' cannot be read: \(error.localizedDescription)")
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
