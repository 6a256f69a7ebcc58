import Foundation
import LeapHTTP
import LeapHub
import LeapSDK
import Synchronization

/// The common implementation of both downloaders: a hub, and the running downloads. Apps use it through the methods of
/// a downloader.
public final class DownloadService: Sendable {
    /// The hub, or the error that all methods throw because there is none.
    private let made: Result<Hub, any Error>
    private let running = Mutex<[ModelLocation: Running]>([:])

    private struct Running {
        var progress = 0.0
        /// One per caller: several may wait for one model.
        var stops: [UUID: @Sendable () -> Void] = [:]
    }

    /// - Parameter transport: Makes the transport of the hub; `nil` for the system's.
    init(
        _ config: LeapDownloaderConfig, transport: (TransportConfiguration) -> (any Transport)? = { _ in nil }
    ) {
        made = Result {
            let configuration = try config.hubConfiguration
            return Hub(configuration: configuration, transport: transport(configuration.transport))
        }
    }

    var hub: Hub { get throws { try made.get() } }

    // MARK: Downloading

    /// Downloads a model.
    func download(
        _ reference: ModelReference, isForced: Bool = false, progress: DownloadProgressHandler? = nil
    ) async throws -> StoredModel {
        let hub = try hub
        return try await track(try location(reference), progress) { tell in
            try await hub.download(reference, isForced: isForced, progress: tell)
        }
    }

    /// Downloads individually specified files.
    func download(
        files: [ModelFileRole: URL], to location: ModelLocation, isForced: Bool = false,
        progress: DownloadProgressHandler? = nil
    ) async throws -> StoredModel {
        let hub = try hub
        return try await track(location, progress) { tell in
            try await hub.download(files: files, to: location, isForced: isForced, progress: tell)
        }
    }

    /// Starts a download without waiting for it. Does nothing if the model is already here or being downloaded.
    func request(_ reference: ModelReference, isForced: Bool) {
        // Invalid requests are reported by the status.
        guard let hub = try? hub, let location = try? location(reference) else { return }
        request(location, isForced: isForced) { tell in
            try await hub.download(reference, isForced: isForced, progress: tell)
        }
    }

    /// Starts a download of individually specified files.
    func request(files: [ModelFileRole: URL], to location: ModelLocation, isForced: Bool) {
        guard let hub = try? hub else { return }
        request(location, isForced: isForced) { tell in
            try await hub.download(files: files, to: location, isForced: isForced, progress: tell)
        }
    }

    private func request(_ location: ModelLocation, isForced: Bool, _ body: @escaping Download) {
        switch status(location) {
        case .downloadInProgress: return
        case .downloaded where !isForced: return
        default: begin(location, nil, body)
        }
    }

    /// Stops all downloads of a model. The received data is kept.
    func stop(_ location: ModelLocation?) {
        // They count as stopped at once, so that a new request can begin; it then waits for their file locks.
        let stopped = running.withLock { running in location.flatMap { running.removeValue(forKey: $0) } }
        stopped?.stops.values.forEach { $0() }
    }

    /// Downloads and reports the progress.
    private typealias Download =
        @Sendable (_ tell: @escaping @Sendable (TransferProgress) -> Void) async throws -> StoredModel

    private func track(
        _ location: ModelLocation, _ progress: DownloadProgressHandler?, _ body: @escaping Download
    ) async throws -> StoredModel {
        let task = begin(location, progress, body)
        let model = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        await TransferProgress.drain(for: progress)
        return model
    }

    /// Starts a download, which the status includes until it ends.
    @discardableResult
    private func begin(
        _ location: ModelLocation, _ progress: DownloadProgressHandler?, _ body: @escaping Download
    ) -> Task<StoredModel, any Error> {
        let id = UUID()
        return running.withLock { running in
            let task = Task {
                defer { self.end(id, location) }
                return try await body { step in
                    self.running.withLock { running in
                        if running[location]?.stops[id] != nil { running[location]?.progress = step.fraction }
                    }
                    if let progress { step.tell(progress) }
                }
            }
            running[location, default: Running()].stops[id] = { task.cancel() }
            return task
        }
    }

