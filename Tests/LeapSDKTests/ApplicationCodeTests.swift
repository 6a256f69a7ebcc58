import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

/// Programs as the API's documentation shows them compile and run.
@Suite("Application code")
struct ApplicationCodeTests {
    private static var url: URL { URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path) }

    @Test("a loop over a stream switches over all five responses")
    func stream() async throws {
        let modelRunner = try await Leap.load(url: Self.url)
        let systemMessage = ChatMessage(role: .system, content: [.text("You are a helpful assistant.")])
        let conversation = Conversation(modelRunner: modelRunner, history: [systemMessage])
        let user = ChatMessage(role: .user, content: [.text("Hello! What can you do?")])
        var delivered = ""
        let task = Task {
            for try await response in conversation.generateResponse(
                message: user, generationOptions: GenerationOptions(temperature: 0.7, maxOutputTokens: 4))
            {
                switch response {
                case .chunk(let delta): delivered += delta
                case .reasoningChunk(let thought): delivered += thought
                case .functionCall(let calls): Issue.record("\(calls)")
                case .audioSample(let samples, let sampleRate): Issue.record("\(samples.count) \(sampleRate)")
                case .complete(let completion):
                    let text = completion.message.content.compactMap { item in
                        if case .text(let value) = item { return value }
                        return nil
                    }.joined()
                    #expect(text == delivered)
                    if let stats = completion.stats { #expect(stats.completionTokens <= 4) }
                }
            }
        }
        try await task.value
    }

    @Test("options are built in both styles")
    func options() async throws {
        let options = LiquidInferenceEngineOptions(bundlePath: Self.url.path, cpuThreads: 1, contextSize: 128)
        let chained = LiquidInferenceEngineOptions(bundlePath: Self.url.path)
            .with(cpuThreads: 1)
            .with(contextSize: 128)
        #expect(options == chained)
        var runner: (any ModelRunner)? = try await Leap.load(url: Self.url, options: options)
        let message = ChatMessage(role: .user, content: [.text("Hi")])
        let counter = runner as? LiquidInferenceEngineRunner
        #expect(try counter?.getPromptTokensSize(messages: [message], addBosToken: true) ?? 0 > 0)
        let generation = GenerationOptions(temperature: 0.6, topP: 0.9)
        generation.maxOutputTokens = 2
        let conversation: (any Conversation)? = runner?.createConversation(systemPrompt: nil)
        #expect(conversation?.isGenerating == false)
        await runner?.unload()
        runner = nil
    }
}
