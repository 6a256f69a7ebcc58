import Foundation
import LeapJSON
import LeapToolSupport

/// The schemas in a folder, `NAME.json`, with documents, `NAME.jsonl`: one text per line, as a JSON string, so that
/// whitespace is preserved.
struct SchemaCorpus {
    struct Entry {
        let name: String
        let schema: JSONValue
        let documents: [String]
    }

    /// By name.
    let entries: [Entry]

    init(folder: String) throws {
        let folder = URL(filePath: folder)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        entries = try files.filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.map(Self.entry)
        guard !entries.isEmpty else {
            throw CommandError(
                "\(folder.path) contains no schemas. Expected files NAME.json, each with a file NAME.jsonl of documents."
            )
        }
    }

    static func isFolder(_ path: String) -> Bool {
        (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    private static func entry(_ file: URL) throws -> Entry {
        let documents = file.deletingPathExtension().appendingPathExtension("jsonl")
        let lines = (try? Data(contentsOf: documents))?.split(separator: UInt8(ascii: "\n")) ?? []
        return Entry(
            name: file.deletingPathExtension().lastPathComponent, schema: try value(Data(contentsOf: file), in: file),
            documents: try lines.map { line in
                guard let text = try value(line, in: documents).string else {
                    throw CommandError(
                        "\(documents.path) must contain one JSON string per line: the text of a document.")
                }
                return text
            })
    }

    private static func value(_ data: Data, in file: URL) throws -> JSONValue {
        do { return try JSONValue(parsing: data) } catch { throw CommandError("\(file.path) is not JSON: \(error)") }
    }
}
