import Foundation
import LeapSDK

/// Runs a program in the style of version 0.10.8 with the model whose path is given.
let modelRunner: any ModelRunner = try await Leap.shared.load(
    url: URL(fileURLWithPath: CommandLine.arguments[1]), options: nil, generationTimeParameters: nil,
    autoDetectCompanionFiles: false)

@MainActor
final class SloganStore {
    private let runner: any ModelRunner
    private(set) var slogan = ""
    private(set) var failure: String?
    private(set) var reason: GenerationFinishReason?

    init(runner: any ModelRunner) {
        self.runner = runner
    }

    func generate(_ text: String, options: GenerationOptions) async {
        let conversation = runner.createConversation(systemPrompt: nil)
        let message = ChatMessage(role: .user, textContent: text)
        let flow: SkieSwiftFlow<any MessageResponse> = conversation.generateResponse(
            message: message, generationOptions: options)
        for await response in flow {
            switch onEnum(of: response) {
            case .chunk(let chunk):
                slogan += chunk.text
            case .reasoningChunk(let chunk):
                print(chunk.reasoning)
            case .functionCalls(let payload):
                print(payload.functionCalls.map(\.name))
            case .audioSample(let sample):
                print(sample.samples.toFloatArray().count, sample.sampleRate)
            case .complete(let completion):
                finish(completion)
            case .error(let error):
                failure = error.message
            }
        }
    }

    private func finish(_ completion: MessageResponseComplete) {
        reason = completion.finishReason
        switch completion.finishReason {
        case .stop, .constraint: print(completion.fullMessage.role.type)
        case .exceedContext: print("context")
        case .interrupted: print("stopped")
        case .error: print("failed")
        }
    }
}

@MainActor
final class Recorder: ModelRunnerGenerationCallback {
    nonisolated func onResponse(response: any MessageResponse) {
        guard let completion = response as? MessageResponseComplete else { return }
        print(completion.stats?.totalTokens ?? 0)
    }

    nonisolated func onError(error: LeapException) { print(error.message) }
}

let options = GenerationOptions().with(temperature: 0).with(maxTokens: Int32(8))
let store = SloganStore(runner: modelRunner)
await store.generate("Hello", options: options)
precondition(!store.slogan.isEmpty && store.reason == .stop && store.failure == nil)

// Errors arrive as the last response.
await store.generate(String(repeating: "word ", count: 100_000), options: options)
precondition(store.failure != nil)

// A stream can be read with `for try await`, as the documentation's examples do.
var isComplete = false
for try await response in modelRunner.createConversation(systemPrompt: nil).generateResponse(
    userTextMessage: "Hello", generationOptions: options)
{
    if response is MessageResponseComplete { isComplete = true }
}
precondition(isComplete)

let handler: ModelRunnerGenerationHandler = try await modelRunner.generateFromConversation(
    conversation: modelRunner.createConversation(systemPrompt: "Be kind."), callback: Recorder(),
    generationOptions: options)
handler.stop()
await modelRunner.unload()
print("OK")
