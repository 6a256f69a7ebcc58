import Foundation
package import LeapJSON

/// A folder with a model in the layout of Hugging Face's libraries.
package struct ModelFolder: Sendable {
    package let path: String

    /// The largest JSON document: tokenizers of 250,000 tokens have about thirty million bytes.
    private static let jsonLimit = 256 << 20
    /// The largest chat template.
    private static let textLimit = 4 << 20
    /// How much is read of a text for people.
    private static let beginningLength = 1 << 20

    /// - Throws: ``ConversionError`` if there is no folder, or it does not contain a model.
    package init(path: String) throws(ConversionError) {
        self.path = path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .file(path: path, problem: "no such folder")
        }
        guard isFolder.boolValue else {
            throw .file(path: path, problem: "is a file: expected a folder with config.json")
        }
        guard Self.isModelFolder(path) else { throw .missingFile(folder: path, expected: "config.json") }
    }

    /// Whether a path is a folder with a `config.json`.
    package static func isModelFolder(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/config.json")
    }

    /// The last part of the folder's path.
    package var name: String { URL(filePath: path).standardizedFileURL.lastPathComponent }

    func file(_ name: String) -> String { path + "/" + name }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    /// Whether a name refers to a file in the same folder, and nowhere else.
    static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
            && !name.contains("\\")
    }

    /// A document; `nil` if there is no such file. Its numbers may be infinite or NaN: such a number is an error where a
    /// finite one is needed, and of no importance elsewhere.
    package func jsonIfPresent(_ name: String) throws(ConversionError) -> JSONValue? {
        guard has(name) else { return nil }
        let data = try read(name, limit: Self.jsonLimit)
        do throws(JSONError) {
            return try JSONValue(parsingPython: data)
        } catch {
            throw .file(path: file(name), problem: "is not valid JSON: \(error)")
        }
    }

    /// The members of an object within a document, with their exact spelling; see `JSONParser.members(at:)`.
    func members(of name: String, at path: [String]) throws(ConversionError) -> [(key: String, value: JSONValue)]? {
        var parser = JSONParser(bytes: try read(name, limit: Self.jsonLimit), readsNonFiniteNumbers: true)
        do throws(JSONError) {
            return try parser.members(at: path[...])
        } catch {
            throw .file(path: file(name), problem: "is not valid JSON: \(error)")
        }
    }

    package func json(_ name: String) throws(ConversionError) -> JSONValue {
        guard let value = try jsonIfPresent(name) else { throw .missingFile(folder: path, expected: name) }
        return value
    }

    /// A text; `nil` if there is no such file.
    func textIfPresent(_ name: String) throws(ConversionError) -> String? {
        guard has(name) else { return nil }
        guard let text = String(validating: try read(name, limit: Self.textLimit), as: UTF8.self) else {
            throw .file(path: file(name), problem: "is not valid UTF-8")
        }
        return text
    }

    /// Bytes; `nil` if there is no such file.
    func bytesIfPresent(_ name: String) throws(ConversionError) -> [UInt8]? {
        has(name) ? try read(name, limit: Self.jsonLimit) : nil
    }

    /// The first mebibyte of a text for people, which may have any encoding and size; `nil` for anything that cannot be
    /// read.
    func beginning(of name: String) -> String? {
        guard size(of: name) != nil, let file = FileHandle(forReadingAtPath: file(name)) else { return nil }
        defer { try? file.close() }
        return (try? file.read(upToCount: Self.beginningLength)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Bytes of a regular file; `nil` for anything else.
    private func size(of name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: file(name)).resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    private func read(_ name: String, limit: Int) throws(ConversionError) -> [UInt8] {
        let path = file(name)
        guard let size = size(of: name) else { throw .file(path: path, problem: "expected a regular file") }
        guard size <= limit else {
            throw .file(path: path, problem: "has \(size) bytes; the limit for this file is \(limit)")
        }
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .file(path: path, problem: "cannot be read: \(error.localizedDescription)")
        }
        guard !bytes.starts(with: ConversionError.pointerBeginning) else { throw .gitLFSPointer(path: path) }
        return bytes
    }
}
