public import Foundation

/// The spellings of loading in different versions of the API.
extension LiquidInferenceEngineRunner {
    /// Loads a model from a path synchronously, on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public convenience init(path: String, options: LiquidInferenceEngineOptions? = nil) throws {
        try self.init(options: .init(URL(filePath: path), options))
    }

    /// Loads a model from `options.bundlePath`, without blocking the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public static func create(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await create(
            options: options, generationTimeParameters: generationTimeParameters, detectsCompanions: true)
    }

    /// Loads a model from `options.bundlePath`, without blocking the calling thread.
    ///
    /// - Parameter detectsCompanions: Whether to use companion files next to the model.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    package static func create(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters?,
        detectsCompanions: Bool
    ) async throws -> LiquidInferenceEngineRunner {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(
                    with: Result {
                        try LiquidInferenceEngineRunner(
                            options: options, generationTimeParameters: generationTimeParameters,
                            detectsCompanions: detectsCompanions)
                    })
            }
        }
    }

    /// Loads a model from a file; see `Leap.load`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public static func create(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> LiquidInferenceEngineRunner {
        try await create(
            options: .init(url, options), generationTimeParameters: generationTimeParameters,
            detectsCompanions: autoDetectCompanionFiles)
    }

    /// Loads runners in the syntax of versions 0.10: `LiquidInferenceEngineRunner.companion.create(options:)`.
    public struct Companion: Sendable {
        /// Same as the static method.
        public func create(
            options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
        ) async throws -> LiquidInferenceEngineRunner {
            try await LiquidInferenceEngineRunner.create(
                options: options, generationTimeParameters: generationTimeParameters)
        }

        /// Same as the static method.
        public func create(
            url: URL, options: LiquidInferenceEngineOptions? = nil,
            generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
        ) async throws -> LiquidInferenceEngineRunner {
            try await LiquidInferenceEngineRunner.create(
                url: url, options: options, generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    /// Loads runners in the syntax of versions 0.10.
    public static let companion = Companion()
}
