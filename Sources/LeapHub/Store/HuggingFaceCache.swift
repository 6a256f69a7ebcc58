import Foundation

/// Hugging Face's cache on this machine, which other programs fill: `models--OWNER--NAME/{blobs,refs,snapshots/COMMIT}`.
/// It is read only.
struct HuggingFaceCache {
    let root: URL
    /// The server that the cache belongs to.
    let server: URL

    /// The cache of a configuration; `nil` if it wants none.
    init?(_ configuration: HubConfiguration) {
        guard let root = configuration.huggingFaceCache else { return nil }
        self.root = root
        server = configuration.huggingFace
    }

    /// The cached copy of a file. It is identified without reading it: by its hash, after which the blobs of large
    /// files are named, or else by its commit, which is immutable.
    func copy(of file: RemoteFile) -> URL? {
        guard let size = file.size, let place = place(of: file.url) else { return nil }
        var copies: [String] = []
        if let sha256 = file.sha256 { copies.append("blobs/\(sha256)") }
        if place.revision.isCommit { copies.append("snapshots/\(place.revision)/\(place.path)") }
        return copies.map { place.repository.appending(path: $0).resolvingSymlinksInPath() }
            .first { Self.size(of: $0) == size }
    }

    /// What the cache holds of a repository at the commit that was its newest when it was asked for last; `nil` for
    /// nothing.
    func repository(_ name: String) -> HuggingFaceRepository? {
        guard let parts = try? ModelReference.checkRepository(name) else { return nil }
        let folder = folder(parts.owner.text, parts.name.text)
        guard let commit = Self.commit(in: folder) else { return nil }
        let snapshot = folder.appending(path: "snapshots").appending(path: commit)
        let paths = FileManager.default.enumerator(atPath: snapshot.path)?.compactMap { $0 as? String } ?? []
        let entries = paths.sorted().compactMap { path -> HuggingFaceRepository.Entry? in
            let blob = snapshot.appending(path: path).resolvingSymlinksInPath()
            guard let size = Self.size(of: blob) else { return nil }
            return .init(path: path, size: size, sha256: blob.lastPathComponent.asSHA256)
        }
        return HuggingFaceRepository(name, revision: commit, entries, server)
    }

    /// The names of all repositories, as in `LiquidAI/LFM2-1.2B-GGUF`.
    func repositories() -> [String] {
        // A cache that is not there, or must not be read, is an empty one.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return folders.sorted().compactMap { folder in
            guard let match = folder.wholeMatch(of: /models--(.+?)--(.+)/) else { return nil }
            return "\(match.1)/\(match.2)"
        }
    }
}

extension HuggingFaceCache {
    /// Where a URL of the form `SERVER/OWNER/NAME/resolve/REVISION/PATH` leads to.
    private func place(of url: URL) -> (repository: URL, revision: String, path: String)? {
        guard Origin(url) == Origin(server) else { return nil }
        let parts = url.pathComponents.dropFirst(max(1, server.pathComponents.count))
        guard parts.count >= 5, let resolve = parts.firstIndex(of: "resolve"), resolve == parts.startIndex + 2,
            parts.allSatisfy({ FileName.objection(to: $0) == nil })
        else { return nil }
        let path = parts[(resolve + 2)...].joined(separator: "/")
        return (folder(parts[parts.startIndex], parts[parts.startIndex + 1]), parts[resolve + 1], path)
    }

    /// The folder of a repository.
    private func folder(_ owner: String, _ name: String) -> URL { root.appending(path: "models--\(owner)--\(name)") }

    /// The commit of `main`; if unknown, the only one there is.
    private static func commit(in repository: URL) -> String? {
        // An unreadable file counts as absent.
        if let main = (try? OpenFile.contents(of: repository.appending(path: "refs/main"), upTo: 1000)) ?? nil {
            let text = String(decoding: main, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isCommit ? text : nil
        }
        let snapshots = try? FileManager.default.contentsOfDirectory(
            atPath: repository.appending(path: "snapshots").path)
        let commits = (snapshots ?? []).filter(\.isCommit)
        return commits.count == 1 ? commits[0] : nil
    }

    /// The size of a regular file; `nil` for anything else.
    private static func size(of file: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (attributes?[.size] as? NSNumber)?.int64Value
    }
}
