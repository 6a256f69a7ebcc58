import Foundation
public import LeapSDK

/// The interface that ``ModelDownloader`` and ``LeapDownloader`` share. They differ only in names that existing
/// programs use.
public protocol ModelDownloading: Sendable {
    /// Does the work.
    var service: DownloadService { get }
}

extension ModelDownloading {
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
    /// - Throws: `LeapError`; ``ModelDownloadError``.
    public func loadSimpleModel(
        model: ModelSource, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await service.load(
            model, isForced: forceDownload, options: options, parameters: generationTimeParameters,
            progress: downloadProgress)
    }

    /// The bytes of all files of a model; -1 if a server does not tell.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func getModelSize(modelName: String, quantizationType: String) async throws -> Int64 {
        try await ModelDownloadError.awaiting {
            try await service.size(.init(model: modelName, quantization: quantizationType))
        }
    }

    /// The manifest of a model on this machine; nil if it is not here.
    public func getCachedManifest(modelName: String, quantizationType: String) async -> Manifest? {
        service.cached(modelName, quantizationType)?.manifest
    }

    /// Where a file of a model is on this machine; nil if it is not here.
    public func getCachedFilePath(modelUrl: String, modelName: String, quantizationType: String) -> String? {
        service.cachedFile(modelUrl, modelName, quantizationType)
    }

    /// Where the file of a URL is or will be, of a model with this name.
    public func getPathFromUrl(modelUrl: String, modelName: String, quantizationType: String) -> String {
        let name = URL(string: modelUrl)?.lastPathComponent ?? ""
        return service.folder(modelName, quantizationType) + "/" + name
    }

    /// Removes one file of a model from this machine. The model is whole again once it is downloaded again.
    ///
    /// - Throws: ``ModelDownloadError`` where the file cannot be removed. One that is not here is no error.
    public func deleteModelFile(modelUrl: String, modelName: String, quantizationType: String) async throws {
        guard let path = service.cachedFile(modelUrl, modelName, quantizationType) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw ModelDownloadError.downloadFileIOError("\(path): cannot be removed: \(error)", error)
        }
    }

    /// The manifest of a model, as its source has it.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func resolve(modelName: String, quantizationType: String) async throws -> Manifest {
        try await service.plan(.init(model: modelName, quantization: quantizationType), modelName).manifest
    }
}
