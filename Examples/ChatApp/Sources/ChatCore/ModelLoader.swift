import LeapModelDownloader

/// The source of models: the network in the app, a folder in tests.
public struct ModelLoader: Sendable {
    /// Loads the model for some settings, and reports progress.
    public let load: @Sendable (ChatSettings, @escaping DownloadProgressHandler) async throws -> any ModelRunner

    /// A loader.
    public init(
        load: @escaping @Sendable (ChatSettings, @escaping DownloadProgressHandler) async throws -> any ModelRunner
    ) {
        self.load = load
    }

    /// Downloads models that are not on this machine.
    public static let downloading = ModelLoader { settings, progress in
        try await ModelDownloader().loadModel(
            modelName: settings.model, quantizationType: settings.quantization, downloadProgress: progress)
    }
}
