import LeapSDK
import Testing
import _LeapTestSupport

/// What an app sees of the prefix cache: the time to the first token, and statistics.
@Suite("Prompt cache")
struct PromptCacheTests {
    private static let segment = 128

    /// Some 300 tokens of text.
    private static let story = (1...60).map { "line \($0 * 7 % 61)" }.joined(separator: "\n")

    private func ask(
        _ text: String, _ conversation: any Conversation, _ options: GenerationOptions = short
    ) async throws -> (stats: GenerationStats, text: String) {
        let responses = try await collect(
            conversation.generateResponse(
                message: ChatMessage(role: .user, textContent: text), generationOptions: options))
        return (try #require(responses.completion?.stats), responses.text)
    }

    /// Tokens of a prompt, whether they were computed or not.
    private func promptCount(_ stats: GenerationStats) -> Int { Int(stats.promptTokens + stats.cachedPromptTokens) }

    @Test("the next turn computes only what is new")
    func nextTurn() async throws {
        let conversation = try await load().createConversation(systemPrompt: nil)
        let first = try await ask(Self.story, conversation).stats
        #expect(first.cachedPromptTokens == 0 && promptCount(first) > 2 * Self.segment)
        let second = try await ask("And then?", conversation).stats
        #expect(Int(second.cachedPromptTokens) + Self.segment - 1 >= promptCount(first))
    }

    @Test("an edited turn, another conversation with the same beginning, a fork: what is common is known")
    func commonBeginnings() async throws {
        let runner = try await load()
        let conversation = runner.createConversation(systemPrompt: Self.story)
        _ = try await ask("What is line 3?", conversation)
        let fork = conversation.fork()
        #expect(fork.history == conversation.history)
        for other in [fork, runner.createConversation(systemPrompt: Self.story)] {
            #expect(try await ask("What is line 4?", other).stats.cachedPromptTokens >= 2 * Self.segment)
        }
        #expect(conversation.history.count == 3 && fork.history.count == 5)
    }

    @Test("a fork has the functions, and those registered later stay its own")
    func forkedFunctions() async throws {
        let conversation = try await load().createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        let fork = conversation.fork()
        #expect(fork.functions == conversation.functions)
        fork.registerFunction(LeapFunction(name: "clock", description: "Tells the time", parameters: []))
        #expect(fork.functions.count == 2 && conversation.functions.count == 1)
    }

    @Test("answers are those of a model without a cache")
    func sameAnswers() async throws {
        let plain = LiquidInferenceEngineOptions(
            bundlePath: "", cacheOptions: LiquidCacheOptions(path: ""), cpuThreads: 1)
        let conversations = [
            try await load().createConversation(systemPrompt: nil),
            try await load(options: plain).createConversation(systemPrompt: nil),
        ]
        for question in [Self.story, "And then?", "What is line 5?"] {
            let answers = [try await ask(question, conversations[0]), try await ask(question, conversations[1])]
            #expect(answers[0].text == answers[1].text)
            #expect(answers[1].stats.cachedPromptTokens == 0)
        }
    }

    @Test("a generation that is told to leave the cache alone finds and leaves nothing")
    func noCache() async throws {
        let runner = try await load()
        let options = short.with(cacheControl: .noCache)
        for options in [options, options, short] {
            let conversation = runner.createConversation(systemPrompt: nil)
            #expect(try await ask(Self.story, conversation, options).stats.cachedPromptTokens == 0)
        }
    }

    @Test("a folder outlives the model")
    func folder() async throws {
        let folder = try TemporaryFolder()
        let options = LiquidInferenceEngineOptions(
            bundlePath: "", cacheOptions: .enabled(path: folder.path("cache")), cpuThreads: 1)
        for isKnown in [false, true] {
            let runner = try await load(options: options)
            let stats = try await ask(Self.story, runner.createConversation(systemPrompt: nil)).stats
            #expect(isKnown ? stats.cachedPromptTokens >= 2 * Self.segment : stats.cachedPromptTokens == 0)
            await runner.unload()
        }
        let memory = options.with(
            cacheOptions: LiquidCacheOptions(path: folder.path("none"), enabled: true, diskDisabled: true))
        let runner = try await load(options: memory)
        _ = try await ask(Self.story, runner.createConversation(systemPrompt: nil))
        await runner.unload()
        #expect(try folder.content == ["cache"])
    }
}
