public import Foundation

/// Loads models.
///
///     let runner = try await Leap.load(url: URL(filePath: "LFM2-1.2B-Q4_K_M.gguf"))
///     let conversation = runner.createConversation(systemPrompt: "Answer in one sentence.")
///     for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
///         if case .chunk(let text) = response { print(text, terminator: "") }
///     }
public struct Leap: Sendable {
    /// The loader as a value, for programs that hand it around.
    public static let shared = Leap()

    private init() {}

    /// Loads a model from a GGUF file; of a split set, from the first file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - options: How to load; its path is replaced by the URL's.
    ///   - generationTimeParameters: Defaults of all generations. They override those that the model recommends.
    ///   - autoDetectCompanionFiles: Whether to use files in the model's folder where the options name none: a projector,
    ///     `mmproj-….gguf`, and the files of a voice, `vocoder-….gguf` and `tokenizer-….gguf`.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await LiquidInferenceEngineRunner.create(
            url: url, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model with a context and a number of threads.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
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

    /// Loads a model synchronously, for callers that cannot `await`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func load(url: URL, options: LiquidInferenceEngineOptions? = nil) throws -> any ModelRunner {
        try LiquidInferenceEngineRunner(options: .init(url, options))
    }

    /// Loads a model from `options.bundlePath`, on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
        try LiquidInferenceEngineRunner(options: options)
    }
}

// MARK: - The same as instance methods

extension Leap {
    /// Same as the static function.
    public func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await Self.load(
            url: url, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Same as the static function.
    @_disfavoredOverload
    public func load(
        url: URL, contextSize: UInt32? = nil, cpuThreads: UInt32? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await Self.load(
            url: url, contextSize: contextSize, cpuThreads: cpuThreads,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Same as the static function.
    public func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
        try Self.load(options: options)
    }
}

extension LiquidInferenceEngineOptions {
    /// Options whose path is that of a URL.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` for a URL that is not a file's.
    init(_ url: URL, _ options: LiquidInferenceEngineOptions?) throws(LeapError) {
        guard url.isFileURL else {
            throw .modelLoadingFailure("'\(url.absoluteString)' is not the URL of a file", nil)
        }
        self = options ?? LiquidInferenceEngineOptions(bundlePath: "")
        bundlePath = url.path
    }
}
