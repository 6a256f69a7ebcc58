public import Foundation
package import LeapHub

extension LiquidInferenceEngineRunner {
    /// Loads a model by its name; see `Leap.load(model:quantization:options:downloadProgressHandler:)`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    public convenience init(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws {
        let (options, parameters) = try await Self.download(
            .init(model: model, quantization: quantization), options, downloadProgressHandler)
        try self.init(options: options, generationTimeParameters: parameters)
    }

    /// Loads the model of a manifest; see `Leap.load(manifestURL:options:downloadProgressHandler:)`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    public convenience init(
        manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws {
        let (options, parameters) = try await Self.download(.manifest(manifestURL), options, downloadProgressHandler)
        try self.init(options: options, generationTimeParameters: parameters)
    }

    /// Loads a model by its name; see `Leap.load(model:quantization:options:downloadProgressHandler:)`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    public static func create(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await create(
            .init(model: model, quantization: quantization), options, generationTimeParameters, downloadProgressHandler)
    }

    /// Loads the model of a manifest; see `Leap.load(manifestURL:options:downloadProgressHandler:)`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    public static func create(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await create(.manifest(manifestUrl), options, generationTimeParameters, downloadProgressHandler)
    }

    private static func create(
        _ reference: ModelReference, _ options: LiquidInferenceEngineManifestOptions?,
        _ parameters: GenerationTimeParameters?, _ progress: DownloadProgressHandler?
    ) async throws -> LiquidInferenceEngineRunner {
        let hub: Hub
        do { hub = try SharedHub.current } catch { throw LeapError.modelLoadingFailure("\(error)", error) }
        return try await hub.load(reference, options: options, parameters: parameters, progress: progress)
    }

    /// Downloads a model if necessary.
    ///
    /// - Returns: The options for loading its file.
    private static func download(
        _ reference: ModelReference, _ options: LiquidInferenceEngineManifestOptions?,
        _ progress: DownloadProgressHandler?
    ) async throws -> (LiquidInferenceEngineOptions, GenerationTimeParameters?) {
        do {
            let model = try await SharedHub.current.download(reference) { step in
                if let progress { step.tell(progress) }
            }
            await TransferProgress.drain(for: progress)
            return try model.engineOptions(options, nil)
        } catch let error as HubError {
            throw LeapError.modelLoadingFailure("\(error)", error)
        }
    }
}

extension LiquidInferenceEngineRunner.Companion {
    /// Same as the static method.
    public func create(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await LiquidInferenceEngineRunner.create(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as the static method.
    public func create(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await LiquidInferenceEngineRunner.create(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            downloadProgressHandler: downloadProgressHandler)
    }
}

extension ModelReference {
    /// Creates a reference from a name given by an app: that of a model of the vendor, or `hf:owner/name`.
    package init(model: String, quantization: String?) {
        let prefix = "hf:"
        self =
            model.hasPrefix(prefix)
            ? .repository(String(model.dropFirst(prefix.count)), quantization: quantization)
            : .named(model, quantization: quantization)
    }
}
