import Foundation
import LeapGeneration
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapSDK

/// Generations that are stopped early, and what remains of them.
@Suite("Stopping")
struct StoppingTests {
    private static let user = ChatMessage(role: .user, textContent: "The capital of France?")

    @Test("after a stop the engine generates at most one more token and delivers nothing", arguments: [1, 3, 10])
    func slack(tokens: Int) async throws {
        let runner = try #require(try await loadEndless() as? LiquidInferenceEngineRunner)
        let flag = CancellationFlag()
        let delivered = Mutex(0)
        let completion = try await runner.respond(
            to: [Self.user], functions: [], options: endless.values, cancellation: flag
        ) { _ in
            let count = delivered.withLock { count in
                count += 1
                return count
            }
            if count == tokens { flag.cancel() }
        }
        #expect(completion.ending == .interrupted && delivered.withLock { $0 } == tokens)
        // A token without text of its own, such as half a character, is generated but not delivered.
        let generated = Int(completion.stats?.completionTokens ?? 0)
        #expect(generated >= tokens)
        let silent = try await silentTokens(runner, upTo: tokens)
        #expect(generated <= tokens + silent + 1)
    }

    /// The number of tokens that deliver nothing before the given number of responses.
    private func silentTokens(_ runner: LiquidInferenceEngineRunner, upTo responses: Int) async throws -> Int {
        for tokens in responses... {
            let options = GenerationOptions(endless.values).with(maxTokens: tokens)
            let stream = runner.createConversation().generateResponse(message: Self.user, generationOptions: options)
            if try await collect(stream).count - 1 >= responses { return tokens - responses }
        }
        return 0
    }

