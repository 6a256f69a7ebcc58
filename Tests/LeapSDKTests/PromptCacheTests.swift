import LeapSDK
import Testing
import _LeapTestSupport

/// The prefix cache as an app sees it, through statistics and unchanged answers.
@Suite("Prompt cache")
struct PromptCacheTests {
    private static let segment = 128

    /// About 300 tokens of text.
    private static let story = (1...60).map { "line \($0 * 7 % 61)" }.joined(separator: "\n")

    private func ask(
        _ text: String, _ conversation: any Conversation, _ options: GenerationOptions = short
    ) async throws -> (stats: GenerationStats, text: String) {
        let responses = try await collect(
            conversation.generateResponse(
                message: ChatMessage(role: .user, textContent: text), generationOptions: options))
        return (try #require(responses.completion?.stats), responses.text)
    }

    /// The number of a prompt's tokens, computed or cached.
    private func promptCount(_ stats: GenerationStats) -> Int { Int(stats.promptTokens + stats.cachedPromptTokens) }

    @Test("the next turn computes only the new tokens")
    func nextTurn() async throws {
        let conversation = try await load().createConversation(systemPrompt: nil)
        let first = try await ask(Self.story, conversation).stats
        #expect(first.cachedPromptTokens == 0 && promptCount(first) > 2 * Self.segment)
        let second = try await ask("And then?", conversation).stats
        #expect(Int(second.cachedPromptTokens) + Self.segment - 1 >= promptCount(first))
    }

    @Test("a fork, another conversation with the same system prompt and an edited turn reuse the cached prefix")
    func commonPrefixes() async throws {
        let runner = try await load()
        let conversation = runner.createConversation(systemPrompt: Self.story)
        _ = try await ask("What is line 3?", conversation)
        let fork = conversation.fork()
        #expect(fork.history == conversation.history)
        for other in [fork, runner.createConversation(systemPrompt: Self.story)] {
            #expect(try await ask("What is line 4?", other).stats.cachedPromptTokens >= 2 * Self.segment)
        }
        #expect(conversation.history.count == 3 && fork.history.count == 5)
        // An edit replaces the second turn.
        let edited = runner.createConversation(systemPrompt: nil)
        let first = try await ask(Self.story, edited).stats
        _ = try await ask("And then?", edited)
        for _ in 0..<2 { edited.removeLastMessage() }
        let second = try await ask("Why?", edited).stats
        #expect(Int(second.cachedPromptTokens) + Self.segment - 1 >= promptCount(first))
    }

    @Test("a fork inherits the functions, and functions registered later stay its own")
    func forkedFunctions() async throws {
        let conversation = try await load().createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        let fork = conversation.fork()
        #expect(fork.functions == conversation.functions)
        fork.registerFunction(LeapFunction(name: "clock", description: "Tells the time", parameters: []))
        #expect(fork.functions.count == 2 && conversation.functions.count == 1)
    }

    @Test("answers are the same as without a cache")
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

    @Test("a generation with noCache neither reads nor fills the cache")
    func noCache() async throws {
        let runner = try await load()
        let options = short.with(cacheControl: .noCache)
        for options in [options, options, short] {
            let conversation = runner.createConversation(systemPrompt: nil)
            #expect(try await ask(Self.story, conversation, options).stats.cachedPromptTokens == 0)
        }
    }

    @Test("a disk cache survives the model, and nothing is written if the disk is disabled")
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
