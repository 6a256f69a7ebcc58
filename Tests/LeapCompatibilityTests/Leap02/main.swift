import Foundation
import LeapSDK

/// Runs the programs of version 0.2 with the model whose path is given.
let modelRunner = try await Leap.load(url: URL(fileURLWithPath: CommandLine.arguments[1]))

// The specification's other fragments.
func fragments() async {
    // Create a new conversation
    let conversation = Conversation(modelRunner: modelRunner, history: [])

    let task = Task {
        let userMessage = ChatMessage(role: .user, content: [.text("Hello")])
        for await response in conversation.generateResponse(message: userMessage) {
            switch response {
            case .chunk(let text):
                print("Chunk: \(text)")
            case .reasoningChunk(let text):
                print("Reasoning: \(text)")
            case .complete(let usage, let reason):
                print("Generation complete")
                print("Usage: \(usage)")
                print("Reason: \(reason)")
            }
        }
    }
    // Stop the generation by canceling the task
    task.cancel()
    await task.value
    // Unless the answer was already complete, nothing of it is kept.
    precondition(conversation.history.isEmpty || conversation.history.count == 2)
}

await fragments()

let store = ChatStore()
await store.setupModel()  // there is no bundle
store.modelRunner = modelRunner
store.conversation = Conversation(modelRunner: modelRunner, history: [])

// A model with random weights may begin an invalid function call, which ends its answer early: then it is asked again.
var answer = ""
for _ in 0..<20 where store.conversation?.history.last?.text.isEmpty ?? true {
    store.sendMessage("Hello")
    answer = await store.answer()
}
precondition(!answer.isEmpty && store.conversation?.history.last?.text == answer)

// A custom runner: its completion has no text, so the answer is the text that was delivered before.
struct Greeter: ModelRunner, GenerationHandler {
    var modelId: String { "greeter" }
    func createConversation(systemPrompt: String?) -> Conversation { createConversationFromHistory(history: []) }
    func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
        Conversation(modelRunner: self, history: history)
    }
    func generateResponse(
        conversation: Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> GenerationHandler {
        ["Good ", "morning."].forEach { onResponseCallback(.chunk($0)) }
        onResponseCallback(.complete("2 tokens", .stop))
        return self
    }
    func unload() async {}
    func stop() {}
}

let greeting = Greeter().createConversation()
for await _ in greeting.generateResponse(userTextMessage: "Hello") {}
precondition(greeting.history.map(\.text) == ["Hello", "Good morning."])
print("OK")
