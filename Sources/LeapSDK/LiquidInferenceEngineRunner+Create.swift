public import Foundation

/// The ways in which the API's versions spelled loading.
extension LiquidInferenceEngineRunner {
    /// Loads a model on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public convenience init(path: String, options: LiquidInferenceEngineOptions? = nil) throws {
        try self.init(options: .init(URL(filePath: path), options))
    }

    /// Loads a model.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func create(
        options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await create(
            options: options, generationTimeParameters: generationTimeParameters, detectsCompanions: true)
    }

    /// Loads a model.
    ///
    /// - Parameter detectsCompanions: Whether files beside the model are used.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
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
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func create(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> LiquidInferenceEngineRunner {
        try await create(
            options: .init(url, options), generationTimeParameters: generationTimeParameters,
            detectsCompanions: autoDetectCompanionFiles)
    }

    /// Loads runners, as `LiquidInferenceEngineRunner.companion.create(options:)`.
    public struct Companion: Sendable {
        /// Same as the static function.
        public func create(
            options: LiquidInferenceEngineOptions, generationTimeParameters: GenerationTimeParameters? = nil
        ) async throws -> LiquidInferenceEngineRunner {
            try await LiquidInferenceEngineRunner.create(
                options: options, generationTimeParameters: generationTimeParameters)
        }

        /// Same as the static function.
        public func create(
            url: URL, options: LiquidInferenceEngineOptions? = nil,
            generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
        ) async throws -> LiquidInferenceEngineRunner {
            try await LiquidInferenceEngineRunner.create(
                url: url, options: options, generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    /// Loads runners.
    public static let companion = Companion()
}
