import Foundation
import LeapSDK
import Synchronization
import Testing
import _LeapTestSupport

@Suite("Model runner")
struct RunnerTests {
    private static let user = ChatMessage(role: .user, textContent: "The capital of France?")

    @Test("a runner is the concrete class, with the file's name as its model id")
    func identity() async throws {
        let runner = try await Leap.shared.load(
            url: URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path), contextSize: 64, cpuThreads: 1)
        #expect(runner.modelId == "lfm2-tied-f32")
        #expect(runner is LiquidInferenceEngineRunner)
        #expect(
            try Leap.load(options: .init(bundlePath: Fixture(name: "llama-tied-f32").path)).modelId == "llama-tied-f32")
    }

    @Test("prompt tokens are counted with and without the BOS token")
    func promptTokens() async throws {
        let runner = try #require(try await load() as? LiquidInferenceEngineRunner)
        let with = try runner.getPromptTokensSize(messages: [Self.user], addBosToken: true)
        let without = try runner.getPromptTokensSize(messages: [Self.user], addBosToken: false)
        #expect(with == without + 1)
        let longer = try runner.getPromptTokensSize(messages: [Self.user, Self.user], addBosToken: true)
        #expect(longer > with)
    }

    @Test("a runner has the statistics of its last generation")
    func latestStats() async throws {
        let runner = try #require(try await load() as? LiquidInferenceEngineRunner)
        #expect(runner.getLatestStats() == nil)
        let responses = try await collect(
            runner.createConversation().generateResponse(message: Self.user, generationOptions: short))
        #expect(runner.getLatestStats() == responses.completion?.stats)
    }

    @Test("a custom runner need not count tokens")
    func doesNotCount() async {
        let runner: any ModelRunner = Uncounting()
        await #expect {
            try await runner.getPromptTokensSize(messages: [], addBosToken: true)
        } throws: {
            "\($0)" == "the generation failed: a runner of type Uncounting does not count tokens"
        }
    }

    @Test("a runner calls the methods of a callback object")
    func callbackObject() async throws {
        final class Callback: GenerationCallback, Sendable {
            let text = Mutex("")
            let isComplete = Mutex(false)

            func onResponse(response: MessageResponse) {
                if case .chunk(let chunk) = response { text.withLock { $0 += chunk } }
                if case .complete = response { isComplete.withLock { $0 = true } }
            }

            func onError(error: LeapError) { Issue.record("\(error)") }
        }
        let runner = try await load()
        let conversation = runner.createConversationFromHistory(history: [Self.user])
        let callback = Callback()
        try await runner.generateFromConversation(
            conversation: conversation, callback: callback, generationOptions: short)
        try await eventually { callback.isComplete.withLock { $0 } }
        #expect(conversation.history.last?.text == callback.text.withLock { $0 })
    }

    @Test("an unloaded runner's conversations can be read, but not continued")
    func unload() async throws {
        let runner = try #require(try await load() as? LiquidInferenceEngineRunner)
        let conversation = runner.createConversation(systemPrompt: "Hi.")
        await runner.unload()
        await runner.unload()
        let text =
            "the generation failed: the model was unloaded: load it again, and continue from the conversation's history"
        await #expect {
            _ = try await collect(conversation.generateResponse(message: Self.user))
        } throws: {
            "\($0)" == text
        }
        #expect { try runner.getPromptTokensSize(messages: [], addBosToken: true) } throws: { "\($0)" == text }
        #expect(conversation.history.count == 1 && !conversation.isGenerating)
        #expect(try conversation.exportToJSON().count == 1)
    }

    @Test("unloading during a generation ends it with an error")
    func unloadWhileGenerating() async throws {
        let runner = try await loadEndless()
        let conversation = runner.createConversation()
        let stream = conversation.generateResponse(message: Self.user, generationOptions: endless)
        await runner.unload()
        await #expect(throws: LeapError.self) { try await collect(stream) }
        #expect(conversation.history.isEmpty)
    }

    @Test("the runner, the conversation and the stream may be released during a generation")
    func dropped() async throws {
        for _ in 0..<20 {
            var runner: (any ModelRunner)? = try await loadEndless()
            var conversation = runner?.createConversation()
            var stream = conversation?.generateResponse(message: Self.user, generationOptions: endless)
            #expect(stream != nil)
            runner = nil
            conversation = nil
            stream = nil
        }
        let stream = try await loadEndless().createConversation()
            .generateResponse(message: Self.user, generationOptions: short)
        #expect(try await collect(stream).completion != nil)
    }

    @Test("a runner is deallocated when its last generation has ended")
    func released() async throws {
        weak var weakRunner: LiquidInferenceEngineRunner?
        do {
            let runner = try await loadEndless()
            weakRunner = runner as? LiquidInferenceEngineRunner
            #expect(weakRunner != nil)
            _ = runner.createConversation().generateResponse(message: Self.user, generationOptions: endless)
        }
        try await eventually { weakRunner == nil }
    }

    @Test("a wrapped runner answers through the wrapper")
    func wrapper() async throws {
        let wrapper = Wrapper(base: try await load())
        let conversation = Conversation(modelRunner: wrapper, history: [])
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: short))
        let completion = try #require(responses.completion)
        #expect(conversation.modelRunner is Wrapper && !responses.text.isEmpty)
        #expect(conversation.history == [Self.user, completion.message])
        #expect(!conversation.isGenerating)
    }

    @Test("a custom runner need not append its answer to the history")
    func customRunner() async throws {
        let runner = ScriptedRunner { _, _ in
            let message = ChatMessage(role: .assistant, textContent: "Paris.")
            return [
                .chunk("Paris."), .complete(MessageCompletion(message: message, finishReason: .stop, stats: nil)),
            ]
        }
        let conversation = Conversation(modelRunner: runner, history: [])
        let responses = try await collect(conversation.generateResponse(message: Self.user))
        #expect(responses.text == "Paris.")
        #expect(conversation.history == [Self.user, ChatMessage(role: .assistant, textContent: "Paris.")])
    }

    @Test("requests override the parameters given at loading, which override the model's own")
    func defaults() async throws {
        let greedy = try await answer(parameters: nil, GenerationOptions(temperature: 0, maxTokens: 12))
        let atLoading = GenerationTimeParameters(
            samplingParameters: SamplingParameters(temperature: 0, topP: 1, minP: 0, repetitionPenalty: 1.05, topK: 0))
        #expect(try await answer(parameters: atLoading, GenerationOptions(maxTokens: 12)) == greedy)
        let random = GenerationOptions(temperature: 5, minP: 0, rngSeed: 3, maxTokens: 12)
        let drawn = try await answer(parameters: atLoading, random)
        #expect(drawn != greedy)
        #expect(try await answer(parameters: nil, random) == drawn)
        #expect(try await answer(parameters: nil, random.with(rngSeed: 4)) != drawn)
    }

    private func answer(parameters: GenerationTimeParameters?, _ options: GenerationOptions) async throws -> String {
        let conversation = try await load(parameters: parameters).createConversation()
        return try await collect(conversation.generateResponse(message: Self.user, generationOptions: options)).text
    }
}

/// Forwards everything to another runner.
private struct Wrapper: ModelRunner {
    let base: any ModelRunner

    var modelId: String { "wrapped " + base.modelId }

    func createConversation(systemPrompt: String?) -> any Conversation {
        base.createConversation(systemPrompt: systemPrompt)
    }

    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        base.createConversationFromHistory(history: history)
    }

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        base.generateResponse(
            conversation: conversation, generationOptions: generationOptions, onResponseCallback: onResponseCallback,
            onErrorCallback: onErrorCallback)
    }

    func unload() async { await base.unload() }

    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async throws -> Int {
        try await base.getPromptTokensSize(messages: messages, addBosToken: addBosToken)
    }
}

/// Implements only what versions up to 0.9 required.
private final class Uncounting: ModelRunner {
    struct Handler: GenerationHandler {
        func stop() {}
    }

    var modelId: String { "uncounting" }

    func createConversation(systemPrompt: String?) -> any Conversation { Conversation(modelRunner: self, history: []) }

    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        Conversation(modelRunner: self, history: history)
    }

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler { Handler() }

    func unload() async {}
}
