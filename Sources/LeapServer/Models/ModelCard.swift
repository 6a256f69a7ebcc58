import Foundation

/// A model that the server offers, loaded or not.
struct ModelCard: Sendable, Hashable {
    /// The name by which clients choose it.
    var id: String
    /// Other names.
    var aliases: [String] = []
    /// Its file.
    var path: String
    /// A template that takes the place of the file's, where its manifest has one.
    var chatTemplate: String?
    /// Bytes of the file.
    var bytes = 0
    /// When the file was made, in seconds since 1970.
    var created = 0

    init(id: String, path: String) {
        self.id = id
        self.path = path
        let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [
            .fileSizeKey, .contentModificationDateKey,
        ])
        bytes = values?.fileSize ?? 0
        created = Int(values?.contentModificationDate?.timeIntervalSince1970 ?? 0)
    }

    /// Whether a client means this model by a name. Ollama's clients add `:latest`.
    func isNamed(_ name: String) -> Bool {
        let plain = name.hasSuffix(":latest") ? String(name.dropLast(7)) : name
        return id == name || id == plain || aliases.contains(name) || aliases.contains(plain)
    }
}
