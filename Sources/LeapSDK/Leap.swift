public import Foundation

/// Loads models.
///
///     let runner = try await Leap.load(url: URL(filePath: "LFM2-1.2B-Q4_K_M.gguf"))
///     let conversation = runner.createConversation(systemPrompt: "Answer in one sentence.")
///     for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
///         if case .chunk(let text) = response { print(text, terminator: "") }
///     }
public struct Leap: Sendable {
    /// The loader as a value.
    public static let shared = Leap()

    private init() {}

    /// Loads a model from a GGUF file, without blocking the calling thread.
    ///
    /// - Parameters:
    ///   - url: The file; the first one of a split set.
    ///   - options: Loading options, whose `bundlePath` is replaced by the URL's path; `nil` for the defaults.
    ///   - generationTimeParameters: Defaults for all generations, which override those that the model recommends.
    ///   - autoDetectCompanionFiles: Whether to use files in the model's folder if the options name none: the
    ///     projector, `mmproj-….gguf`, and the files for audio output, `vocoder-….gguf` and `tokenizer-….gguf`.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public static func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await LiquidInferenceEngineRunner.create(
            url: url, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model with a context size in tokens and a number of compute threads; `nil` for the defaults.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    @_disfavoredOverload
    public static func load(
        url: URL, contextSize: UInt32? = nil, cpuThreads: UInt32? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await load(
            url: url,
            options: LiquidInferenceEngineOptions(
                bundlePath: url.path, cpuThreads: cpuThreads, contextSize: contextSize),
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model synchronously, on the calling thread, for callers that cannot `await`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public static func load(url: URL, options: LiquidInferenceEngineOptions? = nil) throws -> any ModelRunner {
        try LiquidInferenceEngineRunner(options: .init(url, options))
    }

    /// Loads a model from `options.bundlePath` synchronously, on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public static func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
        try LiquidInferenceEngineRunner(options: options)
    }
}

// MARK: - The same as instance methods

extension Leap {
    /// Same as the static method.
    public func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await Self.load(
            url: url, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Same as the static method.
    @_disfavoredOverload
    public func load(
        url: URL, contextSize: UInt32? = nil, cpuThreads: UInt32? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await Self.load(
            url: url, contextSize: contextSize, cpuThreads: cpuThreads,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Same as the static method.
    public func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
        try Self.load(options: options)
    }
}

extension LiquidInferenceEngineOptions {
    /// Creates options whose path is that of a URL.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if it is not a file URL.
    init(_ url: URL, _ options: LiquidInferenceEngineOptions?) throws(LeapError) {
        guard url.isFileURL else {
            throw .modelLoadingFailure("'\(url.absoluteString)' is not a file URL", nil)
        }
        self = options ?? LiquidInferenceEngineOptions(bundlePath: "")
        bundlePath = url.path
    }
}
