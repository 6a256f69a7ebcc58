public import Foundation
import LeapHub
import LeapSDK

/// A model that is one file somewhere; the way of versions 0.2 to 0.9.
public protocol DownloadableModel: Sendable {
    /// Where the file is.
    var url: URL { get }
    /// The name of all files of this source, which becomes a folder's.
    var name: String { get }
    /// The name of the file here.
    var localFilename: String { get }
}

extension DownloadableModel {
    /// Where the file goes.
    ///
    /// - Throws: ``ModelDownloadError`` for names that can be none.
    var location: ModelLocation {
        get throws(ModelDownloadError) {
            try ModelDownloadError.mapping {
                ModelLocation(
                    model: try FileName(name), quantization: try FileName(url.deletingPathExtension().lastPathComponent)
                )
            }
        }
    }
}

/// A file of a repository of Hugging Face.
public struct HuggingFaceDownloadableModel: DownloadableModel, Hashable {
    /// The repository's owner.
    public let ownerName: String
    /// The repository's name.
    public let repoName: String
    /// The file's path in the repository.
    public let filename: String

    /// A file of a repository.
    public init(ownerName: String, repoName: String, filename: String) {
        self.ownerName = ownerName
        self.repoName = repoName
        self.filename = filename
    }

    /// Where the file is, on the server that `HF_ENDPOINT` names.
    public var url: URL {
        let server = (try? SharedHub.configuration.huggingFace) ?? HubConfiguration.defaultHuggingFace
        return server.appending(path: "\(ownerName)/\(repoName)/resolve/main/\(filename)")
    }
    /// Owner and repository.
    public var name: String { "\(ownerName)--\(repoName)" }
    /// The last part of the path.
    public var localFilename: String { url.lastPathComponent }
}

/// A model of the vendor's registry, of which the language model alone is downloaded.
public struct LeapDownloadableModel: DownloadableModel, Hashable {
    /// The model's name.
    public let modelSlug: String
    /// The quantisation.
    public let quantizationSlug: String
    /// Where the file is.
    public let url: URL

    /// Finds a model; nil if there is none of these names, or nobody can be asked.
    public static func resolve(modelSlug: String, quantizationSlug: String) async -> LeapDownloadableModel? {
        // The API of these versions has no place for the reason.
        guard let hub = try? Hub(configuration: SharedHub.configuration),
            let resolved = try? await hub.resolve(.init(model: modelSlug, quantization: quantizationSlug)),
            let file = resolved.manifest.files.first(where: { $0.role == .model })
        else { return nil }
        return LeapDownloadableModel(modelSlug: modelSlug, quantizationSlug: quantizationSlug, url: file.url)
    }

    /// The model's name.
    public var name: String { modelSlug }
    /// The last part of the URL's path.
    public var localFilename: String { url.lastPathComponent }
}
