public import Foundation
import LeapHub
import LeapSDK

/// A model that consists of a single file, as in versions 0.2 to 0.9.
public protocol DownloadableModel: Sendable {
    /// The URL of the file.
    var url: URL { get }
    /// The name of the source, which is used as the name of a folder for its files.
    var name: String { get }
    /// The name of the local file.
    var localFilename: String { get }
}

extension DownloadableModel {
    /// The location of the file.
    ///
    /// - Throws: ``ModelDownloadError`` if a name is invalid.
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

/// A file in a Hugging Face repository.
public struct HuggingFaceDownloadableModel: DownloadableModel, Hashable {
    /// The repository's owner.
    public let ownerName: String
    /// The repository's name.
    public let repoName: String
    /// The file's path in the repository.
    public let filename: String

    /// Creates a reference to a file.
    public init(ownerName: String, repoName: String, filename: String) {
        self.ownerName = ownerName
        self.repoName = repoName
        self.filename = filename
    }

    /// The URL of the file on Hugging Face, or on the server in the environment variable `HF_ENDPOINT`.
    public var url: URL {
        let server = (try? SharedHub.configuration.huggingFace) ?? HubConfiguration.defaultHuggingFace
        return server.appending(path: "\(ownerName)/\(repoName)/resolve/main/\(filename)")
    }
    /// The owner and the repository, and the file's folders in it: `owner--repository`, `owner--repository--folder`.
    public var name: String {
        let folders = filename.split(separator: "/").dropLast().map(String.init)
        return ([ownerName, repoName] + folders).joined(separator: "--")
    }
    /// The last component of the path.
    public var localFilename: String { url.lastPathComponent }
}

/// A model in the vendor's registry, of which only the language model is downloaded.
public struct LeapDownloadableModel: DownloadableModel, Hashable {
    /// The model's name.
    public let modelSlug: String
    /// The quantisation.
    public let quantizationSlug: String
    /// The URL of the file.
    public let url: URL

    /// Looks up a model in the registry; `nil` if it does not exist or the registry cannot be reached.
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
    /// The last component of the URL's path.
    public var localFilename: String { url.lastPathComponent }
}
