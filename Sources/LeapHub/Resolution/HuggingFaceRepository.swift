import LeapJSON
import Foundation
import LeapGGUF
import LeapHTTP

/// The files of a repository of Hugging Face.
struct HuggingFaceRepository {
    /// As in `LiquidAI/LFM2-1.2B-GGUF`.
    let name: String
    /// The commit that was listed, or `main`: all files are read at the same one.
    let revision: String
    let entries: [Entry]
    /// The files of the language model; of a split set the first.
    let models: [Entry]
    private let server: URL

    /// A file. What its name says is read once: some repositories have ten thousands.
    struct Entry: Hashable {
        /// The path in the repository, with slashes.
        let path: String
        let size: Int64?
        let sha256: String?
        /// The last component of the path.
        let name: String
        /// The file's role; `nil` if it does not belong to a model.
        let role: ModelFileRole?
        /// The quantisation of a model's file; `nil` if its name contains none.
        let quantization: String?

        init(path: String, size: Int64?, sha256: String?) {
            self.path = path
            self.size = size
            self.sha256 = sha256
            name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
            role = ModelFileRole(fileName: name)
            quantization = role == nil ? nil : Quantization.named(in: name)
        }
    }

    /// Lists a repository.
    static func list(_ name: String, by fetcher: Fetcher) async throws -> HuggingFaceRepository {
        let server = fetcher.configuration.huggingFace
        let url = server.appending(path: "api/models/\(name)").appending(queryItems: [
            .init(name: "blobs", value: "true")
        ])
        let bytes = try await fetcher.document(url)
        return try HuggingFaceRepository(name, JSONValue(bytes, source: url.withoutSecrets), server)
    }

    /// Entries whose paths are no plain ones are left out.
    init(_ name: String, revision: String, _ entries: [Entry], _ server: URL) {
        self.name = name
        self.revision = revision
        self.entries = entries.filter { Self.isSafe($0.path) }
        models = self.entries.filter { $0.role == .model && ShardName($0.name).map { $0.number == 1 } ?? true }
        self.server = server
    }

    private init(_ name: String, _ json: JSONValue, _ server: URL) throws(HubError) {
        let sha = json["sha"]?.string ?? ""
        guard let siblings = json["siblings"]?.array else {
            throw .unexpectedContent(
                server.withoutSecrets + "/api/models/" + name, expected: "a list of files", found: "other JSON")
        }
        let entries = siblings.compactMap { sibling -> Entry? in
            guard let path = sibling["rfilename"]?.string else { return nil }
            let sha256 = sibling["lfs"]?["sha256"]?.string.flatMap(\.asSHA256)
            let size = sibling["size"]?.int64 ?? sibling["lfs"]?["size"]?.int64
            return Entry(path: path, size: size?.asFileSize, sha256: sha256)
        }
        self.init(name, revision: sha.isCommit ? sha : "main", entries, server)
    }

    /// Whether every component of a path is a name.
    private static func isSafe(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            FileName.objection(to: String($0)) == nil
        }
    }

    /// Where a file of the repository is read.
    func url(of path: String) -> URL { server.appending(path: "\(name)/resolve/\(revision)/\(path)") }

    /// Where the repository is.
    var url: URL { server.appending(path: name) }

    /// The file that is read at a URL; `nil` if it is none of the repository's.
    func entry(at url: URL) -> Entry? {
        let folder = self.url(of: "").path
        guard Origin(url) == Origin(server), url.path.hasPrefix(folder) else { return nil }
        let path = url.path.dropFirst(folder.count).drop { $0 == "/" }
        return entries.first { $0.path == path }
    }

    /// The quantisations of the model files.
    var quantizations: [String] { Set(models.compactMap(\.quantization)).sorted() }
}
