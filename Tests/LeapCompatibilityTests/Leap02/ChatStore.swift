import Foundation
import LeapSDK
#if canImport(SwiftUI)
import SwiftUI
#endif

// The complete example of the specification of version 0.2, verbatim.

@MainActor
class ChatStore: ObservableObject {
    @Published var conversation: Conversation?
    @Published var modelRunner: ModelRunner?
    @Published var isModelLoading = true
    @Published var outputText = ""
    private var generationTask: Task<Void, Never>?
    func setupModel() async {
        guard modelRunner == nil else { return }
        isModelLoading = true
        do {
            guard
                let modelURL = Bundle.main.url(
                    forResource: "qwen3-0_6b",
                    withExtension: "bundle"
                )
            else {
                print("❗️ Could not find model bundle")
                isModelLoading = false
                return
            }
            let modelRunner = try await Leap.load(url: modelURL)
            self.modelRunner = modelRunner
            // Create conversation with optional system message
            let systemMessage = ChatMessage(
                role: .system,
                content: [.text("You are a helpful assistant.")]
            )
            conversation = Conversation(modelRunner: modelRunner, history: [systemMessage])
            print("✅ Model loaded successfully!")
        } catch {
            print("🚨 Failed to load model: \(error)")
        }
        isModelLoading = false
    }
    func sendMessage(_ text: String) {
        guard let conversation = conversation else { return }
        generationTask?.cancel()
        outputText = ""
        generationTask = Task {
            let userMessage = ChatMessage(role: .user, content: [.text(text)])
            for await response in conversation.generateResponse(message: userMessage) {
                if Task.isCancelled { break }
                switch response {
                case .chunk(let chunk):
                    outputText += chunk
                case .reasoningChunk(let reasoning):
                    // Handle reasoning if needed
                    print("Reasoning: \(reasoning)")
                case .complete(let usage, let reason):
                    print("Complete. Usage: \(usage)")
                    print("Finish reason: \(reason)")
                }
            }
        }
    }
    func stopGeneration() {
        generationTask?.cancel()
    }
}

extension ChatStore {
    /// Waits for the answer.
    func answer() async -> String {
        await generationTask?.value
        return outputText
    }
}
