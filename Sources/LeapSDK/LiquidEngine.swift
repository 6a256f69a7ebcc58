public import Foundation

/// A loaded model, in the API of the vendor's earliest engine, which versions 0.10 still had.
public final class LiquidEngine: Sendable {
    /// The URL of the model's file.
    public let modelURL: URL
    /// The runner, which creates conversations.
    public let runner: LiquidEngineRunner

    /// Loads a model, without blocking the calling thread.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public init(modelURL: URL) async throws {
        self.modelURL = modelURL
        runner = LiquidEngineRunner(
            runner: try await LiquidInferenceEngineRunner.create(url: modelURL), modelURL: modelURL)
    }

    /// Loads a model, without blocking the calling thread.
    ///
    /// - Parameters:
    ///   - modelURL: The URL of the model's file.
    ///   - model: The model's name. A part such as `-2K` sets the context size, here to 2,048 tokens.
    ///   - quantization: Ignored; the file specifies its quantisation.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public init(modelURL: URL, model: String, quantization: String) async throws {
        self.modelURL = modelURL
        let options = LiquidInferenceEngineOptions(
            bundlePath: modelURL.path, contextSize: Self.contextSize(named: model))
        runner = LiquidEngineRunner(
            runner: try await LiquidInferenceEngineRunner.create(url: modelURL, options: options), modelURL: modelURL)
    }

    /// Returns the number of tokens given by a part of a name, such as `2K`.
    static func contextSize(named model: String) -> UInt32? {
        let sizes = model.split(separator: "-").compactMap { part -> UInt32? in
            guard part.last?.uppercased() == "K", let thousands = UInt32(part.dropLast()), thousands < 1 << 20 else {
                return nil
            }
            return thousands * 1024
        }
        return sizes.last
    }
}

/// Creates conversations with a model; see ``LiquidEngine``.
public final class LiquidEngineRunner: Sendable {
    /// The URL of the model's file.
    public let modelURL: URL
    private let runner: LiquidInferenceEngineRunner

    /// Wraps a runner.
    public init(runner: LiquidInferenceEngineRunner, modelURL: URL) {
        self.runner = runner
        self.modelURL = modelURL
    }

    /// Creates a conversation with an existing history.
    public func createConversationFromHistory(history: [ChatMessage]) -> LiquidConversation {
        LiquidConversation(conversation: runner.createConversationFromHistory(history: history))
    }

    /// Returns the number of tokens in the prompt for some messages; see ``ModelRunner``.
    ///
    /// - Throws: ``LeapError/generationFailure(_:_:)`` if the template rejects the messages or the model is unloaded.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async throws -> Int {
        try runner.getPromptTokensSize(messages: messages, addBosToken: addBosToken)
    }

    /// Stops all generations and frees the model's memory.
    public func unload() async {
        await runner.unload()
    }
}
