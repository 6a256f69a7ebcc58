public import Foundation
import LeapHub
public import LeapSDK

/// Downloads models by manifests, and loads them.
///
///     let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: modelsDir))
///     let runner = try await downloader.loadModel(modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M")
///
/// What one downloader has brought, every other with the same `saveDir` finds, in whatever program.
public final class LeapDownloader: Sendable {
    /// Where downloads go, and how they are done.
    public let config: LeapDownloaderConfig
    let service: DownloadService

    /// A downloader.
    public init(config: LeapDownloaderConfig = LeapDownloaderConfig()) {
        self.config = config
        service = DownloadService(config)
    }

    // MARK: Loading

    /// Loads a model by its name: downloads it first, unless it is on this machine.
    ///
    /// - Parameters:
    ///   - modelName: As in `LFM2.5-1.2B-Instruct`, or a repository of Hugging Face, as in `hf:owner/name`.
    ///   - quantizationType: As in `Q4_K_M`.
    ///   - options: How to load.
    ///   - generationTimeParameters: Defaults of all generations, in the place of the manifest's.
    ///   - forceDownload: Whether a model that is here is downloaded again; it is removed once its manifest was found.
    ///   - downloadProgress: Called while files arrive, on the main actor.
    /// - Throws: `LeapError`, or `CancellationError`.
    public func loadModel(
        modelName: String, quantizationType: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            .init(model: modelName, quantization: quantizationType), isForced: forceDownload, options: options,
            parameters: generationTimeParameters, progress: downloadProgress)
    }

    /// Loads the model of a manifest; see ``loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:downloadProgress:)``.
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

    /// Loads a model whose files the program names.
    ///
    /// - Throws: `LeapError`, also for companions, because models take and give only text yet; ``ModelDownloadError``.
    public func loadSimpleModel(
        model: ModelSource, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            model, isForced: forceDownload, options: options, parameters: generationTimeParameters,
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

    /// The manifest of a model, as its source has it.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolve(modelName: String, quantizationType: String) async throws -> Manifest {
        try await resolveDownloadPlan(modelName: modelName, quantizationType: quantizationType).manifest
    }

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

    /// The manifest of a model on this machine; nil if it is not here.
    public func getCachedManifest(modelName: String, quantizationType: String) async -> Manifest? {
        service.cached(modelName, quantizationType)?.manifest
    }

    /// Where a file of a model is on this machine; nil if it is not here.
    public func getCachedFilePath(modelUrl: String, modelName: String, quantizationType: String) -> String? {
        service.cachedFile(modelUrl, modelName, quantizationType)
    }

    /// The bytes of all files of a model; -1 if a server does not tell.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func getModelSize(modelName: String, quantizationType: String) async throws -> Int64 {
        try await ModelDownloadError.awaiting {
            try await service.size(.init(model: modelName, quantization: quantizationType))
        }
    }

    /// The folder that a model's files go to.
    public func getResourceFolder(modelName: String, quantizationType: String) -> String {
        service.folder(modelName, quantizationType)
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
