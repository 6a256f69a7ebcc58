package import Foundation
import LeapConvert
import LeapGGUF
import LeapHub

/// The cache of converted model folders: GGUF files named by the digest of their source, and notes that map a folder,
/// and a state of a folder, to its digest.
package struct ConversionCache {
    private let root: URL

    /// This user's cache, whose folder need not exist.
    package init() throws { root = try ToolCache.folder("converted") }

    /// The name suffixes of notes: those for a folder's state, and those for the folder itself.
    private static let (stateNote, folderNote) = (".id", ".folder")

    private struct Note: Equatable {
        let digest: String
        /// The folder's path; `nil` in a note for a state, and in notes of older versions.
        var folder: String?
    }
}

// MARK: - What belongs to a digest

extension ConversionCache {
    /// Creates the folder.
    func create() throws { try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }

    /// The free bytes on the folder's disk; `nil` if unknown.
    var freeBytes: Int64? { DiskSpace.available(at: root) }

    /// The path of this version's file for a digest, whether or not it exists.
    func path(of digest: String) -> String { root.appending(path: Self.name(of: digest)).path }

    /// Whether this version's file for a digest exists, with all of its tensors: a damaged one has to be made again.
    func has(_ digest: String) -> Bool { (try? GGUFFile(path: path(of: digest))) != nil }

    /// The recorded digest of a state.
    func digest(ofState stamp: String) -> String? { note(stamp + Self.stateNote)?.digest }

    /// Records the digest of a state.
    func record(_ digest: String, ofState stamp: String) throws(CommandError) {
        try write(Note(digest: digest), to: stamp + Self.stateNote)
    }

    /// Records the digest of a folder, and removes the file of its previous content unless another folder has the same.
    func record(_ digest: String, of folder: ModelFolder) throws(CommandError) {
        let name = FolderDigest.place(of: folder) + Self.folderNote
        let (former, note) = (note(name), Note(digest: digest, folder: Self.realPath(folder.path)))
        guard former != note else { return }
        try write(note, to: name)
        // What cannot be removed stays.
        if let former, former.digest != digest { _ = try? removeAll(of: former.digest) }
    }

    /// Removes the files that other versions made from the same content.
    func removeOthers(of digest: String) {
        for name in files(of: digest) where name != Self.name(of: digest) { try? remove(name) }
    }

    private static func name(of digest: String) -> String { "\(digest)-v\(ModelConversion.version).gguf" }

    private static func realPath(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }

    /// Removes all files of a digest that no folder has any more.
    ///
    /// - Returns: The total size of its files in bytes.
    private func removeAll(of digest: String) throws -> Int64 {
        let notes = names.filter { note($0)?.digest == digest }
        guard !notes.contains(where: { $0.hasSuffix(Self.folderNote) }) else { return 0 }
        let files = files(of: digest)
        let size = files.reduce(0) { $0 + self.size(of: $1) }
        for name in notes + files { try remove(name) }
        return size
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [] }

    private func files(of digest: String) -> [String] {
        names.filter { $0.hasPrefix(digest) && $0.hasSuffix(".gguf") }
    }

    private func size(of name: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root.appending(path: name).path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Removes a file of the cache. Processes that have it open are not affected.
    private func remove(_ name: String) throws { try FileManager.default.removeItem(at: root.appending(path: name)) }

    private func note(_ name: String) -> Note? {
        // No note is the usual case of a folder that was never seen.
        guard let text = try? String(contentsOf: root.appending(path: name), encoding: .utf8) else { return nil }
        let parts = text.split(separator: "\n", maxSplits: 1)
        guard let digest = parts.first, digest.utf8.count == 64,
            digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return Note(digest: String(digest), folder: parts.dropFirst().first.map(String.init))
    }

    private func write(_ note: Note, to name: String) throws(CommandError) {
        let text = ([note.digest] + (note.folder.map { [$0] } ?? [])).joined(separator: "\n")
        try OutputFile.write(Data(text.utf8), to: root.appending(path: name).path)
    }
}

// MARK: - What is there

/// The result of converting a folder.
package struct ConvertedModel {
    /// The folder; `nil` if an older version, which recorded none, converted it.
    package let folder: String?
    /// The file.
    package let file: URL
    /// Its size in bytes.
    package let size: Int64

    /// Its display name: the folder's path, or the file's.
    package var name: String { folder ?? file.path }
}

extension ConversionCache {
    /// The converted models, by name.
    package func models() -> [ConvertedModel] {
        let notes = names.filter { $0.hasSuffix(Self.folderNote) }.compactMap(note)
        let models = names.filter { $0.hasSuffix(".gguf") }.flatMap { name in
            let folders: [String?] = notes.filter { name.hasPrefix($0.digest) && $0.folder != nil }.map(\.folder)
            return (folders.isEmpty ? [nil] : folders).map { folder in
                ConvertedModel(folder: folder, file: root.appending(path: name), size: size(of: name))
            }
        }
        return models.sorted { $0.name < $1.name }
    }

    /// The model of a folder, which need not exist any more, or of a file in the cache.
    package func model(at path: String) -> ConvertedModel? {
        models().first { [path, Self.realPath(path)].contains($0.name) }
    }

    /// Forgets a folder, and removes its converted file unless another folder shares it.
    ///
    /// - Returns: The number of bytes freed.
    package func remove(_ model: ConvertedModel) throws -> Int64 {
        let digest = String(model.file.lastPathComponent.prefix(64))
        for name in names where name.hasSuffix(Self.folderNote) {
            if note(name) == Note(digest: digest, folder: model.folder) { try remove(name) }
        }
        return try removeAll(of: digest)
    }
}
