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
public final class ModelDownloader: ModelDownloading {
    /// Same as the type outside; the name in versions 0.9.
    public typealias ModelDownloadStatus = LeapModelDownloader.ModelDownloadStatus
    /// Same as the type outside; the name in versions 0.9.
    public typealias ModelDownloadStatusType = LeapModelDownloader.ModelDownloadStatusType

    /// Where downloads go, and how they are done.
    public let config: LeapDownloaderConfig
    /// Does the work.
    public let service: DownloadService
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

    /// The folder that a model's files go to.
    public func getModelResourceFolder(modelName: String, quantizationType: String) -> String {
        service.folder(modelName, quantizationType)
    }

    /// The free bytes where models go; nil if that is not known.
    public func getAvailableDiskSpace() -> Int64? { service.availableSpace }
}
