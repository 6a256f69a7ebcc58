public import Foundation
import LeapHub
import LeapSDK

// The spellings of versions 0.9: first arguments without labels, and a status without waiting.

extension ModelDownloader {
    /// Downloads a model, unless it is already on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModel(
        _ model: String, quantization: String, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModel(modelName: model, quantizationType: quantization, downloadProgress: downloadProgress)
    }

    /// Downloads the model of a manifest, unless it is already on this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func downloadModelFromManifest(
        _ url: URL, downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(manifestUrl: url, downloadProgress: downloadProgress)
    }

    /// Returns the download status of a model.
    public func queryStatus(_ model: String, quantization: String) -> ModelDownloadStatus {
        service.status(service.named(model, quantization))
    }

    /// Returns the download status of the model of a manifest.
    public func queryStatus(_ manifestURL: URL) -> ModelDownloadStatus {
        service.status(try? service.location(.manifest(manifestURL)))
    }

    /// Removes a model from this machine and stops its downloads.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func removeModel(_ model: String, quantization: String) throws {
        try ModelDownloadError.mapping { try service.remove(service.named(model, quantization)) }
    }

    /// Removes the model of a manifest from this machine and stops its downloads.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func removeModel(fromManifestURL url: URL) throws {
        try ModelDownloadError.mapping { try service.remove(service.location(.manifest(url))) }
    }

    /// Returns the total size of a model's files in bytes; -1 if a server does not report it.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func getModelSize(modelName: String, quantization: String) async throws -> Int64 {
        try await getModelSize(modelName: modelName, quantizationType: quantization)
    }
}

// MARK: - Single files

extension ModelDownloader {
    /// Downloads a single file, unless it is already on this machine.
    ///
    /// - Returns: The URL of the local file, or a ``ModelDownloadError``.
    public func downloadModel(
        _ model: any DownloadableModel, forceDownload: Bool = false
    ) async -> Result<URL, any Error> {
        do {
            return .success(
                try await ModelDownloadError.awaiting {
                    let stored = try await self.service.download(
                        files: [.model: model.url], to: model.location, isForced: forceDownload)
                    return stored.url(of: .model) ?? stored.folder
                })
        } catch {
            return .failure(error)
        }
    }

    /// Starts downloading a single file and returns immediately.
    public func requestDownloadModel(_ model: any DownloadableModel, forceDownload: Bool = false) {
        // A name that can be none has no status either.
        guard let location = try? model.location else { return }
        service.request(files: [.model: model.url], to: location, isForced: forceDownload)
    }

    /// Stops downloading a single file. The received data is kept, so that the download can be resumed.
    public func requestStopDownload(_ model: any DownloadableModel) { service.stop(try? model.location) }

    /// Returns the download status of a single file.
    public func queryStatus(_ model: any DownloadableModel) -> ModelDownloadStatus {
        service.status(try? model.location)
    }

    /// Returns the local URL of a single file, whether or not it has been downloaded.
    public func getModelFile(_ model: any DownloadableModel) -> URL {
        guard let location = try? model.location, let store = try? service.hub.store else { return model.url }
        return store.url(of: location).appending(path: model.localFilename)
    }

    /// Returns the size of a downloaded file in bytes; `nil` if it is not on this machine.
    public func getModelFileSize(_ model: any DownloadableModel) -> Int64? {
        guard let location = try? model.location else { return nil }
        return (try? service.hub.store.model(at: location))??.size
    }

    /// Removes a single file from this machine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func removeModel(_ model: any DownloadableModel) throws {
        try ModelDownloadError.mapping { try service.remove(model.location) }
    }
}
