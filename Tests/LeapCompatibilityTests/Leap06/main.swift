import Foundation
import LeapSDK

// A program in the style of version 0.6: the completion has the full text and statistics, and errors are thrown. Runs with
// the model whose path is given.

@MainActor
final class ChatStore {
    private(set) var text = ""
    private(set) var fullText = ""
    private(set) var info: GenerationCompleteInfo?
    private(set) var calls: [LeapFunctionCall] = []
    private(set) var failure: String?
    private let conversation: Conversation

    init(runner: ModelRunner) {
        conversation = Conversation(
            modelRunner: runner, history: [ChatMessage(role: .system, content: [.text("You are helpful.")])])
        conversation.registerFunction(
            LeapFunction(
                name: "get_weather", description: "The weather of a city",
                parameters: [
                    LeapFunctionParameter(name: "city", type: .string(StringType()), description: "The city")
                ]))
    }

    func send(_ prompt: String, options: GenerationOptions) async {
        let message = ChatMessage(role: .user, content: [.text(prompt)])
        do {
            for try await response in conversation.generateResponse(message: message, generationOptions: options) {
                switch response {
                case .chunk(let chunk):
                    text += chunk
                case .reasoningChunk(let chunk):
                    print("thought", chunk)
                case .functionCall(let calls):
                    self.calls += calls
                case .complete(let fullText, let completeInfo):
                    self.fullText = fullText
                    info = completeInfo
                }
            }
        } catch let LeapError.promptExceedContextLengthFailure(text, _) {
            failure = text
        } catch {
            failure = "something else: \(error)"
        }
    }
}

let runner = try await Leap.load(url: URL(fileURLWithPath: CommandLine.arguments[1]))
let options = GenerationOptions(temperature: 0, maxOutputTokens: 8)
let store = ChatStore(runner: runner)
await store.send("Hello", options: options)
precondition(!store.text.isEmpty && store.fullText == store.text && store.failure == nil)
precondition(store.info?.finishReason == .stop && (store.info?.stats?.completionTokens ?? 0) > 0)

// Errors are thrown.
await store.send(String(repeating: "word ", count: 100_000), options: options)
precondition(store.failure.map { !$0.hasPrefix("something else") } == true)

// A custom runner delivers calls before the completion, which has only the text.
struct AskingRunner: ModelRunner, GenerationHandler {
    var modelId: String { "asking" }
    func createConversation(systemPrompt: String?) -> Conversation { createConversationFromHistory(history: []) }
    func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
        Conversation(modelRunner: self, history: history)
    }
    func generateResponse(
        conversation: Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> GenerationHandler {
        let isAsking = conversation.history.last?.role == .user
        let text = isAsking ? "Let me see." : "Sunny."
        onResponseCallback(.chunk(text))
        if isAsking { onResponseCallback(.functionCall([LeapFunctionCall(name: "get_weather", argumentsJSON: [:])])) }
        onResponseCallback(.complete(text, GenerationCompleteInfo(finishReason: .stop, stats: nil)))
        return self
    }
    func unload() async {}
    func stop() {}
}

let conversation = AskingRunner().createConversation()
conversation.registerFunction(LeapFunction(name: "get_weather", description: "The weather", parameters: []))
let question = ChatMessage(role: .user, content: [.text("Hello")])
let loop = FunctionLoop(["get_weather": { _ in "sunny" }])
for try await _ in conversation.generateResponse(message: question, running: loop) {}
precondition(conversation.history.map(\.text) == ["Hello", "Let me see.", "sunny", "Sunny."])
precondition(conversation.history[1].functionCalls?.count == 1)
