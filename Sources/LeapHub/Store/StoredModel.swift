public import Foundation

/// A file of a model on this machine.
public struct StoredFile: Hashable, Sendable {
    /// The role of the file.
    public let role: ModelFileRole
    /// The name of the file in the model's folder.
    public let name: FileName
    /// The size in bytes.
    public let size: Int64
    /// The SHA-256 of the file when it was downloaded, or the announced one; `nil` if neither is known.
    public let sha256: String?
    /// The URL that it was downloaded from, without the query, which may be secret.
    public let url: String
}

/// A complete model on this machine: a folder with its files and its manifest.
public struct StoredModel: Hashable, Sendable {
    /// The name and the quantisation, as folder names.
    public let location: ModelLocation
    /// The folder of the model.
    public let folder: URL
    /// The manifest, with the names of files in the folder as references.
    public let manifest: ModelManifest
    /// All files; the parts of a split set are in order.
    public let files: [StoredFile]

    /// Returns the URL of the file with a role, of a split set the first one; `nil` if the model has none.
    public func url(of role: ModelFileRole) -> URL? {
        files.first { $0.role == role }.map { folder.appending(path: $0.name.text) }
    }

    /// The total size of all files in bytes.
    public var size: Int64 { files.reduce(0) { $0 + $1.size } }
}

/// The location of a model in a store, as two folder names: its name and its quantisation.
public struct ModelLocation: Hashable, Sendable {
    /// The name of the folder for all quantisations, such as `LFM2-1.2B`.
    public let model: FileName
    /// The name of the folder for the files, such as `Q4_K_M`.
    public let quantization: FileName

    /// Creates a location from checked names.
    public init(model: FileName, quantization: FileName) {
        self.model = model
        self.quantization = quantization
    }

    /// Determines the location of a model.
    ///
    /// - Parameters:
    ///   - reference: The model.
    ///   - chosen: The quantisation if the reference specifies none.
    /// - Throws: ``HubError/invalidName(_:_:)`` if a name cannot be used as a file name.
    public init(_ reference: ModelReference, quantization chosen: String? = nil) throws(HubError) {
        switch reference {
        case .named(let name, let quantization):
            model = try FileName(name)
            self.quantization = try FileName(Quantization.canonical(quantization ?? chosen ?? "default"))
        case .repository(let name, let quantization):
            let parts = try ModelReference.checkRepository(name)
            model = try FileName("\(parts.owner)--\(parts.name)")
            self.quantization = try FileName(Quantization.canonical(quantization ?? chosen ?? "default"))
        case .manifest(let url):
            model = try Self.folderName(of: url)
            let stem = url.deletingPathExtension().lastPathComponent
            self.quantization = FileName.objection(to: stem) == nil ? try FileName(stem) : try FileName("manifest")
        }
    }

    /// A readable name that no other URL has: its host and path, and some digits of its hash.
    private static func folderName(of url: URL) throws(HubError) -> FileName {
        let text = "\(url.host() ?? "file")\(url.deletingLastPathComponent().path)"
        let readable = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
        let trimmed = String(readable.suffix(120)).trimmingCharacters(in: CharacterSet(charactersIn: "-._"))
        return try FileName(
            "\(trimmed.isEmpty ? "manifest" : trimmed)-\(url.absoluteString.sha256.prefix(hashDigits))")
    }

    private static let hashDigits = 8

    /// Whether two locations of manifests may belong to URLs that differ in nothing but their queries.
    func isSame(exceptForQuery other: ModelLocation) -> Bool {
        quantization == other.quantization && model.text.count == other.model.text.count
            && model.text.dropLast(Self.hashDigits) == other.model.text.dropLast(Self.hashDigits)
    }
}

extension ModelLocation: CustomStringConvertible {
    /// The location in the form that `leap run` and `leap rm` accept, such as `LFM2-1.2B:Q4_K_M`.
    public var description: String {
        let parts = model.text.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
        let name = model.text.contains("--") && parts.count == 2 ? "hf:\(parts[0])/\(parts[1])" : model.text
        return "\(name):\(quantization)"
    }
}
