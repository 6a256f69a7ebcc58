import ArgumentParser
import Foundation
import LeapHub

/// What a command was given as a model: a file, or the name of a model that can be downloaded.
enum ModelName {
    case file(String)
    case reference(ModelReference)

    /// A file that exists, and what looks like a path, is a file; everything else is a name.
    ///
    /// - Throws: A usage error for a name that can be none.
    init(_ text: String) throws {
        let isName = text.hasPrefix("hf:") || text.contains("://")
        let looksLikePath = text.contains("/") || text.hasSuffix(".gguf") || text.hasSuffix(".bundle") || text.isEmpty
        if FileManager.default.fileExists(atPath: text) || (looksLikePath && !isName) {
            self = .file(text)
        } else {
            self = .reference(try Self.reference(text))
        }
    }

    /// A name.
    ///
    /// - Throws: A usage error for a name that can be none.
    static func reference(_ text: String) throws -> ModelReference {
        do { return try ModelReference(text) } catch { throw ValidationError("\(error)") }
    }
}
