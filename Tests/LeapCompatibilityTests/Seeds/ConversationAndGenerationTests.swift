import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

/// The snippets of the page on conversations and generation, verbatim. Only the code around each fragment is ours.
@Suite("The page on conversations and generation")
struct ConversationAndGenerationTests {
    private let audioRenderer = AudioRenderer()

    private func handleFunctionCalls(_ calls: [LeapFunctionCall]) {}
    private func handleResponse(_ response: MessageResponse) {}

    @Test("the low-level generation API, whose handler stops the generation")
    func lowLevel() async throws {
        let runner = try await Leap.load(url: modelURL)
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions(maxOutputTokens: 4)
        let handler = runner.generateResponse(
            conversation: conversation,
            generationOptions: options,
            onResponseCallback: { message in
                // Handle MessageResponse values here
            },
            onErrorCallback: { error in
                // Handle LeapError
            }
        )
        #expect(conversation.isGenerating || !conversation.history.isEmpty)
        // Stop generation early if needed
        handler.stop()
        #expect(!conversation.isGenerating)
    }

    @Test("streaming")
    func stream() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation(systemPrompt: nil)
        let screen = Screen()
        func print(_ items: Any..., terminator: String = "\n") { screen.show(items, terminator) }
        let user = ChatMessage(role: .user, content: [.text("Hello! What can you do?")])
        let task = Task {
            do {
                for try await response in conversation.generateResponse(
                    message: user,
                    generationOptions: GenerationOptions(temperature: 0.7)
                ) {
                    switch response {
                    case .chunk(let delta):
                        print(delta, terminator: "")
                    case .reasoningChunk(let thought):
                        print("Reasoning:", thought)
                    case .functionCall(let calls):
                        handleFunctionCalls(calls)
                    case .audioSample(let samples, let sampleRate):
                        audioRenderer.enqueue(samples, sampleRate: sampleRate)
                    case .complete(let completion):
                        let text = completion.message.content.compactMap { item in
                            if case .text(let value) = item { return value }
                            return nil
                        }.joined()
                        print("\nComplete:", text)
                        if let stats = completion.stats {
                            print("Prompt tokens: \(stats.promptTokens), completions: \(stats.completionTokens)")
                        }
                    }
                }
            } catch {
                print("Generation failed: \(error)")
            }
        }
        await task.value
        #expect(screen.text.contains("Complete:") && screen.text.contains("Prompt tokens: "), "\(screen.text)")
    }

    @Test("generation with a callback")
    @MainActor func callback() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation(systemPrompt: nil)
        let user = ChatMessage(role: .user, content: [.text("Hello! What can you do?")])
        var last: MessageResponse?
        func updateUI(with response: MessageResponse) { last = response }
        let handler = conversation.generateResponse(message: user) { response in
            updateUI(with: response)
        }
        // Later
        handler?.stop()
        try await eventually { !conversation.isGenerating && last != nil }
        guard case .complete = last else { Issue.record("\(String(describing: last))"); return }
    }

    @Test("cancellation")
    func cancellation() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation(systemPrompt: nil)
        let user = ChatMessage(role: .user, content: [.text("Hello! What can you do?")])
        // Store the task
        let generationTask = Task {
            for try await response in conversation.generateResponse(message: user) {
                handleResponse(response)
            }
        }

        // Cancel later
        generationTask.cancel()
        _ = await generationTask.result
        #expect(!conversation.isGenerating)
    }

    @Test("the declarations that the page lists")
    func declarations() async throws {
        let runner: ModelRunner = Wrapper(base: try await Leap.load(url: modelURL))
        let conversation: Conversation = runner.createConversationFromHistory(history: [])
        let history: [ChatMessage] = conversation.history
        let isGenerating: Bool = conversation.isGenerating
        let json: [[String: Any]] = try conversation.exportToJSON()
        #expect(history.isEmpty && !isGenerating && json.isEmpty && runner.modelId == "leap-tiny-q8_0")
        let options = GenerationOptions(
            temperature: nil, topP: nil, topK: nil, minP: nil, repetitionPenalty: nil, rngSeed: 7,
            enableThinking: nil, maxOutputTokens: 2, sequenceLength: nil, cacheControl: nil, jsonSchemaConstraint: nil)
        let stream: AsyncThrowingStream<MessageResponse, Error> = conversation.generateResponse(
            userTextMessage: "Hi", generationOptions: options)
        for try await response in stream {
            guard case .complete(let completion) = response else { continue }
            let message: ChatMessage = completion.message
            let reason: GenerationFinishReason = completion.finishReason
            let stats: GenerationStats? = completion.info.stats
            let tokens: UInt64? = stats?.totalTokens
            let speed: Float? = stats?.tokenPerSecond
            #expect(message.role == .assistant && completion.info.finishReason == reason)
            #expect(tokens ?? 0 > 2 && speed ?? 0 > 0)
        }
        await runner.unload()
    }
}

/// Conforms to the protocol as the page lists it.
private struct Wrapper: ModelRunner {
    let base: ModelRunner

    func createConversation(systemPrompt: String?) -> Conversation {
        base.createConversation(systemPrompt: systemPrompt)
    }

    func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
        base.createConversationFromHistory(history: history)
    }

    func generateResponse(
        conversation: Conversation,
        generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void,
        onErrorCallback: ((LeapError) -> Void)?
    ) -> GenerationHandler {
        base.generateResponse(
            conversation: conversation, generationOptions: generationOptions, onResponseCallback: onResponseCallback,
            onErrorCallback: onErrorCallback)
    }

    func unload() async { await base.unload() }

    var modelId: String { base.modelId }
}
