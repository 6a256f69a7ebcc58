public import Foundation
import LeapHub
public import LeapSDK

// By a manifest's URL. Programs of versions 0.10 have `NSURL` where others have `URL`.

extension ModelDownloader {
    /// Loads the model of a manifest, and downloads it first if necessary.
    ///
    /// - Throws: `LeapError` or `CancellationError`.
    public func loadModel(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            .manifest(manifestUrl), isForced: forceDownload, options: options, parameters: generationTimeParameters,
            progress: downloadProgress)
    }

    /// Downloads the model of a manifest, unless it is already on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifest(
        manifestUrl: URL, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(.manifest(manifestUrl), isForced: false, downloadProgress)
    }

    /// Starts downloading the model of a manifest and returns immediately. Does nothing if it is already being
    /// downloaded, or is on this machine and `forceDownload` is false.
    public func requestDownloadModel(manifestUrl: URL, forceDownload: Bool = false) {
        service.request(.manifest(manifestUrl), isForced: forceDownload)
    }

    /// Stops downloading the model of a manifest. The received data is kept, so that the download can be resumed.
    public func requestStopDownload(manifestUrl: URL) { service.stop(try? service.location(.manifest(manifestUrl))) }

    /// Returns the download status of the model of a manifest.
    public func queryStatus(manifestUrl: URL) async -> ModelDownloadStatus {
        service.status(try? service.location(.manifest(manifestUrl)))
    }

    /// Removes the model of a manifest from this machine and stops its downloads.
    public func removeModel(manifestUrl: URL) async {
        // What cannot be removed is seen by its status.
        try? service.remove(try? service.location(.manifest(manifestUrl)))
    }
}

extension ModelDownloader {
    /// Same as the method that takes a `URL`.
    ///
    /// - Throws: `LeapError` or `CancellationError`.
    public func loadModel(
        manifestUrl: NSURL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await loadModel(
            manifestUrl: manifestUrl.asURL, options: options, generationTimeParameters: generationTimeParameters,
            forceDownload: forceDownload, downloadProgress: downloadProgress)
    }

    /// Same as the method that takes a `URL`.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifest(
        manifestUrl: NSURL, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(manifestUrl: manifestUrl.asURL, downloadProgress: downloadProgress)
    }

    /// Same as the method that takes a `URL`.
    public func requestDownloadModel(manifestUrl: NSURL, forceDownload: Bool = false) {
        requestDownloadModel(manifestUrl: manifestUrl.asURL, forceDownload: forceDownload)
    }

    /// Same as the method that takes a `URL`.
    public func queryStatus(manifestUrl: NSURL) async -> ModelDownloadStatus {
        await queryStatus(manifestUrl: manifestUrl.asURL)
    }

    /// Same as the method that takes a `URL`.
    public func removeModel(manifestUrl: NSURL) async { await removeModel(manifestUrl: manifestUrl.asURL) }
}

extension NSURL {
    /// The URL as a value type.
    fileprivate var asURL: URL { URL(string: (absoluteString as String?) ?? "") ?? URL(filePath: "/") }
}
