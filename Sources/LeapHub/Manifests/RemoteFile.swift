public import Foundation
import LeapGGUF
import LeapHTTP

/// A file of a model, usually on a server, and its name in the model's folder.
public struct RemoteFile: Hashable, Sendable {
    /// The role of the file.
    public let role: ModelFileRole
    /// The URL of the file.
    public let url: URL
    /// The name of the file in the model's folder.
    public let name: FileName
    /// The size in bytes, if known.
    public var size: Int64?
    /// The SHA-256 as hexadecimal digits, if known.
    public var sha256: String?
    /// Whether ``size`` is only what the server says without sending the file, which some servers get wrong: it serves for
    /// progress and free space, but the file need not have it.
    public var isSizeEstimated = false

    /// The size that the file must have, in bytes; `nil` if unknown.
    var exactSize: Int64? { isSizeEstimated ? nil : size }

    /// Whether the file is on this machine, so that the model's folder gets a link to it.
    var isLocal: Bool { url.isFileURL }
}

/// A manifest, and the files that it refers to.
public struct ResolvedManifest: Hashable, Sendable {
    /// The manifest.
    public let manifest: ModelManifest
    /// The URL of the manifest; for a synthesised manifest, that of the repository.
    public let url: URL
    /// All files, each once, including every part of a split set.
    public var files: [RemoteFile]
}

extension ResolvedManifest {
    /// Finds a manifest's files.
    ///
    /// - Parameters:
    ///   - url: Where the manifest came from; relative references start there.
    ///   - policy: Which references may be followed.
    /// - Throws: ``HubError/unsafeReference(manifest:_:_:)``.
    init(_ manifest: ModelManifest, from url: URL, policy: URLPolicy) throws(HubError) {
        self.manifest = manifest
        self.url = url
        files = []
        for role in ModelFileRole.allCases {
            guard let reference = manifest.reference(to: role), !reference.isEmpty else { continue }
            let target = try Self.resolve(reference, in: url, policy: policy)
            for file in try Self.parts(of: target, role: role, reference: reference, manifest: url) {
                if files.contains(where: { $0.url == file.url }) { continue }
                let lower = file.name.text.lowercased()
                if files.contains(where: { $0.name.text.lowercased() == lower }) {
                    throw .unsafeReference(
                        manifest: url.withoutSecrets, reference.withoutQuery,
                        "another file of the model has the same name")
                }
                files.append(file)
            }
        }
    }

    /// The name that this manifest's reference to a file has here; `nil` if it has none.
    func fileName(of role: ModelFileRole) -> String? { files.first { $0.role == role }?.name.text }

    private static func resolve(_ reference: String, in manifest: URL, policy: URLPolicy) throws(HubError) -> URL {
        func refused(_ reason: String) -> HubError {
            .unsafeReference(manifest: manifest.withoutSecrets, reference.withoutQuery, reason)
        }
        if reference.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\\" }) {
            throw refused("it contains a backslash or a control character")
        }
        if reference.hasPrefix("/") { throw refused("it is an absolute path") }
        if reference.hasPrefix("~") { throw refused("it is a path in a home directory") }
        if !reference.contains("://") {
            let climbs = reference.split(separator: "/").count { $0 == ".." || $0.lowercased() == "%2e%2e" }
            // The last component is the manifest's own name; the first two of a repository's path are its owner and name.
            if climbs > max(0, manifest.pathComponents.count - 2) {
                throw refused("it points outside the server's root")
            }
        }
        guard let target = URL(string: reference, relativeTo: manifest)?.absoluteURL else {
            throw refused("it is not a URL")
        }
        if let objection = policy.objection(to: target, from: manifest) { throw refused(objection) }
        return target
    }

    /// The most files of a split set: a manifest of one line must not ask for a hundred thousand.
    private static let maximumParts = 1000

    private static func parts(
        of target: URL, role: ModelFileRole, reference: String, manifest: URL
    ) throws(HubError) -> [RemoteFile] {
        // Not the URL's own decoded component, which hides what was encoded.
        let encoded = URLComponents(url: target, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let last = encoded.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let name = last.removingPercentEncoding ?? ""
        let objection =
            FileName.objection(to: name) ?? (last.lowercased().contains("%2f") ? "it contains an encoded slash" : nil)
            ?? (name.lowercased() == ModelStore.manifestName ? "this name is reserved for the manifest" : nil)
        if let objection {
            throw .unsafeReference(manifest: manifest.withoutSecrets, reference.withoutQuery, objection)
        }
        guard let shard = ShardName(name), shard.count <= maximumParts else {
            return [RemoteFile(role: role, url: target, name: try FileName(name))]
        }
        var files: [RemoteFile] = []
        for part in shard.all {
            files.append(RemoteFile(role: role, url: target.replacingLastComponent(by: part), name: try FileName(part)))
        }
        return files
    }
}

extension URL {
    /// The URL with another last component, and its query.
    func replacingLastComponent(by name: String) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let encoded = name.addingPercentEncoding(withAllowedCharacters: .unreserved)
        else { return self }
        // Percent-encoding before the name is preserved: an encoded slash is not a separator.
        var components = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        if !components.isEmpty { components[components.count - 1] = encoded }
        parts.percentEncodedPath = components.joined(separator: "/")
        return parts.url ?? self
    }
}

extension CharacterSet {
    /// Unreserved characters, which need no escape anywhere in a URL: RFC 3986, section 2.3.
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