    @Test("a handler can be stopped from several tasks at once, at different times, and stops no later generation")
    func anyThread() async throws {
        let conversation = try await loadEndless().createConversation()
        var handlers: [any GenerationHandler] = []
        for delay in [0, 1, 10] {
            let handler = try #require(
                conversation.generateResponse(message: Self.user, generationOptions: endless) { _ in })
            try await Task.sleep(for: .milliseconds(delay))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { handler.stop() } }
            }
            #expect(!conversation.isGenerating && conversation.history.isEmpty)
            handlers.append(handler)
        }
        var answer: MessageCompletion?
        for try await response in conversation.generateResponse(message: Self.user, generationOptions: short) {
            for handler in handlers { handler.stop() }
            if case .complete(let completion) = response { answer = completion }
        }
        #expect(answer?.ending == .maximumTokens && conversation.history == [Self.user, answer?.message])
    }

    @Test("a stop after the end changes nothing")
    @MainActor func afterTheEnd() async throws {
        let conversation = try await load().createConversation()
        var handler: (any GenerationHandler)?
        var completion: MessageCompletion?
        handler = conversation.generateResponse(message: Self.user, generationOptions: short) {
            if case .complete(let end) = $0 { completion = end }
        }
        try await eventually { completion != nil }
        handler?.stop()
        #expect(conversation.history == [Self.user, completion?.message])
    }

    @Test("a stream that is read only after the generation has ended holds all responses")
    func unboundedBuffer() async throws {
        let conversation = try await load(options: .init(bundlePath: "", contextSize: 128)).createConversation()
        let stream = conversation.generateResponse(message: Self.user, generationOptions: endless)
        try await eventually { !conversation.isGenerating }
        let responses = try await collect(stream)
        #expect(responses.count > 64 && responses.text == conversation.history.last?.text)
        #expect(responses.completion != nil)
    }

    @Test("a failure without a stream ends silently and leaves the history unchanged")
    @MainActor func silentFailure() async throws {
        let conversation = try await load(options: .init(bundlePath: "", contextSize: 4)).createConversation()
        var responses: [MessageResponse] = []
        let handler = conversation.generateResponse(message: Self.user) { responses.append($0) }
        #expect(handler != nil)
        try await eventually { !conversation.isGenerating }
        // A response would come after that, if one came.
        try await Task.sleep(for: .milliseconds(10))
        #expect(responses.isEmpty && conversation.history.isEmpty)
    }

    @Test("a message appended during a generation stays when the generation is stopped")
    func appended() async throws {
        let conversation = try await loadEndless().createConversation()
        let handler = conversation.generateResponse(message: Self.user, generationOptions: endless) { _ in }
        let note = ChatMessage(role: .system, textContent: "A note.")
        conversation.appendToHistory(note)
        handler?.stop()
        #expect(conversation.history == [note])
    }

    @Test("an answer equal to the previous one is still appended")
    func repeated() async throws {
        let runner = try await load()
        let answer = ChatMessage(role: .assistant, textContent: "Paris.")
        let conversation = Conversation(modelRunner: Repeater(base: runner), history: [answer])
        _ = try await collect(conversation.generateResponse(generationOptions: nil))
        #expect(conversation.history == [answer, answer])
    }

    @Test("a generation that is started on the runner is refused while the conversation generates")
    func directWhileBusy() async throws {
        let runner = try await loadEndless()
        let conversation = runner.createConversation()
        let running = conversation.generateResponse(
            message: Self.user, generationOptions: endless, onResponse: { _ in })
        await confirmation { refused in
            await withCheckedContinuation { continuation in
                let second = runner.generateResponse(
                    conversation: conversation, generationOptions: short, onResponseCallback: { _ in },
                    onErrorCallback: { error in
                        if "\(error)".contains("already generating") { refused() }
                        continuation.resume()
                    })
                second.stop()
            }
        }
        #expect(conversation.isGenerating)
        running?.stop()
        #expect(!conversation.isGenerating && conversation.history.isEmpty)
    }

    @Test("stopping a generation that was started on the runner frees the conversation at once")
    func direct() async throws {
        let runner = try await loadEndless()
        let conversation = runner.createConversation()
        conversation.appendToHistory(Self.user)
        let handler = runner.generateResponse(
            conversation: conversation, generationOptions: endless, onResponseCallback: { _ in }, onErrorCallback: nil)
        #expect(conversation.isGenerating)
        handler.stop()
        #expect(!conversation.isGenerating)
        let answer = try await collect(conversation.generateResponse(generationOptions: short)).completion
        #expect(conversation.history == [Self.user, answer?.message])
    }

    @Test("a generation on the runner that is stopped as it ends says whether its answer was kept")
    func stopAtEnd() async throws {
        let runner = try await load()
        for delay in 0..<30 {
            let conversation = runner.createConversationFromHistory(history: [Self.user])
            let completion = Mutex<MessageCompletion?>(nil)
            let handler = runner.generateResponse(
                conversation: conversation, generationOptions: short,
                onResponseCallback: { response in
                    if case .complete(let end) = response { completion.withLock { $0 = end } }
                }, onErrorCallback: nil)
            try await Task.sleep(for: .milliseconds(delay))
            handler.stop()
            try await eventually { completion.withLock { $0 } != nil }
            let ending = completion.withLock { $0?.ending }
            #expect((ending == .interrupted) == (conversation.history == [Self.user]))
        }
    }

    @Test("dropping a stream of a LiquidConversation, or cancelling its reader, frees the conversation at once")
    func liquid() async throws {
        let runner = try await loadEndless()
        for _ in 0..<100 {
            let conversation = runner.createConversation()
            let liquid = LiquidConversation(conversation: conversation)
            for await _ in liquid.generateResponse(message: Self.user, generationOptions: endless) { break }
            #expect(!conversation.isGenerating && conversation.history.isEmpty)
            let hasBegun = Mutex(false)
            let task = Task {
                for await _ in liquid.generateResponse(message: Self.user, generationOptions: endless) {
                    hasBegun.withLock { $0 = true }
                }
            }
            try await eventually { hasBegun.withLock { $0 } }
            task.cancel()
            await task.value
            #expect(!conversation.isGenerating && conversation.history.isEmpty)
        }
    }

    @Test("an error is the last response of a LiquidConversation, and comes once")
    func liquidError() async throws {
        let runner = try await load(options: .init(bundlePath: "", contextSize: 4))
        let liquid = LiquidConversation(conversation: runner.createConversation())
        var responses: [LiquidMessageResponse] = []
        for await response in liquid.generateResponse(message: Self.user) { responses.append(response) }
        #expect(responses.count == 1)
        guard case .error = responses.first else { return #expect(Bool(false), "\(responses)") }
    }

    @Test("stopping a custom runner leaves the history unchanged")
    func customRunner() async throws {
        let conversation = Conversation(modelRunner: Silent(base: try await load()), history: [])
        let task = Task { try await collect(conversation.generateResponse(message: Self.user)) }
        try await eventually { conversation.isGenerating }
        task.cancel()
        _ = try? await task.value
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
    }
}

/// A custom runner with the model id of another one.
private protocol CustomRunner: ModelRunner {
    var base: any ModelRunner { get }
}

extension CustomRunner {
    var modelId: String { base.modelId }

    func createConversation(systemPrompt: String?) -> any Conversation {
        Conversation(modelRunner: self, history: [])
    }

    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        Conversation(modelRunner: self, history: history)
    }

    func unload() async {}
}

private struct Handler: GenerationHandler {
    func stop() {}
}

/// Always gives the same answer.
private struct Repeater: CustomRunner {
    let base: any ModelRunner

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        let message = ChatMessage(role: .assistant, textContent: "Paris.")
        onResponseCallback(.complete(MessageCompletion(message: message, finishReason: .stop, stats: nil)))
        return Handler()
    }
}

/// Never answers.
private struct Silent: CustomRunner {
    let base: any ModelRunner

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler { Handler() }
}
