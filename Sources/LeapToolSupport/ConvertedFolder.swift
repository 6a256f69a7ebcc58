import LeapConvert

/// The GGUF file for a folder that was given instead of a file.
///
/// The folder is converted once, into the cache, under a name derived from its content and the converter's version. If
/// the files' times are unchanged since, nothing is read. Files made by an older version, or from earlier content, are
/// removed.
package struct ConvertedFolder {
    private let folder: ModelFolder
    private let cache: ConversionCache

    /// - Throws: ``ConversionError`` for a folder that does not contain a model.
    package init(path: String) throws {
        folder = try ModelFolder(path: path)
        cache = try ConversionCache()
    }

    /// The path of the file, which is written if it does not exist or is damaged.
    package func file() throws -> String {
        let stamp = try FolderDigest.stamp(of: folder)
        if let digest = stamp.flatMap(cache.digest(ofState:)), cache.has(digest) {
            try cache.record(digest, of: folder)
            return cache.path(of: digest)
        }
        let digest = try FolderDigest.of(folder)
        try cache.create()
        if !cache.has(digest) {
            try convert(to: cache.path(of: digest))
            cache.removeOthers(of: digest)
        }
        if let stamp, try FolderDigest.stamp(of: folder) == stamp { try cache.record(digest, ofState: stamp) }
        try cache.record(digest, of: folder)
        return cache.path(of: digest)
    }

    private func convert(to path: String) throws {
        let conversion = try ModelConversion(folder)
        if let free = cache.freeBytes, free < Int64(conversion.byteCount) {
            throw CommandError(
                "\(path): not enough disk space: \(conversion.byteCount) bytes needed, \(free) available")
        }
        try conversion.writeShowingProgress(to: path)
    }
}
