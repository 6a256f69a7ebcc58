import LeapSDK
import Synchronization
import Testing
import _LeapTestSupport

/// What an app can do before the first question: prewarm the prompt cache and plan memory.
@Suite("Prewarming and memory plans")
struct PrewarmTests {
    private static let segment = 128
    private static let rules = (1...40).map { "rule \($0 * 7 % 61)" }.joined(separator: "\n")

    @Test("a conversation's first question finds the prewarmed system prompt in the cache")
    func prewarmed() async throws {
        let runner = try await load()
        try await runner.prewarm(systemPrompt: Self.rules)
        let conversation = runner.createConversation(systemPrompt: Self.rules)
        let stats = try #require(
            try await collect(
                conversation.generateResponse(userTextMessage: "What is rule 3?", generationOptions: short)
            ).completion?.stats)
        let head = try await runner.getPromptTokensSize(
            messages: [ChatMessage(role: .system, textContent: Self.rules)], addBosToken: true)
        #expect(Int(stats.cachedPromptTokens) + Self.segment > head - 10 && stats.cachedPromptTokens > 0)
    }

    @Test("prewarming includes functions")
    func functions() async throws {
        let runner = try await load()
        let weather = LeapFunctionTests.weather
        try await runner.prewarm(systemPrompt: "Be brief.", functions: [weather])
        let conversation = runner.createConversation(systemPrompt: "Be brief.")
        conversation.registerFunction(weather)
        let responses = try await collect(
            conversation.generateResponse(userTextMessage: "Hello", generationOptions: short))
        #expect(try #require(responses.completion?.stats).cachedPromptTokens > 0)
    }

    @Test("prewarming returns if there is nothing to read, and while an endless answer is generated")
    func ends() async throws {
        let runner = try await loadEndless()
        try await runner.prewarm(systemPrompt: nil)
        try await runner.prewarm(systemPrompt: "Be brief.")
        let conversation = runner.createConversation()
        let stream = conversation.generateResponse(
            userTextMessage: "The capital of France?", generationOptions: endless)
        try await runner.prewarm(systemPrompt: Self.rules)
        #expect(conversation.isGenerating)
        for try await _ in stream { break }
    }

    @Test("an unloaded model can neither be prewarmed nor give a memory plan")
    func unloaded() async throws {
        let runner = try await load()
        await runner.unload()
        await #expect(throws: LeapError.self) { try await runner.prewarm(systemPrompt: "Hello") }
        #expect(throws: LeapError.self) { try runner.memoryPlan(contextSize: 10) }
    }

    @Test("prompt progress runs from the cached tokens to all tokens in whole segments")
    func progress() async throws {
        let runner = try await load()
        let heard = Mutex<[PromptProgress]>([])
        let options = short.with(onPromptProgress: { progress in heard.withLock { $0.append(progress) } })
        for isKnown in [false, true] {
            heard.withLock { $0 = [] }
            let conversation = runner.createConversation(systemPrompt: nil)
            let responses = try await collect(
                conversation.generateResponse(userTextMessage: Self.rules, generationOptions: options))
            let stats = try #require(responses.completion?.stats)
            let total = Int(stats.promptTokens + stats.cachedPromptTokens)
            let steps = heard.withLock { $0 }
            #expect(steps.allSatisfy { $0.promptTokens == total })
            #expect(steps.first?.tokensRead == Int(stats.cachedPromptTokens))
            #expect(steps.last?.fraction == 1)
            #expect(steps.dropLast().allSatisfy { $0.tokensRead.isMultiple(of: Self.segment) })
            #expect(steps.map(\.tokensRead) == steps.map(\.tokensRead).sorted())
            #expect(isKnown == (stats.cachedPromptTokens > 0))
        }
    }

    // MARK: - Memory

    @Test("a memory plan grows with the context and gives the largest context that fits")
    func plan() async throws {
        let runner = try await load()
        let (small, large) = (try runner.memoryPlan(contextSize: 128), try runner.memoryPlan(contextSize: 256))
        #expect(small.contextSize == 128 && small.stateBytes > 0 && small.scratchBytes > 0)
        #expect(large.stateBytes > small.stateBytes && large.weightBytes == small.weightBytes)
        #expect(small.privateBytes == small.stateBytes + small.scratchBytes)
        #expect(small.fits && small.largestContextSize >= 256)
        for size in [0, -1, 1 << 30] {
            #expect(throws: LeapError.self) { try runner.memoryPlan(contextSize: size) }
        }
    }
}
