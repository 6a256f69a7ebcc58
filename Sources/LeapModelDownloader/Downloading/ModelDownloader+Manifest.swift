public import Foundation
import LeapHub
public import LeapSDK

// By a manifest's URL. Programs of versions 0.10 have `NSURL` where others have `URL`.

extension ModelDownloader {
    /// Loads the model of a manifest: downloads it first, unless it is on this machine.
    ///
    /// - Throws: `LeapError`, or `CancellationError`.
    public func loadModel(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            .manifest(manifestUrl), isForced: forceDownload, options: options, parameters: generationTimeParameters,
            progress: downloadProgress)
    }

    /// Downloads the model of a manifest, unless it is on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifest(
        manifestUrl: URL, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await service.manifest(.manifest(manifestUrl), isForced: false, downloadProgress)
    }

    /// Begins to download the model of a manifest, and does not wait for it.
    public func requestDownloadModel(manifestUrl: URL, forceDownload: Bool = false) {
        service.request(.manifest(manifestUrl), isForced: forceDownload)
    }

    /// Stops downloading the model of a manifest. What has arrived stays for the next time.
    public func requestStopDownload(manifestUrl: URL) { service.stop(try? service.location(.manifest(manifestUrl))) }

    /// How far the model of a manifest is on this machine.
    public func queryStatus(manifestUrl: URL) async -> ModelDownloadStatus {
        service.status(try? service.location(.manifest(manifestUrl)))
    }

    /// Removes the model of a manifest from this machine, and stops its downloads.
    public func removeModel(manifestUrl: URL) async {
        // What cannot be removed is seen by its status.
        try? service.remove(try? service.location(.manifest(manifestUrl)))
    }
}

extension ModelDownloader {
    /// Same as with a `URL`.
    ///
    /// - Throws: `LeapError`, or `CancellationError`.
    public func loadModel(
        manifestUrl: NSURL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await loadModel(
            manifestUrl: manifestUrl.asURL, options: options, generationTimeParameters: generationTimeParameters,
            forceDownload: forceDownload, downloadProgress: downloadProgress)
    }

    /// Same as with a `URL`.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifest(
        manifestUrl: NSURL, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(manifestUrl: manifestUrl.asURL, downloadProgress: downloadProgress)
    }

    /// Same as with a `URL`.
    public func requestDownloadModel(manifestUrl: NSURL, forceDownload: Bool = false) {
        requestDownloadModel(manifestUrl: manifestUrl.asURL, forceDownload: forceDownload)
    }

    /// Same as with a `URL`.
    public func queryStatus(manifestUrl: NSURL) async -> ModelDownloadStatus {
        await queryStatus(manifestUrl: manifestUrl.asURL)
    }

    /// Same as with a `URL`.
    public func removeModel(manifestUrl: NSURL) async { await removeModel(manifestUrl: manifestUrl.asURL) }
}

extension NSURL {
    /// The same as a value. A URL always has a text, of which a URL can be made.
    fileprivate var asURL: URL { URL(string: (absoluteString as String?) ?? "") ?? URL(filePath: "/") }
}
