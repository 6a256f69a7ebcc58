import ArgumentParser
import Foundation
package import LeapHub
import LeapJSON

/// A command's model argument: a file, or the name of a model that can be downloaded.
package enum ModelName: Hashable, Sendable {
    /// A file on this machine.
    case file(String)
    /// A model by its name, its repository or its manifest.
    case reference(ModelReference)
    /// One file of a Hugging Face repository: the repository, and the file's path in it.
    case repositoryFile(String, path: String)

    /// An existing file is a file, and a text that looks like a path is a missing file; everything else is a name.
    ///
    /// - Throws: ``CommandError`` for a missing file, a usage error for an invalid name.
    package init(_ text: String) throws {
        if FileManager.default.fileExists(atPath: text) {
            self = .file(text)
        } else if Self.looksLikePath(text) {
            throw MissingFile(path: text).error
        } else {
            self = .reference(try Self.reference(text))
        }
    }

    /// A name.
    ///
    /// - Throws: A usage error for an invalid name.
    package static func reference(_ text: String) throws -> ModelReference {
        if text.contains(where: \.isWhitespace) {
            throw ValidationError(
                "'\(text)' is not a model name, which has no spaces. Give a prompt after the model, or with -p.")
        }
        do { return try ModelReference(text) } catch {
            let hint =
                !text.hasPrefix("hf:") && isLikeRepository(text)
                ? ". For a Hugging Face repository, write hf:\(text)" : ""
            throw ValidationError("\(error)\(hint)")
        }
    }

    /// A Hugging Face repository, as in `owner/name:Q4_K_M`.
    ///
    /// - Throws: A usage error for an invalid name.
    package static func repository(_ text: String) throws -> ModelName {
        .reference(try reference(text.hasPrefix("hf:") ? text : "hf:" + text))
    }

    private static func looksLikePath(_ text: String) -> Bool {
        if text.hasPrefix("hf:") || text.contains("://") { return false }
        return text.contains("/") || text.hasPrefix("~") || text.hasSuffix(".gguf") || text.hasSuffix(".bundle")
    }

    /// Whether a text has the form `owner/name` of Hugging Face.
    static func isLikeRepository(_ text: String) -> Bool {
        guard !text.hasSuffix(".gguf"), case .repository? = try? ModelReference("hf:" + text) else { return false }
        return true
    }
}

extension ModelName: CustomStringConvertible {
    /// The path or the name.
    package var description: String {
        switch self {
        case .file(let path): path
        case .reference(let reference): "\(reference)"
        case .repositoryFile(let repository, let path): "hf:\(repository)/\(path)"
        }
    }
}

/// A file that the user named and that does not exist.
struct MissingFile {
    let path: String

    /// The error, with suggestions for what the user may have meant.
    var error: CommandError {
        CommandError("'\(path)': no such file" + (advice.map { ". \($0)" } ?? ""))
    }

    private var advice: String? {
        if ModelName.isLikeRepository(path) {
            return "For a Hugging Face repository, write hf:\(path) or -hf \(path)"
        }
        if path.hasPrefix("~") { return "The shell expands a tilde only if it is not quoted" }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard FileKind(path: folder) != nil else { return "The folder '\(folder)' does not exist" }
        return neighbours(in: folder)
    }

    /// The models in the folder with the most similar names.
    private func neighbours(in folder: String) -> String? {
        // A folder that cannot be listed gives no suggestions.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let wanted = URL(filePath: path).lastPathComponent
        let nearest = names.filter { $0.hasSuffix(".gguf") }.nearest(to: wanted).prefix(4)
        guard let first = nearest.first else { return nil }
        let isMeant = [Self.stem(first)].closest(to: Self.stem(wanted)) != nil
        let others = (isMeant ? nearest.dropFirst() : nearest).map { "'\($0)'" }
        let meant = isMeant ? "Did you mean '\(first)'?" : ""
        guard !others.isEmpty else { return meant }
        let there = "There \(others.count == 1 ? "is" : "are")\(isMeant ? " also" : "")"
        return "\(meant) \(there) \(others.joined(separator: ", "))".trimmingCharacters(in: .whitespaces)
    }

    /// A file's name without what all have in common.
    private static func stem(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".gguf") ? String(name.dropLast(5)) : name
    }
}
