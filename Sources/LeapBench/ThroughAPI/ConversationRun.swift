import Foundation
import LeapBlocks
import LeapOps
import LeapSDK
import LeapToolSupport
import Synchronization

/// Generations through `Conversation`, timed from outside as an app sees them: with the chat template, the tokenizer,
/// sampling with the model's recommended settings, text decoding, and the hop of every response between threads.
final class ConversationRun: Sendable {
    private let runner: LiquidInferenceEngineRunner
    private let words: Int
    private let generatedTokens: Int
    private let repetition = Atomic<Int>(0)
    /// Tokens of the prompt.
    let promptTokens: Int

    /// The time of one generation, per token that was actually computed.
    struct Sample {
        /// Until the first response, per prompt token that no cache held.
        var secondsPerPromptToken: Double
        /// Between the first response and the end, per token after the first.
        var secondsPerToken: Double
    }

    /// Loads the model once more; its pages are shared with other mappings.
    ///
    /// - Parameters:
    ///   - types: How keys and values are stored.
    ///   - promptTokens: The approximate number of tokens of the prompt.
    init(
        path: String, types: KeyValueTypes, compute: Compute, promptTokens: Int, generatedTokens: Int
    ) throws {
        var options = LiquidInferenceEngineOptions(
            bundlePath: path, contextSize: UInt32(clamping: 2 * promptTokens + generatedTokens + 256))
        options.keyCacheType = KeyValueCacheType(types.keys)
        options.valueCacheType = KeyValueCacheType(types.values)
        runner = try LiquidInferenceEngineRunner(options: options, compute: compute)
        self.generatedTokens = generatedTokens
        // The number of tokens per word depends on the tokenizer.
        let (few, many) = (try Self.count(8, runner), try Self.count(72, runner))
        let perWord = max(1.0 / 64, Double(many - few) / 64)
        words = max(1, 8 + Int((Double(promptTokens - few) / perWord).rounded()))
        self.promptTokens = try Self.count(words, runner)
    }

    private static func count(_ words: Int, _ runner: LiquidInferenceEngineRunner) throws -> Int {
        try runner.getPromptTokensSize(messages: [message(words, repetition: 0)], addBosToken: true)
    }

    /// A message that begins differently every time, so that no cache holds a prefix of it.
    private static func message(_ words: Int, repetition: Int) -> ChatMessage {
        let number = String(format: "%04d", repetition % 10_000)
        return ChatMessage(role: .user, textContent: number + String(repeating: " water", count: words))
    }

    /// Generates once. Blocks the calling thread, which must not be one of Swift's cooperative pool.
    func sample() throws -> Sample {
        let number = repetition.wrappingAdd(1, ordering: .relaxed).newValue
        return try Blocking.wait { try await self.generate(number) }
    }

    private func generate(_ number: Int) async throws -> Sample {
        let conversation = runner.createConversation(systemPrompt: nil)
        let start = ContinuousClock.now
        var first: ContinuousClock.Instant?
        var stats: GenerationStats?
        let responses = conversation.generateResponse(
            message: Self.message(words, repetition: number),
            generationOptions: GenerationOptions().with(maxTokens: generatedTokens).with(cacheControl: .noCache))
        for try await response in responses {
            if case .complete(let completion) = response { stats = completion.stats } else { first = first ?? .now }
        }
        let end = ContinuousClock.now
        guard let first, let stats, stats.completionTokens > 1, stats.promptTokens > stats.cachedPromptTokens else {
            throw CommandError("the model's answer has fewer than two tokens, so its rate cannot be measured")
        }
        return Sample(
            secondsPerPromptToken: (first - start) / .seconds(1)
                / Double(stats.promptTokens - stats.cachedPromptTokens),
            secondsPerToken: (end - first) / .seconds(1) / Double(stats.completionTokens - 1))
    }
}
