import Foundation
import LeapSDK

/// A conversation in a terminal.
actor Chat {
    let runner: any ModelRunner
    let memory: Memory
    private var conversation: any Conversation

    init(runner: any ModelRunner, memory: Memory = Memory(file: URL(fileURLWithPath: "chat.json"))) throws {
        self.runner = runner
        self.memory = memory
        conversation = try Self.conversation(runner, memory)
    }

    /// The stored conversation.
    private static func conversation(_ runner: any ModelRunner, _ memory: Memory) throws -> any Conversation {
        runner.createConversationFromHistory(history: try memory.messages())
    }

    /// Answers input lines until there are no more.
    func run() async {
        show("\n\(runner.modelId) listens. /forget; Ctrl-D ends.\n")
        while true {
            show("> ")
            guard let line = readLine() else { return show("\n") }
            do {
                try await handle(line)
            } catch {
                show("\(error)\n")
            }
        }
    }

    private func handle(_ line: String) async throws {
        switch line {
        case "": return
        case "/forget":
            try memory.forget()
            conversation = try Self.conversation(runner, memory)
        default:
            try await answer(line)
        }
    }

    /// Answers a question, and displays the answer as it is generated.
    private func answer(_ question: String) async throws {
        let options = GenerationOptions().with(contextPolicy: .dropOldestTurns())
        for try await response in conversation.generateResponse(userTextMessage: question, generationOptions: options) {
            if case .chunk(let text) = response { show(text) }
        }
        show("\n")
        try memory.keep(conversation.history)
    }
}
