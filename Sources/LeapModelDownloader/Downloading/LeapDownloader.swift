public import Foundation
import LeapHub
public import LeapSDK

/// Downloads models by manifests, and loads them.
///
///     let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: modelsDir))
///     let runner = try await downloader.loadModel(modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M")
///
/// What one downloader has brought, every other with the same `saveDir` finds, in whatever program.
public final class LeapDownloader: ModelDownloading {
    /// Where downloads go, and how they are done.
    public let config: LeapDownloaderConfig
    /// Does the work.
    public let service: DownloadService

    /// A downloader.
    public init(config: LeapDownloaderConfig = LeapDownloaderConfig()) {
        self.config = config
        service = DownloadService(config)
    }

    // MARK: Loading

    /// Loads the model of a manifest; see ``ModelDownloading/loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:downloadProgress:)``.
    ///
    /// - Throws: `LeapError`, or `CancellationError`.
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

    /// Downloads a model, unless it is on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModel(
        modelName: String, quantizationType: String, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(
            .init(model: modelName, quantization: quantizationType), isForced: forceDownload, downloadProgress)
    }

    /// Downloads the model of a manifest, unless it is on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifestUrl(
        manifestUrl: URL, forceDownload: Bool = false, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(.manifest(manifestUrl), isForced: forceDownload, downloadProgress)
    }

    // MARK: Looking

    /// What downloading a model would transfer.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolveDownloadPlan(modelName: String, quantizationType: String) async throws -> ResolvedManifest {
        try await service.plan(.init(model: modelName, quantization: quantizationType), modelName)
    }

    /// What downloading the model of a manifest would transfer.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolveDownloadPlanFromManifestUrl(manifestUrl: URL) async throws -> ResolvedManifest {
        try await service.plan(.manifest(manifestUrl), manifestUrl.lastPathComponent)
    }

    /// The folder that a model's files go to.
    public func getResourceFolder(modelName: String, quantizationType: String) -> String {
        service.folder(modelName, quantizationType)
    }

    /// Writes a manifest into a model's folder, with names of files as references. That of a model which is on this machine
    /// is there already, and stays as it is.
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

    /// Removes a model from this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func deleteModelResources(modelName: String, quantizationType: String) async throws {
        try ModelDownloadError.mapping { try service.remove(service.named(modelName, quantizationType)) }
    }

    /// Removes the model of a manifest from this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func deleteModelFromManifestUrl(manifestUrl: URL) async throws {
        try ModelDownloadError.mapping { try service.remove(service.location(.manifest(manifestUrl))) }
    }
}

extension LeapDownloader {
    /// What downloading a model would transfer.
    public struct ResolvedManifest: Hashable, Sendable {
        /// The manifest, as its source has it.
        public let manifest: Manifest
        /// The model's name.
        public let modelName: String
        /// The quantisation.
        public let quantizationSlug: String
        /// Its files.
        public let resources: [ResolvedResource]
    }

    /// A file of a model.
    public struct ResolvedResource: Hashable, Sendable {
        /// Where it is.
        public let remoteUrl: String
        /// Where it goes.
        public let localPath: String
        /// Its size in bytes, where a server tells it.
        public let expectedSize: Int64?
        /// Its SHA-256, where a server tells it.
        public let expectedSha256: String?
        /// Whether it is on this machine.
        public let isCached: Bool
    }
}
