public import Foundation
import LeapHub

extension Leap {
    /// Loads a model by its name: downloads it first, unless it is on this machine.
    ///
    /// - Parameters:
    ///   - model: The name, as in `LFM2.5-1.2B-Instruct`, or a repository of Hugging Face, as in `hf:owner/name`.
    ///   - quantization: As in `Q4_K_M`.
    ///   - options: How to load.
    ///   - downloadProgressHandler: Called while files arrive, on the main actor.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``, whose text lists the available names if the name is unknown, or
    ///   `CancellationError`.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await LiquidInferenceEngineRunner.create(
            model: model, quantization: quantization, options: options, downloadProgressHandler: downloadProgressHandler
        )
    }

    /// Loads the model of a manifest: downloads its files first, unless they are on this machine.
    ///
    /// - Parameters:
    ///   - manifestURL: The manifest, by https or as a file.
    ///   - options: How to load.
    ///   - downloadProgressHandler: Called while files arrive, on the main actor.
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

    /// Same as `load(model:quantization:options:downloadProgressHandler:)`, as some programs spell it.
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
    /// Same as the static function.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options, downloadProgressHandler: downloadProgressHandler
        )
    }

    /// Same as the static function.
    public func load(
        manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestURL: manifestURL, options: options, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as the static function.
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: DownloadProgressHandler? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestURL: manifestUrl, options: options, downloadProgressHandler: downloadProgressHandler)
    }

    /// Same as the static function.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        progress: @escaping DownloadProgressHandler
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options, downloadProgressHandler: progress)
    }
}
