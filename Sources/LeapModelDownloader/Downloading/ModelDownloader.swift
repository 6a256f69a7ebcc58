import LeapHub
public import LeapSDK

/// Downloads models, tells how far they are, and loads them.
///
///     let downloader = ModelDownloader()
///     let runner = try await downloader.loadModel(
///         modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M"
///     ) { fraction, _ in
///         print("Loading \(Int(fraction * 100))%")
///     }
///
/// Downloads that were interrupted, by whatever, go on from where they were. Several callers, and several programs, that
/// want one model at a time download it once.
public final class ModelDownloader: Sendable {
    /// Same as the type outside; the name in versions 0.9.
    public typealias ModelDownloadStatus = LeapModelDownloader.ModelDownloadStatus
    /// Same as the type outside; the name in versions 0.9.
    public typealias ModelDownloadStatusType = LeapModelDownloader.ModelDownloadStatusType

    /// Where downloads go, and how they are done.
    public let config: LeapDownloaderConfig
    let service: DownloadService
    #if canImport(Darwin)
    let background: BackgroundEvents
    #endif

    #if canImport(Darwin)
    init(config: LeapDownloaderConfig, background: BackgroundEvents) {
        self.config = config
        self.background = background
        service = DownloadService(config)
    }

    /// A downloader of a configuration.
    public convenience init(config: LeapDownloaderConfig) {
        self.init(config: config, background: BackgroundEvents(nil))
    }
    #else
    /// A downloader of a configuration.
    public init(config: LeapDownloaderConfig) {
        self.config = config
        service = DownloadService(config)
    }
    #endif

    /// A downloader of the usual configuration.
    public convenience init() { self.init(config: LeapDownloaderConfig()) }
}

// MARK: - By name

extension ModelDownloader {
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

    /// Downloads a model, unless it is on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModel(
        modelName: String, quantizationType: String, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(
            .init(model: modelName, quantization: quantizationType), isForced: false, downloadProgress)
    }

    /// Begins to download a model, and does not wait for it. Nothing happens if it is on this machine, unless forced, or
    /// on its way.
    public func requestDownloadModel(modelName: String, quantizationType: String, forceDownload: Bool = false) {
        service.request(.init(model: modelName, quantization: quantizationType), isForced: forceDownload)
    }

    /// Stops downloading a model. What has arrived stays for the next time.
    public func requestStopDownload(modelName: String, quantizationType: String) {
        service.stop(service.named(modelName, quantizationType))
    }

    /// How far a model is on this machine.
    public func queryStatus(modelName: String, quantizationType: String) async -> ModelDownloadStatus {
        service.status(service.named(modelName, quantizationType))
    }

    /// Removes a model from this machine, and stops its downloads.
    public func removeModel(modelName: String, quantizationType: String) async {
        // What cannot be removed is seen by its status.
        try? service.remove(service.named(modelName, quantizationType))
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
    public func getModelResourceFolder(modelName: String, quantizationType: String) -> String {
        service.folder(modelName, quantizationType)
    }

    /// The manifest of a model on this machine; nil if it is not here.
    public func getCachedManifest(modelName: String, quantizationType: String) async -> Manifest? {
        service.cached(modelName, quantizationType)?.manifest
    }

    /// Where a file of a model is on this machine; nil if it is not here.
    public func getCachedFilePath(modelUrl: String, modelName: String, quantizationType: String) -> String? {
        service.cachedFile(modelUrl, modelName, quantizationType)
    }

    /// The manifest of a model, as its source has it.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolve(modelName: String, quantizationType: String) async throws -> Manifest {
        try await service.plan(.init(model: modelName, quantization: quantizationType), modelName).manifest
    }

    /// The free bytes where models go; nil if that is not known.
    public func getAvailableDiskSpace() -> Int64? { service.availableSpace }
}
