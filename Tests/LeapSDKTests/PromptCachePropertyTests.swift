import LeapSDK
import Testing
import _LeapTestSupport

/// Conversations that are continued, edited, forked and regenerated in random order and concurrently: their answers and
/// token probabilities are exactly those of a model without a cache.
@Suite("Prompt cache under random use")
struct PromptCachePropertyTests {
    private static let models = ["lfm2-tied-f32", "llama-q4_k"]

    /// An answer with the probabilities that it was drawn from.
    private struct Observation: Equatable {
        let history: [ChatMessage]
        let text: String
        let logprobs: [TokenLogprob]?
    }

    @Test("concurrent, randomly edited conversations get the same answers as without a cache", arguments: models, 0..<2)
    func concurrent(model: String, seed: Int) async throws {
        let cached = LiquidInferenceEngineOptions(
            bundlePath: "",
            cacheOptions: LiquidCacheOptions(path: "", enabled: true, maxEntriesMemory: 6, diskDisabled: true),
            cpuThreads: 2)
        let plain = LiquidInferenceEngineOptions(
            bundlePath: "", cacheOptions: LiquidCacheOptions(path: ""), cpuThreads: 2)
        let (runner, reference) = (try await load(model, options: cached), try await load(model, options: plain))
        let observations = try await withThrowingTaskGroup(of: [Observation].self) { group in
            for number in 0..<4 {
                group.addTask { try await Self.talk(runner, seed: UInt64(seed * 10 + number)) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(observations.count > 20)
        for observation in observations {
            let conversation = reference.createConversationFromHistory(history: observation.history)
            let responses = try await collect(conversation.generateResponse(generationOptions: Self.options))
            let completion = try #require(responses.completion)
            #expect(completion.stats?.cachedPromptTokens == 0)
            #expect(responses.text == observation.text && completion.logprobs == observation.logprobs)
        }
    }

    private static let options = GenerationOptions(temperature: 0, maxOutputTokens: 5).with(topLogprobs: 3)

    /// Generates some random turns.
    private static func talk(_ runner: any ModelRunner, seed: UInt64) async throws -> [Observation] {
        var random = SeededRandomNumberGenerator(seed: seed)
        // All have the same system prompt, so that they share entries.
        var conversation = runner.createConversation(
            systemPrompt: (1...20).map { "rule \($0)" }.joined(separator: ", "))
        var observations: [Observation] = []
        while observations.count < 7 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where conversation.history.count > 2:
                // Regenerates.
                conversation.removeLastMessage()
            case 1: conversation = conversation.fork()
            case 2 where conversation.history.count > 3:
                // Goes back to an earlier turn.
                for _ in 0..<3 { conversation.removeLastMessage() }
                conversation.appendToHistory(ChatMessage(role: .user, textContent: question(&random)))
            default: conversation.appendToHistory(ChatMessage(role: .user, textContent: question(&random)))
            }
            let history = conversation.history
            guard history.count < 12 else {
                conversation = runner.createConversationFromHistory(history: Array(history.prefix(1)))
                continue
            }
            let responses = try await collect(conversation.generateResponse(generationOptions: options))
            let completion = try #require(responses.completion)
            observations.append(Observation(history: history, text: responses.text, logprobs: completion.logprobs))
        }
        return observations
    }

    private static func question(_ random: inout SeededRandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in "word \(Int.random(in: 0..<30, using: &random))" }
            .joined(separator: " ")
    }

    @Test("conversations that alternate get the same answers as without a cache, and a small cache keeps its cap")
    func alternating() async throws {
        let options = LiquidInferenceEngineOptions(
            bundlePath: "",
            cacheOptions: LiquidCacheOptions(path: "", enabled: true, maxEntriesMemory: 3, diskDisabled: true),
            cpuThreads: 1)
        let runner = try await load(options: options)
        let plain = try await load(
            options: options.with(cacheOptions: LiquidCacheOptions(path: "")))
        let rules = (0..<4).map { number in (1...22).map { "rule \($0 * 7 + number)" }.joined(separator: ", ") }
        var expected: [String: String] = [:]
        for round in 0..<60 {
            // Each rule is used twice in a row. Then three others are, so that three entries never reach back to it.
            let rule = rules[round / 2 % 4]
            let question = "word \(round % 3)"
            let responses = try await collect(
                runner.createConversation(systemPrompt: rule).generateResponse(
                    userTextMessage: question, generationOptions: short))
            let answer = responses.text
            let cached = try #require(responses.completion?.stats).cachedPromptTokens
            #expect(round.isMultiple(of: 2) ? cached == 0 : cached > 0, "round \(round)")
            let key = rule + question
            if expected[key] == nil {
                expected[key] = try await collect(
                    plain.createConversation(systemPrompt: rule).generateResponse(
                        userTextMessage: question, generationOptions: short)
                ).text
            }
            #expect(answer == expected[key])
        }
    }
}
