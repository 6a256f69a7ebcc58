public import Foundation

/// A file of a model on this machine.
public struct StoredFile: Hashable, Sendable {
    /// What the file is for.
    public let role: ModelFileRole
    /// Its name in the model's folder.
    public let name: FileName
    /// Its size in bytes.
    public let size: Int64
    /// The SHA-256 that it had when it arrived, or was announced; nil if neither is known.
    public let sha256: String?
    /// Where it came from, without the query, which may be a secret.
    public let url: String
}

/// A model on this machine, complete: a folder with its files and its manifest.
public struct StoredModel: Hashable, Sendable {
    /// Its name and quantisation, as folders.
    public let location: ModelLocation
    /// The folder.
    public let folder: URL
    /// The manifest, with names of files in the folder as references.
    public let manifest: ModelManifest
    /// All files; parts of a split set in their order.
    public let files: [StoredFile]

    /// The path of a file, of a split set that of the first; nil if the model has none of this kind.
    public func url(of role: ModelFileRole) -> URL? {
        files.first { $0.role == role }.map { folder.appending(path: $0.name.text) }
    }

    /// The size of all files in bytes.
    public var size: Int64 { files.reduce(0) { $0 + $1.size } }
}

/// The two folders of a model below the root of all models: its name, and its quantisation.
public struct ModelLocation: Hashable, Sendable {
    /// The folder of all quantisations, as in `LFM2-1.2B`.
    public let model: FileName
    /// The folder of the files, as in `Q4_K_M`.
    public let quantization: FileName

    /// A location of checked names.
    public init(model: FileName, quantization: FileName) {
        self.model = model
        self.quantization = quantization
    }

    /// Where a model goes.
    ///
    /// - Parameter quantization: The one that was chosen, where the reference names none.
    /// - Throws: ``HubError/invalidName(_:_:)``.
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
        return try FileName("\(trimmed.isEmpty ? "manifest" : trimmed)-\(url.absoluteString.sha256.prefix(8))")
    }
}

extension ModelLocation: CustomStringConvertible {
    /// As in `LFM2-1.2B:Q4_K_M`; what `leap run` and `leap rm` take.
    public var description: String {
        let parts = model.text.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
        let name = model.text.contains("--") && parts.count == 2 ? "hf:\(parts[0])/\(parts[1])" : model.text
        return "\(name):\(quantization)"
    }
}
