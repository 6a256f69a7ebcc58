import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

/// Programs written as in the API's documentation compile and run.
@Suite("Application code")
struct ApplicationCodeTests {
    private static var url: URL { URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path) }

    @Test("a loop over a response stream gets all five responses")
    func stream() async throws {
        let call = LeapFunctionCall(name: "f", argumentsJSON: [:])
        let speechOutput = ScriptedRunner { _, _ in
            let message = ChatMessage(role: .assistant, content: [.text("Yes.")])
            return [
                .reasoningChunk("Hm."), .chunk("Yes."), .functionCall([call]),
                .audioSample(samples: [0.5], sampleRate: 24_000),
                .complete(MessageCompletion(message: message, finishReason: .stop, stats: nil)),
            ]
        }
        #expect(try await loop(speechOutput) == ["Hm.", "Yes.", "f", "1 24000", "Yes."])
        let texts = try await loop(Leap.load(url: Self.url))
        #expect(texts.dropLast().joined() == texts.last)
    }

    /// What the responses of a model hold.
    private func loop(_ modelRunner: any ModelRunner) async throws -> [String] {
        let systemMessage = ChatMessage(role: .system, content: [.text("You are a helpful assistant.")])
        let conversation = Conversation(modelRunner: modelRunner, history: [systemMessage])
        let user = ChatMessage(role: .user, content: [.text("Hello! What can you do?")])
        let task = Task {
            var delivered: [String] = []
            for try await response in conversation.generateResponse(
                message: user, generationOptions: GenerationOptions(temperature: 0.7, maxOutputTokens: 4))
            {
                switch response {
                case .chunk(let delta): delivered.append(delta)
                case .reasoningChunk(let thought): delivered.append(thought)
                case .functionCall(let calls): delivered += calls.map(\.name)
                case .audioSample(let samples, let sampleRate): delivered.append("\(samples.count) \(sampleRate)")
                case .complete(let completion):
                    let text = completion.message.content.compactMap { item in
                        if case .text(let value) = item { return value }
                        return nil
                    }.joined()
                    delivered.append(text)
                    if let stats = completion.stats { #expect(stats.completionTokens <= 4) }
                }
            }
            return delivered
        }
        return try await task.value
    }

    @Test("engine options can be built with the initialiser or with chained builders")
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
