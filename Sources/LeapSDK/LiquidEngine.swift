public import Foundation

/// A loaded model, under the names of the vendor's earliest engine, which versions 0.10 kept.
public final class LiquidEngine: Sendable {
    /// The model's file.
    public let modelURL: URL
    /// What begins conversations.
    public let runner: LiquidEngineRunner

    /// Loads a model.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public init(modelURL: URL) async throws {
        self.modelURL = modelURL
        runner = LiquidEngineRunner(
            runner: try await LiquidInferenceEngineRunner.create(url: modelURL), modelURL: modelURL)
    }

    /// Loads a model.
    ///
    /// - Parameters:
    ///   - modelURL: The model's file.
    ///   - model: The model's name. A suffix such as `-2K` sets the context size.
    ///   - quantization: Ignored: the file itself says how it is quantised.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public init(modelURL: URL, model: String, quantization: String) async throws {
        self.modelURL = modelURL
        let options = LiquidInferenceEngineOptions(
            bundlePath: modelURL.path, contextSize: Self.contextSize(named: model))
        runner = LiquidEngineRunner(
            runner: try await LiquidInferenceEngineRunner.create(url: modelURL, options: options), modelURL: modelURL)
    }

    /// The tokens that a part of a name such as `2K` stands for.
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

/// What begins conversations with a model; see ``LiquidEngine``.
public final class LiquidEngineRunner: Sendable {
    /// The model's file.
    public let modelURL: URL
    private let runner: LiquidInferenceEngineRunner

    /// Wraps a runner.
    public init(runner: LiquidInferenceEngineRunner, modelURL: URL) {
        self.runner = runner
        self.modelURL = modelURL
    }

    /// Begins a conversation in which something was said already.
    public func createConversationFromHistory(history: [ChatMessage]) -> LiquidConversation {
        LiquidConversation(conversation: runner.createConversationFromHistory(history: history))
    }

    /// The number of tokens that a prompt of these messages has.
    ///
    /// - Throws: ``LeapError/generationFailure(_:_:)``.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async throws -> Int {
        try runner.getPromptTokensSize(messages: messages, addBosToken: addBosToken)
    }

    /// Ends all generations and returns the model's memory.
    public func unload() async {
        await runner.unload()
    }
}
