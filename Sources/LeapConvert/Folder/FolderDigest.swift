import Foundation
import LeapDigest
import LeapGGUF

/// Identifies the content of a model's folder: the SHA-256 of its files' names and contents.
package enum FolderDigest {
    /// The digest in hexadecimal.
    ///
    /// - Throws: ``ConversionError`` or ``GGUFError`` if a file cannot be read.
    package static func of(_ folder: ModelFolder) throws -> String {
        var all = SHA256()
        for name in try names(in: folder) {
            let file = try MappedFile(path: folder.file(name))
            var hash = SHA256()
            hash.update(bufferPointer: file.bytes)
            try file.checkUnchanged()
            all.update(data: Array(name.utf8) + [0] + hash.finalize())
        }
        return all.finalize().hexadecimal
    }

    /// Identifies the folder independently of its content: the SHA-256 of its path.
    package static func place(of folder: ModelFolder) -> String {
        SHA256.hash(data: URL(filePath: folder.path).resolvingSymlinksInPath().path.utf8).hexadecimal
    }

    /// Identifies the state of the folder without reading its files: by their names, sizes and modification times.
    ///
    /// - Returns: `nil` if a file was changed so recently that a further change might not change its times.
    package static func stamp(of folder: ModelFolder) throws -> String? {
        var all = SHA256()
        for name in try names(in: folder) {
            guard let stamp = try MappedFile(path: folder.file(name)).stamp else { return nil }
            guard stamp.changed.seconds + clockStep < Int(Date.now.timeIntervalSince1970) else { return nil }
            let text = "\(name)/\(stamp.device)/\(stamp.inode)/\(stamp.size)/\(stamp.modified)/\(stamp.changed)\n"
            all.update(data: Array(text.utf8))
        }
        return all.finalize().hexadecimal
    }

    /// The paths of the files that a conversion reads.
    package static func paths(of folder: ModelFolder) throws(ConversionError) -> [String] {
        try names(in: folder).map(folder.file)
    }

    /// Seconds, more than file systems' steps of up to two: a second change within that time may leave no trace.
    private static let clockStep = 3

    /// The names of the files that a conversion reads, sorted.
    private static func names(in folder: ModelFolder) throws(ConversionError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw .file(path: folder.path, problem: "cannot be listed")
        }
        let ends = [".json", ".safetensors", ".model", ".jinja", ".txt"]
        var found = names.filter { name in ends.contains { name.hasSuffix($0) } }
        found.removeAll { !isFileWithContent(folder.file($0)) }
        // The model card tells whether a model is a reranker. It is a text for people, of which nothing is demanded.
        let card = folder.file(Qwen3Reranker.card)
        if isFileWithContent(card), FileManager.default.isReadableFile(atPath: card) {
            found.append(Qwen3Reranker.card)
        }
        found += try PoolingModule.settings(of: folder).filter(folder.has)
        found += try ChatTemplates.namedFiles(in: folder)
        for module in try DenseModules.paths(folder) {
            found += ["config.json", "model.safetensors"].map { "\(module)/\($0)" }.filter(folder.has)
        }
        return Set(found).sorted()
    }

    private static func isFileWithContent(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
            && (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
    }
}
