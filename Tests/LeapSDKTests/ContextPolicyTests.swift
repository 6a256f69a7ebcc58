import LeapSDK
import Synchronization
import Testing
import _LeapTestSupport

/// Conversations whose prompt exceeds the context window.
@Suite("Context policy")
struct ContextPolicyTests {
    private static let contextSize = 200
    private static let options = LiquidInferenceEngineOptions(
        bundlePath: "", cpuThreads: 1, contextSize: UInt32(contextSize))

    /// A conversation whose turns have about 25 tokens each, with a function call in the third.
    private static func history(turns: Int) throws -> [ChatMessage] {
        var history = [ChatMessage(role: .system, textContent: "rule")]
        for turn in 1...turns {
            history.append(ChatMessage(role: .user, textContent: "ask \(turn)"))
            if turn == 3 {
                history.append(
                    ChatMessage(
                        role: .assistant, content: [], functionCalls: [try LeapFunctionCall(name: "f", arguments: [:])])
                )
                history.append(ChatMessage(role: .tool, textContent: "7"))
            }
            history.append(ChatMessage(role: .assistant, textContent: "say \(turn)"))
        }
        return history + [ChatMessage(role: .user, textContent: "last")]
    }

    @Test("by default the generation fails with both token counts and leaves the conversation unchanged")
    func fail() async throws {
        let runner = try await load(options: Self.options)
        let history = try Self.history(turns: 12)
        let conversation = runner.createConversationFromHistory(history: history)
        let count = try await runner.getPromptTokensSize(messages: history, addBosToken: true)
        #expect(count > Self.contextSize)
        await #expect {
            _ = try await collect(conversation.generateResponse(generationOptions: short))
        } throws: { error in
            guard let error = error as? LeapError, case .promptExceedContextLengthFailure(let text, _) = error
            else { return false }
            return text.contains("\(count) tokens") && text.contains("\(Self.contextSize)")
        }
        #expect(conversation.history == history && !conversation.isGenerating)
    }

    @Test("the oldest turns are dropped as a whole, but never the system message or the last question")
    func dropOldest() async throws {
        let runner = try await load(options: Self.options)
        for turns in Array(1...16) + [100, 300] {
            let history = try Self.history(turns: turns)
            let heard = Mutex<[ChatMessage]>([])
            let options = short.with(
                contextPolicy: .dropOldestTurns { dropped in heard.withLock { $0 = dropped } })
            let conversation = runner.createConversationFromHistory(history: history)
            let completion = try #require(
                try await collect(conversation.generateResponse(generationOptions: options)).completion)
            let dropped = completion.droppedMessages
            #expect(heard.withLock { $0 } == dropped)
            #expect(conversation.history.count == history.count + 1)

            // The dropped messages directly follow the system message and end before a user message.
            #expect(dropped == Array(history[1..<1 + dropped.count]))
            #expect(history[1 + dropped.count].role == .user)
            let shown = [history[0]] + history.dropFirst(1 + dropped.count)
            let count = try await runner.getPromptTokensSize(messages: shown, addBosToken: true)
            #expect(count <= Self.contextSize - 8)
            #expect(Int(completion.stats?.promptTokens ?? 0) + Int(completion.stats?.cachedPromptTokens ?? 0) == count)
            let whole = try await runner.getPromptTokensSize(messages: history, addBosToken: true)
            #expect(dropped.isEmpty == (whole <= Self.contextSize - 8))
        }
    }

    @Test("messages dropped by a custom policy are reported, even if some are equal")
    func equalMessages() async throws {
        let runner = try await load(options: Self.options)
        let ask = ChatMessage(role: .user, textContent: String(repeating: "word ", count: 20))
        let say = ChatMessage(role: .assistant, textContent: "say")
        let history = (0..<8).flatMap { _ in [ask, say] } + [ask]
        let options = short.with(contextPolicy: .custom { $0.messages.suffix(3) })
        let conversation = runner.createConversationFromHistory(history: history)
        let completion = try #require(
            try await collect(conversation.generateResponse(generationOptions: options)).completion)
        #expect(completion.droppedMessages == Array(history.dropLast(3)))
    }

    @Test("a sequence length that is too small for any prompt is an error", arguments: [0, -1, Int.min])
    func tooSmallLimit(limit: Int) async throws {
        let runner = try await load(options: Self.options)
        let conversation = runner.createConversationFromHistory(history: try Self.history(turns: 2))
        let options = short.with(contextPolicy: .dropOldestTurns()).with(sequenceLength: limit)
        await #expect(throws: LeapError.self) {
            _ = try await collect(conversation.generateResponse(generationOptions: options))
        }
    }

    @Test("as a conversation grows, the kept part starts at the same message for several turns")
    func stableBeginning() async throws {
        let runner = try await load(options: Self.options)
        var beginnings: [Int] = []
        for turns in 8...16 {
            let conversation = runner.createConversationFromHistory(history: try Self.history(turns: turns))
            let options = short.with(contextPolicy: .dropOldestTurns())
            let responses = try await collect(conversation.generateResponse(generationOptions: options))
            beginnings.append(try #require(responses.completion).droppedMessages.count)
        }
        #expect(beginnings == beginnings.sorted())
        #expect(Set(beginnings).count < beginnings.count)
    }

    @Test("if turns are too long to drop in groups, as few single turns as possible are dropped")
    func longTurns() async throws {
        let runner = try await load(options: Self.options)
        let text = String(repeating: "word ", count: 30)
        var history = try Self.history(turns: 12).dropLast()
        for _ in 0..<5 {
            history += [
                ChatMessage(role: .user, textContent: text), ChatMessage(role: .assistant, textContent: "say"),
            ]
        }
        history.append(ChatMessage(role: .user, textContent: "last"))
        let conversation = runner.createConversationFromHistory(history: Array(history))
        let options = short.with(contextPolicy: .dropOldestTurns())
        let dropped = try #require(
            try await collect(conversation.generateResponse(generationOptions: options)).completion
        ).droppedMessages
        func tokens(without count: Int) async throws -> Int {
            try await runner.getPromptTokensSize(
                messages: [history[0]] + history.dropFirst(1 + count), addBosToken: true)
        }
        #expect(try await tokens(without: dropped.count) <= Self.contextSize - 8)
        #expect(try await tokens(without: dropped.count - 2) > Self.contextSize - 8)
    }

    @Test("the generation fails if the system message or the last question alone is too long")
    func nothingToDrop() async throws {
        let runner = try await load(options: Self.options)
        let text = String(repeating: "word ", count: 300)
        for history in [
            [ChatMessage(role: .user, textContent: text)],
            try [ChatMessage(role: .system, textContent: text)] + Self.history(turns: 2),
            try Self.history(turns: 2) + [ChatMessage(role: .user, textContent: text)],
        ] {
            let conversation = runner.createConversationFromHistory(history: history)
            let options = short.with(contextPolicy: .dropOldestTurns())
            await #expect {
                _ = try await collect(conversation.generateResponse(generationOptions: options))
            } throws: {
                if case LeapError.promptExceedContextLengthFailure? = $0 as? LeapError { true } else { false }
            }
        }
    }

    @Test("a custom policy is called with the limit until its messages fit")
    func custom() async throws {
        let runner = try await load(options: Self.options)
        let history = try Self.history(turns: 12)
        let overflows = Mutex<[ContextOverflow]>([])
        let policy = ContextPolicy.custom { overflow in
            overflows.withLock { $0.append(overflow) }
            return Array(overflow.messages.prefix(1) + overflow.messages.dropFirst(9))
        }
        let conversation = runner.createConversationFromHistory(history: history)
        let responses = try await collect(
            conversation.generateResponse(generationOptions: short.with(contextPolicy: policy)))
        let asked = overflows.withLock { $0 }
        #expect(asked.count > 1 && asked.first?.messages == history)
        #expect(asked.allSatisfy { $0.limit == Self.contextSize - 1 && $0.promptTokens > $0.limit })
        let dropped = try #require(responses.completion).droppedMessages
        #expect(dropped == Array(history[1..<1 + 8 * asked.count]))
    }

    @Test("the generation fails if a custom policy throws or never makes the messages fit")
    func failingPolicy() async throws {
        struct Refusal: Error {}
        let runner = try await load(options: Self.options)
        let history = try Self.history(turns: 12)
        let policies = [ContextPolicy.custom { _ in throw Refusal() }, .custom { $0.messages }]
        for policy in policies {
            let conversation = runner.createConversationFromHistory(history: history)
            await #expect {
                _ = try await collect(
                    conversation.generateResponse(generationOptions: short.with(contextPolicy: policy)))
            } throws: {
                if case LeapError.promptExceedContextLengthFailure? = $0 as? LeapError { true } else { false }
            }
        }
    }
}
