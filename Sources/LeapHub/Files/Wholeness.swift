import Foundation
import LeapGGUF

extension OpenFile {
    /// The maximum number of bytes to read from the beginning; the metadata of large vocabularies takes about ten
    /// million.
    private static let longestBeginning: Int64 = 256 << 20

    /// Determines a value from the beginning of a GGUF file, reading more of it until the value is known.
    ///
    /// - Parameter limit: The maximum number of bytes to read.
    /// - Returns: The value; `nil` if that number of bytes does not suffice.
    /// - Throws: The errors of reading and of the closure.
    func ask<Value>(
        of size: Int64? = nil, upTo limit: Int64 = longestBeginning,
        _ question: (GGUFBeginning) throws -> GGUFBeginning.Answer<Value>
    ) throws -> Value? {
        let available = try status().size
        var length = min(available, 1 << 20)
        while length > 0 {
            let bytes = try read(first: Int(length))
            let beginning = try GGUFBeginning(bytes, of: size.map { Int($0) }, name: url.lastPathComponent)
            if case .value(let value) = try question(beginning) { return value }
            guard length < min(available, limit) else { return nil }
            length = min(length * 4, available, limit)
        }
        return nil
    }

    /// Describes how a GGUF file is truncated, according to its own tensor table; `nil` if it is complete, or if that
    /// cannot be determined because it has another format or an unknown version.
    func missingEnd() throws(HubError) -> String? {
        do {
            guard try read(first: 4).elementsEqual("GGUF".utf8) else { return nil }
            _ = try ask(of: status().size) { try $0.checkEnd() }
            return nil
        } catch let error as GGUFError {
            return error.isAboutEnd ? "\(error)" : nil
        } catch let error as HubError {
            throw error
        } catch {
            throw .file(url.path, "read", "\(error)")
        }
    }
}

extension Folder {
    /// Describes how the file with a name is truncated; see ``OpenFile/missingEnd()``.
    func missingEnd(of name: FileName) throws(HubError) -> String? {
        try reading(name.text, follows: true)?.missingEnd()
    }
}

extension ModelStore {
    /// Returns an error for the first incomplete file of a model; `nil` if all are complete.
    func missingEnd(of model: StoredModel) throws(HubError) -> HubError? {
        guard let folder = try folder(model.location, creates: false) else { return nil }
        for file in model.files {
            if let reason = try folder.missingEnd(of: file.name) {
                return .incomplete(model.folder.appending(path: file.name.text).path, reason)
            }
        }
        return nil
    }
}
