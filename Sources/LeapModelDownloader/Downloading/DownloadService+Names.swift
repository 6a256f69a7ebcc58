import Foundation
import LeapHub
import LeapSDK

/// The same operations by the names and URLs given to the downloaders.
extension DownloadService {
    /// Returns the location of a model; `nil` for an invalid name.
    func named(_ modelName: String, _ quantization: String) -> ModelLocation? {
        try? location(ModelReference(model: modelName, quantization: quantization))
    }

    /// Returns a model on this machine; `nil` if it is not here or its folder cannot be read.
    func cached(_ modelName: String, _ quantization: String) -> StoredModel? {
        named(modelName, quantization).flatMap { location in (try? hub.store.model(at: location)) ?? nil }
    }

    /// Returns the folder of a model; empty for an invalid name.
    func folder(_ modelName: String, _ quantization: String) -> String {
        guard let location = named(modelName, quantization), let hub = try? hub else { return "" }
        return hub.store.url(of: location).path
    }

    /// Returns the path of the file that was downloaded from a URL, regardless of the query.
    func cachedFile(_ url: String, _ modelName: String, _ quantization: String) -> String? {
        guard let name = URL(string: url)?.lastPathComponent, let model = cached(modelName, quantization) else {
            return nil
        }
        return model.files.first { $0.name.text == name }.map { model.folder.appending(path: $0.name.text).path }
    }

    func manifest(
        _ reference: ModelReference, isForced: Bool, _ progress: DownloadProgressHandler?
    ) async throws -> DownloadedModelManifest {
        try await ModelDownloadError.awaiting {
            DownloadedModelManifest(try await self.download(reference, isForced: isForced, progress: progress))
        }
    }

    func load(
        _ reference: ModelReference, isForced: Bool, options: LiquidInferenceEngineManifestOptions?,
        parameters: GenerationTimeParameters?, progress: DownloadProgressHandler?
    ) async throws -> any ModelRunner {
        let hub: Hub
        do { hub = try self.hub } catch { throw LeapError.modelLoadingFailure("\(error)", error) }
        return try await hub.load(options: options, parameters: parameters) {
            try await self.download(reference, isForced: isForced, progress: progress)
        }
    }

    func plan(_ reference: ModelReference, _ name: String) async throws -> LeapDownloader.ResolvedManifest {
        try await ModelDownloadError.awaiting {
            let (resolved, location) = try await hub.resolve(reference)
            let folder = try hub.store.url(of: location)
            let stored = try hub.store.model(at: location)
            return LeapDownloader.ResolvedManifest(
                manifest: resolved.manifest, modelName: name, quantizationSlug: location.quantization.text,
                resources: resolved.files.map { file in
                    LeapDownloader.ResolvedResource(
                        remoteUrl: file.url.absoluteString, localPath: folder.appending(path: file.name.text).path,
                        expectedSize: file.size, expectedSha256: file.sha256,
                        isCached: stored?.files.contains { $0.name == file.name } ?? false)
                })
        }
    }
}
