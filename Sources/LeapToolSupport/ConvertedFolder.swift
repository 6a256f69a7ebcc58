import Foundation
import LeapConvert
import LeapHub

/// The GGUF file of a folder that was named in the place of one.
///
/// It is converted once, into the cache, under a name that its content and the version of conversions decide. Where files have not
/// changed since, their times say so, and nothing is read. What an older version made of it is removed.
package struct ConvertedFolder {
    private let folder: ModelFolder
    private let cache: URL

    /// The name of the folder of converted models in the root of all caches.
    static let cacheName = "converted"

    /// - Throws: ``ConversionError`` for a folder that is no model's.
    package init(path: String) throws {
        folder = try ModelFolder(path: path)
        cache = try HubConfiguration().models.deletingLastPathComponent()
            .appending(path: Self.cacheName, directoryHint: .isDirectory)
    }

    /// The path of the file, which is written where there is none yet.
    package func file() throws -> String {
        let stamp = try FolderDigest.stamp(of: folder)
        let note = stamp.map { cache.appending(path: "\($0).id").path }
        if let note, let digest = Self.digest(noted: note), FileManager.default.fileExists(atPath: path(of: digest)) {
            return path(of: digest)
        }
        let digest = try FolderDigest.of(folder)
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: path(of: digest)) {
            try convert(to: path(of: digest))
            removeOthers(of: digest)
        }
        if let note, try FolderDigest.stamp(of: folder) == stamp { try OutputFile.write(Data(digest.utf8), to: note) }
        return path(of: digest)
    }

    private func path(of digest: String) -> String { cache.appending(path: Self.name(of: digest)).path }

    private static func name(of digest: String) -> String { "\(digest)-v\(ModelConversion.version).gguf" }

    /// Removes what other versions made of the same content. Who reads it goes on; what cannot be removed stays.
    private func removeOthers(of digest: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []
        let others = names.filter { $0.hasPrefix(digest) && $0.hasSuffix(".gguf") && $0 != Self.name(of: digest) }
        for name in others { try? FileManager.default.removeItem(at: cache.appending(path: name)) }
    }

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
