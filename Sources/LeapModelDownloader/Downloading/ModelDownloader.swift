import LeapHub
public import LeapSDK

#if canImport(Darwin)
public import Foundation
import LeapHTTP
#endif

/// Downloads models, reports their download status, and loads them.
///
///     let downloader = ModelDownloader()
///     let runner = try await downloader.loadModel(
///         modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M"
///     ) { fraction, _ in
///         print("Loading \(Int(fraction * 100))%")
///     }
///
/// Interrupted downloads are resumed where they stopped. If several callers or programs request the same model at the
/// same time, it is downloaded once.
public final class ModelDownloader: ModelDownloading {
    /// Same as the top-level type, under its name in versions 0.9.
    public typealias ModelDownloadStatus = LeapModelDownloader.ModelDownloadStatus
    /// Same as the top-level type, under its name in versions 0.9.
    public typealias ModelDownloadStatusType = LeapModelDownloader.ModelDownloadStatusType

    /// The configuration: where models are stored and how they are downloaded.
    public let config: LeapDownloaderConfig
    /// The implementation.
    public let service: DownloadService
    #if canImport(Darwin)
    let background: BackgroundEvents
    #endif

    #if canImport(Darwin)
    /// Creates a downloader whose transfers use the networks that a session configuration allows, with its further
    /// settings except those for caching, timeouts and cookies. Of a background configuration only the networks count, see
    /// ``BackgroundEvents``.
    ///
    /// - Parameter sessionConfiguration: It is copied; `nil` for the system's standard.
    public init(config: LeapDownloaderConfig, sessionConfiguration: URLSessionConfiguration?) {
        self.config = config
        background = BackgroundEvents(sessionConfiguration)
        service = DownloadService(config) { transport in
            sessionConfiguration.map { SystemTransport(configuration: transport, sessionConfiguration: $0) }
        }
    }

    /// Creates a downloader with a configuration.
    public convenience init(config: LeapDownloaderConfig) {
        self.init(config: config, sessionConfiguration: nil)
    }
    #else
    /// Creates a downloader with a configuration.
    public init(config: LeapDownloaderConfig) {
        self.config = config
        service = DownloadService(config)
    }
    #endif

    /// Creates a downloader with the default configuration.
    public convenience init() { self.init(config: LeapDownloaderConfig()) }
}

// MARK: - By name

extension ModelDownloader {
    /// Downloads a model, unless it is already on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModel(
        modelName: String, quantizationType: String, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(
            .init(model: modelName, quantization: quantizationType), isForced: false, downloadProgress)
    }

    /// Starts downloading a model and returns immediately. Does nothing if it is already being downloaded, or is on
    /// this machine and `forceDownload` is false.
    public func requestDownloadModel(modelName: String, quantizationType: String, forceDownload: Bool = false) {
        service.request(.init(model: modelName, quantization: quantizationType), isForced: forceDownload)
    }

    /// Stops downloading a model. The received data is kept, so that the download can be resumed.
    public func requestStopDownload(modelName: String, quantizationType: String) {
        service.stop(service.named(modelName, quantizationType))
    }

    /// Returns the download status of a model.
    public func queryStatus(modelName: String, quantizationType: String) async -> ModelDownloadStatus {
        service.status(service.named(modelName, quantizationType))
    }

    /// Removes a model from this machine and stops its downloads.
    public func removeModel(modelName: String, quantizationType: String) async {
        // What cannot be removed is seen by its status.
        try? service.remove(service.named(modelName, quantizationType))
    }

    /// Returns the path of the folder for a model's files.
    public func getModelResourceFolder(modelName: String, quantizationType: String) -> String {
        service.folder(modelName, quantizationType)
    }

    /// Returns the free disk space for models in bytes; `nil` if unknown.
    public func getAvailableDiskSpace() -> Int64? { service.availableSpace }
}
