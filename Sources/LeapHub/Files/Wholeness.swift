import Foundation
import LeapGGUF

extension OpenFile {
    /// The most bytes that are read of a beginning; the metadata of large vocabularies have some ten million.
    private static let longestBeginning: Int64 = 256 << 20

    /// Answers a question from the beginning of a GGUF file, reading more of it until the answer is known.
    ///
    /// - Parameter limit: The most bytes that are read.
    /// - Returns: The answer; nil where so many bytes do not suffice.
    /// - Throws: What reading and the question throw.
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

    /// How a GGUF file is truncated, according to its own tensor table; nil if it is complete, or if that cannot be
    /// determined because it has another format or an unknown version.
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
    /// What the file of a name lacks; see ``OpenFile/missingEnd()``.
    func missingEnd(of name: FileName) throws(HubError) -> String? {
        try reading(name.text, follows: true)?.missingEnd()
    }
}

extension ModelStore {
    /// An error about the first file of a model that is not whole; nil if all are.
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
