public import Foundation
import LeapHub

extension Leap {
    /// Loads a model by its name, and downloads it first if necessary.
    ///
    /// - Parameters:
    ///   - model: The name, such as `LFM2.5-1.2B-Instruct`, or a Hugging Face repository, such as `hf:owner/name`.
    ///   - quantization: The quantisation, such as `Q4_K_M`.
    ///   - options: Loading options; `nil` for the defaults.
    ///   - downloadProgressHandler: Called on the main actor during the download.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, whose text lists the available names if the name is unknown,
    ///   or `CancellationError`.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await LiquidInferenceEngineRunner.create(
            model: model, quantization: quantization, options: options, downloadProgressHandler: downloadProgressHandler
        )
    }

    /// Loads the model of a manifest, and downloads its files first if necessary.
    ///
    /// - Parameters:
    ///   - manifestURL: The manifest: an `https` or file URL.
    ///   - options: Loading options; `nil` for the defaults.
    ///   - downloadProgressHandler: Called on the main actor during the download.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, or `CancellationError`.
    public static func load(
        manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await LiquidInferenceEngineRunner.create(
            manifestUrl: manifestURL, options: options, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as `load(manifestURL:options:downloadProgressHandler:)`, in the spelling of versions 0.10.
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await load(
            manifestURL: manifestUrl, options: options, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as `load(model:quantization:options:downloadProgressHandler:)`, in another spelling.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        progress: @escaping DownloadProgressHandler
    ) async throws -> any ModelRunner {
        try await load(
            model: model, quantization: quantization, options: options, downloadProgressHandler: progress)
    }
}

// MARK: - The same as instance methods

extension Leap {
    /// Same as the static method.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options, downloadProgressHandler: downloadProgressHandler
        )
    }

    /// Same as the static method.
    public func load(
        manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestURL: manifestURL, options: options, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as the static method.
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestURL: manifestUrl, options: options, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as the static method.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        progress: @escaping DownloadProgressHandler
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options, downloadProgressHandler: progress)
    }
}
