import Foundation
import LeapConvert
import LeapHub

/// The GGUF file of a folder that was named in the place of one.
///
/// It is converted once, into the cache, under a name derived from its content and the converter's version. If the files'
/// times are unchanged since, nothing is read. Files made by an older version, or from earlier content, are removed.
package struct ConvertedFolder {
    private let folder: ModelFolder
    private let cache: URL

    /// The name of the folder of converted models in the root of all caches.
    static let cacheName = "converted"

    /// - Throws: ``ConversionError`` for a folder that is no model's.
    package init(path: String) throws {
        folder = try ModelFolder(path: path)
        cache = try ToolCache.folder(Self.cacheName)
    }

    /// The path of the file, which is written where there is none yet.
    package func file() throws -> String {
        let stamp = try FolderDigest.stamp(of: folder)
        let note = stamp.map { cache.appending(path: $0 + Self.stateNote).path }
        if let note, let digest = Self.digest(noted: note), FileManager.default.fileExists(atPath: path(of: digest)) {
            try remember(digest)
            return path(of: digest)
        }
        let digest = try FolderDigest.of(folder)
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: path(of: digest)) {
            try convert(to: path(of: digest))
            removeOthers(of: digest)
        }
        if let note, try FolderDigest.stamp(of: folder) == stamp { try OutputFile.write(Data(digest.utf8), to: note) }
        try remember(digest)
        return path(of: digest)
    }

    /// What names of notes end in: one of a folder's state, and one of the folder itself. Both say its digest.
    private static let (stateNote, folderNote) = (".id", ".folder")

    /// Notes what the folder has, and removes what was made of what it had before, unless another folder has that.
    private func remember(_ digest: String) throws {
        let note = cache.appending(path: FolderDigest.place(of: folder) + Self.folderNote).path
        let former = Self.digest(noted: note)
        guard former != digest else { return }
        try OutputFile.write(Data(digest.utf8), to: note)
        if let former { removeAll(of: former) }
    }

    private func removeAll(of digest: String) {
        let notes = names.filter { Self.digest(noted: cache.appending(path: $0).path) == digest }
        guard !notes.contains(where: { $0.hasSuffix(Self.folderNote) }) else { return }
        for name in notes where name.hasSuffix(Self.stateNote) { remove(name) }
        for name in files(of: digest) { remove(name) }
    }

    private func path(of digest: String) -> String { cache.appending(path: Self.name(of: digest)).path }

    private static func name(of digest: String) -> String { "\(digest)-v\(ModelConversion.version).gguf" }

    /// Removes what other versions made of the same content.
    private func removeOthers(of digest: String) {
        for name in files(of: digest) where name != Self.name(of: digest) { remove(name) }
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? [] }

    private func files(of digest: String) -> [String] {
        names.filter { $0.hasPrefix(digest) && $0.hasSuffix(".gguf") }
    }

    /// Removes a file of the cache. Who reads it goes on; what cannot be removed stays.
    private func remove(_ name: String) { try? FileManager.default.removeItem(at: cache.appending(path: name)) }

    private static func digest(noted path: String) -> String? {
        // No note is the usual case of a folder that was never seen.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.utf8.count == 64,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return text
    }

    private func convert(to path: String) throws {
        let conversion = try ModelConversion(folder)
        if let free = DiskSpace.available(at: cache), free < Int64(conversion.byteCount) {
            throw CommandError(
                "\(cache.path): \(conversion.byteCount) bytes are to be written, but only \(free) are free there")
        }
        var bar = ProgressBar("convert", total: conversion.byteCount)
        var done = 0
        try conversion.write(to: path) { count, tensor in
            done += count
            bar.update(done, note: tensor)
        }
    }
}
