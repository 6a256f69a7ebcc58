public import Foundation
import LeapHub
public import LeapSDK

/// Downloads and loads models.
///
///     let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: modelsDir))
///     let runner = try await downloader.loadModel(modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M")
///
/// Downloaded models are shared by all downloaders with the same `saveDir`, also in other programs.
public final class LeapDownloader: ModelDownloading {
    /// The configuration: where models are stored and how they are downloaded.
    public let config: LeapDownloaderConfig
    /// The implementation.
    public let service: DownloadService

    /// Creates a downloader.
    public init(config: LeapDownloaderConfig = LeapDownloaderConfig()) {
        self.config = config
        service = DownloadService(config)
    }

    // MARK: Loading

    /// Loads the model of a manifest, and downloads it first if necessary. The parameters are those of
    /// ``ModelDownloading``.
    ///
    /// - Throws: `LeapError` or `CancellationError`.
    public func loadModelFromManifestUrl(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            .manifest(manifestUrl), isForced: forceDownload, options: options, parameters: generationTimeParameters,
            progress: downloadProgress)
    }

    // MARK: Downloading

    /// Downloads a model, unless it is already on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModel(
        modelName: String, quantizationType: String, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(
            .init(model: modelName, quantization: quantizationType), isForced: forceDownload, downloadProgress)
    }

    /// Downloads the model of a manifest, unless it is already on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifestUrl(
        manifestUrl: URL, forceDownload: Bool = false, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(.manifest(manifestUrl), isForced: forceDownload, downloadProgress)
    }

    // MARK: Looking

    /// Returns the files that downloading a model would transfer, without downloading them.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolveDownloadPlan(modelName: String, quantizationType: String) async throws -> ResolvedManifest {
        try await service.plan(.init(model: modelName, quantization: quantizationType), modelName)
    }

    /// Returns the files that downloading the model of a manifest would transfer, without downloading them.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolveDownloadPlanFromManifestUrl(manifestUrl: URL) async throws -> ResolvedManifest {
        try await service.plan(.manifest(manifestUrl), manifestUrl.lastPathComponent)
    }

    /// Returns the path of the folder for a model's files.
    public func getResourceFolder(modelName: String, quantizationType: String) -> String {
        service.folder(modelName, quantizationType)
    }

    /// Writes a manifest into a model's folder, with file names as references. The existing manifest of a downloaded
    /// model is kept unchanged.
    ///
    /// - Returns: The path of the manifest.
    /// - Throws: ``ModelDownloadError``.
    @discardableResult
    public func saveManifestToDisk(
        manifest: Manifest, modelName: String, quantizationType: String
    ) async throws -> String {
        try ModelDownloadError.mapping {
            let location = try service.location(ModelReference(model: modelName, quantization: quantizationType))
            return try service.hub.store.save(manifest, of: location)
        }
    }

    // MARK: Removing

    /// Removes a model from this machine and stops its downloads.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func deleteModelResources(modelName: String, quantizationType: String) async throws {
        try ModelDownloadError.mapping { try service.remove(service.named(modelName, quantizationType)) }
    }

    /// Removes the model of a manifest from this machine and stops its downloads.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func deleteModelFromManifestUrl(manifestUrl: URL) async throws {
        try ModelDownloadError.mapping { try service.remove(service.location(.manifest(manifestUrl))) }
    }
}

extension LeapDownloader {
    /// The manifest of a model, and the files that downloading it would transfer.
    public struct ResolvedManifest: Hashable, Sendable {
        /// The manifest as provided by its source.
        public let manifest: Manifest
        /// The model's name.
        public let modelName: String
        /// The quantisation.
        public let quantizationSlug: String
        /// The files of the model.
        public let resources: [ResolvedResource]
    }

    /// A file of a model.
    public struct ResolvedResource: Hashable, Sendable {
        /// The URL to download it from.
        public let remoteUrl: String
        /// The path where it is stored.
        public let localPath: String
        /// The size in bytes, if the server reports it.
        public let expectedSize: Int64?
        /// The SHA-256, if the server reports it.
        public let expectedSha256: String?
        /// Whether it is already on this machine.
        public let isCached: Bool
    }
}
