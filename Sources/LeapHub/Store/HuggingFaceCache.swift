import Foundation

/// Hugging Face's cache on this machine, which other programs fill: `models--OWNER--NAME/{blobs,refs,snapshots/COMMIT}`.
/// It is read only.
struct HuggingFaceCache {
    let root: URL
    /// The server that the cache belongs to.
    let server: URL

    /// The bytes of a file: a path in `blobs`, if the cache holds the very same file. A large file's blob is named by its
    /// SHA-256, so that this can be told without reading it.
    func blob(of file: RemoteFile) -> URL? {
        guard let sha256 = file.sha256, let size = file.size, let place = place(of: file.url) else { return nil }
        let blob = place.repository.appending(path: "blobs").appending(path: sha256)
        let attributes = try? FileManager.default.attributesOfItem(atPath: blob.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            (attributes?[.size] as? NSNumber)?.int64Value == size
        else { return nil }
        return blob
    }

    /// The folder of the repository that a URL of the form `SERVER/OWNER/NAME/resolve/REVISION/PATH` belongs to.
    private func place(of url: URL) -> (repository: URL, revision: String)? {
        guard Origin(url) == Origin(server) else { return nil }
        let parts = url.pathComponents.dropFirst(max(1, server.pathComponents.count))
        guard parts.count >= 5, let resolve = parts.firstIndex(of: "resolve"), resolve == parts.startIndex + 2,
            FileName.objection(to: parts[parts.startIndex]) == nil,
            FileName.objection(to: parts[parts.startIndex + 1]) == nil
        else { return nil }
        let name = "models--\(parts[parts.startIndex])--\(parts[parts.startIndex + 1])"
        return (root.appending(path: name), parts[resolve + 1])
    }
}