    private func end(_ id: UUID, _ location: ModelLocation) {
        running.withLock { running in
            running[location]?.stops[id] = nil
            if running[location]?.stops.isEmpty == true { running[location] = nil }
        }
    }

    // MARK: Looking

    /// Returns the location of a model.
    func location(_ reference: ModelReference) throws -> ModelLocation { try hub.store.location(of: reference) }

    func status(_ location: ModelLocation?) -> ModelDownloadStatus {
        guard let location else { return .notOnLocal }
        if let progress = running.withLock({ $0[location]?.progress }) {
            return .downloadInProgress(progress: progress)
        }
        // A folder that cannot be read holds no model.
        return (try? hub.store.model(at: location)) ?? nil == nil ? .notOnLocal : .downloaded
    }

    /// Returns the total size of all files in bytes; -1 if a server does not report it.
    func size(_ reference: ModelReference) async throws -> Int64 {
        if let model = try hub.cached(reference) { return model.size }
        let sizes = try await hub.resolve(reference).manifest.files.map(\.size)
        return sizes.contains(nil) ? -1 : sizes.compactMap(\.self).reduce(0, +)
    }

    func remove(_ location: ModelLocation?) throws {
        guard let location else { return }
        stop(location)
        try hub.store.remove(location)
    }

    /// The free disk space for models in bytes; `nil` if unknown.
    var availableSpace: Int64? {
        guard let models = try? hub.configuration.models else { return nil }
        // The folder need not exist yet.
        var folder = models
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        return DiskSpace.available(at: folder)
    }
}

extension DownloadService {
    /// Downloads the missing files of a model with individually specified files, and loads it. Other files in the
    /// folder are left alone.
    func load(
        _ source: ModelSource, isForced: Bool = false, options: LiquidInferenceEngineManifestOptions?,
        parameters: GenerationTimeParameters?, progress: DownloadProgressHandler?
    ) async throws -> any ModelRunner {
        var files: [ModelFileRole: URL] = [:]
        for (role, path) in source.files {
            guard let url = path.contains("://") ? URL(string: path) : URL(filePath: path) else {
                throw LeapError.modelLoadingFailure("'\(path)' is neither a path nor a URL", nil)
            }
            files[role] = url
        }
        return files.values.allSatisfy(\.isFileURL)
            ? try await load(local: files, options, parameters)
            : try await load(files, of: source, isForced: isForced, options, parameters, progress)
    }

    private func load(
        local files: [ModelFileRole: URL], _ options: LiquidInferenceEngineManifestOptions?,
        _ parameters: GenerationTimeParameters?
    ) async throws -> any ModelRunner {
        var engineOptions = (options ?? LiquidInferenceEngineManifestOptions())
            .engineOptions(bundlePath: files[.model]?.path ?? "")
        engineOptions.mmProjPath = files[.multimodalProjector]?.path
        engineOptions.audioDecoderPath = files[.audioDecoder]?.path
        engineOptions.audioTokenizerPath = files[.audioTokenizer]?.path
        return try await LiquidInferenceEngineRunner.create(
            options: engineOptions, generationTimeParameters: parameters, detectsCompanions: false)
    }

    private func load(
        _ files: [ModelFileRole: URL], of source: ModelSource, isForced: Bool,
        _ options: LiquidInferenceEngineManifestOptions?, _ parameters: GenerationTimeParameters?,
        _ progress: DownloadProgressHandler?
    ) async throws -> any ModelRunner {
        // All files must be in the model's own folder. The name is only for that, so it may be a repository's.
        let name = source.modelName.replacing("/", with: "--")
        let location = try ModelDownloadError.mapping {
            try ModelLocation(.named(name, quantization: source.quantizationId))
        }
        let hub = try ModelDownloadError.mapping { try self.hub }
        return try await hub.load(options: options, parameters: parameters, detectsCompanions: false) {
            try await ModelDownloadError.awaiting {
                try await self.download(files: files, to: location, isForced: isForced, progress: progress)
            }
        }
    }
}
