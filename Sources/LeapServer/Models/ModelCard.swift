import Foundation
import LeapGGUF

/// A model that the server offers, loaded or not.
struct ModelCard: Sendable, Hashable {
    /// The name by which clients choose it.
    var id: String
    /// Other names.
    var aliases: [String] = []
    /// Other names, which no list shows to clients.
    var unlistedAliases: [String] = []
    /// Its file; empty for a model of another server.
    var path: String
    /// The server that has it; `nil` for a local model.
    var remote: RemoteBackend?
    /// The manifest's template, which replaces the file's.
    var chatTemplate: String?
    /// How it answers requests that do not say.
    var defaults = AnswerDefaults()
    /// Bytes of the file, of a split set those of all files.
    var bytes = 0
    /// When the file was made, in seconds since 1970.
    var created = 0

    init(id: String, path: String) {
        self.id = id
        self.path = path
        readFile()
    }

    /// Reads the size and age of the file, which may have been replaced.
    mutating func readFile() {
        let files = (ShardName(path)?.all ?? [path]).map {
            try? URL(fileURLWithPath: $0).resourceValues(forKeys: [.fileSizeKey, .contentModificationDateKey])
        }
        bytes = files.reduce(0) { $0 + ($1?.fileSize ?? 0) }
        created = Int(files.first??.contentModificationDate?.timeIntervalSince1970 ?? 0)
    }

    /// The model of another server.
    init(_ remote: RemoteBackend) {
        id = remote.id
        path = ""
        self.remote = remote
    }

    /// Checks that the model is local, for requests that are not forwarded.
    ///
    /// - Throws: An error if it is not.
    func requireHere() throws(APIError) {
        guard remote != nil else { return }
        throw APIError(
            .notSupported,
            "'\(id)' is a model of another server, which supports only /v1/chat/completions, /v1/completions, "
                + "/v1/responses and /v1/embeddings: use one of these, or choose a local model",
            param: "model", code: "remote_model")
    }

    /// Whether a client means this model by a name. Ollama's clients add `:latest`.
    func isNamed(_ name: String) -> Bool {
        let plain = name.hasSuffix(":latest") ? String(name.dropLast(7)) : name
        return ([id] + aliases + unlistedAliases).contains { $0 == name || $0 == plain }
    }
}
