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
    ///   - generationTimeParameters: Defaults of all generations, in the place of those that the model recommends.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil
    ) async throws -> any ModelRunner {
        guard url.isFileURL else {
            throw LeapError.modelLoadingFailure("'\(url.absoluteString)' is not the URL of a file", nil)
        }
        var options = options ?? LiquidInferenceEngineOptions(bundlePath: "")
        options.bundlePath = url.path
        return try await LiquidInferenceEngineRunner.load(options, generationTimeParameters)
    }

    /// Loads a model from `options.bundlePath`, on the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
        try LiquidInferenceEngineRunner(options: options)
    }

    /// Same as the static ``load(url:options:generationTimeParameters:)``.
    public func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(url: url, options: options, generationTimeParameters: generationTimeParameters)
    }

    /// Loads a model with a context and a number of threads.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public func load(url: URL, contextSize: UInt32?, cpuThreads: UInt32? = nil) async throws -> any ModelRunner {
        try await Self.load(
            url: url,
            options: LiquidInferenceEngineOptions(
                bundlePath: url.path, cpuThreads: cpuThreads, contextSize: contextSize))
    }
}
