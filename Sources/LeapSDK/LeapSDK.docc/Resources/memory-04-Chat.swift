import Foundation
import LeapSDK

/// A conversation in a terminal.
actor Chat {
    let runner: any ModelRunner
    let memory: Memory
    private let conversation: any Conversation

    init(runner: any ModelRunner, memory: Memory = Memory(file: URL(fileURLWithPath: "chat.json"))) throws {
        self.runner = runner
        self.memory = memory
        conversation = runner.createConversationFromHistory(history: try memory.messages())
    }

    /// Answers input lines until there are no more.
    func run() async {
        show("\n\(runner.modelId) listens. Ctrl-D ends.\n")
        while true {
            show("> ")
            guard let line = readLine() else { return show("\n") }
            do {
                try await answer(line)
            } catch {
                show("\(error)\n")
            }
        }
    }

    /// Answers a question, and displays the answer as it is generated.
    private func answer(_ question: String) async throws {
        for try await response in conversation.generateResponse(userTextMessage: question) {
            if case .chunk(let text) = response { show(text) }
        }
        show("\n")
        try memory.keep(conversation.history)
    }
}
