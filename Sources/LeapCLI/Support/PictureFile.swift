import Foundation
import LeapEngine
import LeapToolSupport

/// Reads pictures that a person names.
enum PictureFile {
    /// More is no picture that a model could look at.
    private static let limit = 256 << 20

    /// The picture of a file, whose path may be what a terminal makes of a file that is dropped on it: in quotes, or with
    /// backslashes before spaces.
    static func read(_ name: String) throws -> Picture {
        let path = FileManager.default.fileExists(atPath: name) ? name : dropped(name)
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        guard size <= limit else {
            throw CommandError("'\(path)' has \(size) bytes: pictures have at most \(limit)")
        }
        do { return Picture(try Data(contentsOf: URL(filePath: path))) } catch {
            throw CommandError("the picture '\(path)' cannot be read: \(error.localizedDescription)")
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
