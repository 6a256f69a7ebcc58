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
        self.init(
            try await Self.create(
                .init(model: model, quantization: quantization), options, nil, downloadProgressHandler))
    }

    /// Loads the model of a manifest; see `Leap.load(manifestURL:options:downloadProgressHandler:)`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    public convenience init(
        manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws {
        self.init(try await Self.create(.manifest(manifestURL), options, nil, downloadProgressHandler))
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
