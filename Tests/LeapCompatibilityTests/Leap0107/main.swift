import Foundation
import LeapSDK

// A program in the style of versions 0.10.0 to 0.10.7: responses are a protocol with five classes, options have builders, and
// errors are thrown, with a class for each kind. Runs with the model whose path is given.

@MainActor
final class SloganStore {
    private let runner: any ModelRunner
    private(set) var slogan = ""
    private(set) var error: String?
    private(set) var reason: GenerationFinishReason?

    init(runner: any ModelRunner) {
        self.runner = runner
    }

    func generate(_ text: String, options: GenerationOptions) async {
        let conversation = runner.createConversation(systemPrompt: nil)
        let message = ChatMessage(role: .user, textContent: text)
        let flow: SkieSwiftFlow<any MessageResponse> = conversation.generateResponse(
            message: message, generationOptions: options)
        do {
            for try await response in flow {
                switch onEnum(of: response) {
                case .chunk(let chunk): slogan += chunk.text
                case .reasoningChunk(let chunk): print(chunk.reasoning)
                case .functionCalls(let payload): print(payload.functionCalls.map(\.name))
                case .audioSample(let sample): print(sample.samples.toFloatArray().count, sample.sampleRate)
                case .complete(let completion): reason = completion.finishReason
                }
            }
        } catch let exception as LeapGenerationPromptExceedContextLengthException {
            error = exception.message
        } catch let exception as LeapException {
            error = "something else: \(exception.message)"
        } catch {
            print("no exception of ours: \(error)")
        }
    }
}

/// Handles responses by their class.
@MainActor
final class AudioDemoStore {
    private(set) var samples: [Float] = []
    private(set) var text = ""
    private(set) var finishReason: GenerationFinishReason?

    func take(_ response: any MessageResponse) {
        if let chunk = response as? MessageResponseChunk {
            text += chunk.text
        } else if let sample = response as? MessageResponseAudioSample {
            samples += sample.samples.toFloatArray()
        } else if let completion = response as? MessageResponseComplete {
            finishReason = completion.finishReason
        }
    }
}

let runner = try await Leap.shared.load(
    url: URL(fileURLWithPath: CommandLine.arguments[1]), options: nil, generationTimeParameters: nil,
    autoDetectCompanionFiles: false)
let options = GenerationOptions().with(temperature: 0).with(maxTokens: Int32(8))
let store = SloganStore(runner: runner)
await store.generate("Hello", options: options)
precondition(!store.slogan.isEmpty && store.reason == .stop && store.error == nil)

await store.generate(String(repeating: "word ", count: 100_000), options: options)
precondition(store.error.map { !$0.hasPrefix("something else") } == true)

// Responses can be cast to their classes.
let demo = AudioDemoStore()
let conversation = runner.createConversation(systemPrompt: nil)
for try await response in conversation.generateResponse(userTextMessage: "Hello", generationOptions: options) {
    demo.take(response)
}
precondition(!demo.text.isEmpty && demo.finishReason == .stop)

do {
    _ = try await Leap.shared.load(url: URL(fileURLWithPath: "/nowhere.gguf"))
    preconditionFailure("a missing file was loaded")
} catch let exception as LeapModelLoadingException {
    precondition(exception.message.contains("/nowhere.gguf"))
}
do {
    _ = try ChatMessage(from: ["role": 3])
    preconditionFailure("an invalid role was accepted")
} catch is LeapSerializationException {}
do {
    try options.setResponseFormat(type: Schemaless.self)
    preconditionFailure("a schema that is no JSON was accepted")
} catch is LeapGeneratableSchematizationException {}

struct Schemaless: GeneratableType {
    static let typeDescription = ""
    static func jsonSchema() -> String { "a number, please" }
}
