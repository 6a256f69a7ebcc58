import Foundation
public import LeapSDK

/// The common interface of ``ModelDownloader`` and ``LeapDownloader``, which differ only in the names that existing
/// programs use.
public protocol ModelDownloading: Sendable {
    /// The implementation.
    var service: DownloadService { get }
}

extension ModelDownloading {
    /// Loads a model by its name, and downloads it first if necessary.
    ///
    /// - Parameters:
    ///   - modelName: The name, such as `LFM2.5-1.2B-Instruct`, or a Hugging Face repository, such as `hf:owner/name`.
    ///   - quantizationType: The quantisation, such as `Q4_K_M`.
    ///   - options: Loading options; `nil` for the defaults.
    ///   - generationTimeParameters: Defaults for all generations, which replace those of the manifest.
    ///   - forceDownload: Whether to download a model again that is already on this machine, which stays usable until
    ///     the new files are complete.
    ///   - downloadProgress: Called on the main actor during the download.
    /// - Throws: `LeapError` or `CancellationError`.
    public func loadModel(
        modelName: String, quantizationType: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            .init(model: modelName, quantization: quantizationType), isForced: forceDownload, options: options,
            parameters: generationTimeParameters, progress: downloadProgress)
    }

    /// Loads a model from files that the app specifies, and downloads them first if necessary.
    ///
    /// - Throws: `LeapError` or ``ModelDownloadError``.
    public func loadSimpleModel(
        model: ModelSource, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            model, isForced: forceDownload, options: options, parameters: generationTimeParameters,
            progress: downloadProgress)
    }

    /// Returns the total size of a model's files in bytes; -1 if a server does not report it.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func getModelSize(modelName: String, quantizationType: String) async throws -> Int64 {
        try await ModelDownloadError.awaiting {
            try await service.size(.init(model: modelName, quantization: quantizationType))
        }
    }

    /// Returns the manifest of a model on this machine; `nil` if the model is not here.
    public func getCachedManifest(modelName: String, quantizationType: String) async -> Manifest? {
        service.cached(modelName, quantizationType)?.manifest
    }

    /// Returns the path of a model's file on this machine; `nil` if the file is not here.
    public func getCachedFilePath(modelUrl: String, modelName: String, quantizationType: String) -> String? {
        service.cachedFile(modelUrl, modelName, quantizationType)
    }

    /// Returns the path of a model's file on this machine, given the URL it is downloaded from, whether or not it
    /// exists.
    public func getPathFromUrl(modelUrl: String, modelName: String, quantizationType: String) -> String {
        let name = URL(string: modelUrl)?.lastPathComponent ?? ""
        return service.folder(modelName, quantizationType) + "/" + name
    }

    /// Removes one file of a model from this machine. The model is incomplete until it is downloaded again. Does
    /// nothing if the file is not here.
    ///
    /// - Throws: ``ModelDownloadError`` if the file cannot be removed.
    public func deleteModelFile(modelUrl: String, modelName: String, quantizationType: String) async throws {
        guard let path = service.cachedFile(modelUrl, modelName, quantizationType) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw ModelDownloadError.downloadFileIOError("cannot remove \(path): \(error)", error)
        }
    }

    /// Fetches the manifest of a model from its source.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolve(modelName: String, quantizationType: String) async throws -> Manifest {
        try await service.plan(.init(model: modelName, quantization: quantizationType), modelName).manifest
    }
}
