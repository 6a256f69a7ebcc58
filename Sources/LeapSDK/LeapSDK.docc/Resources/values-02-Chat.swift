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

    /// The stored conversation, with the functions that the model may call.
    private static func conversation(_ runner: any ModelRunner, _ memory: Memory) throws -> any Conversation {
        let conversation = runner.createConversationFromHistory(history: try memory.messages())
        conversation.registerFunction(Clock.function)
        return conversation
    }

    /// Answers input lines until there are no more.
    func run() async {
        show("\n\(runner.modelId) listens. /forget, /contact TEXT; Ctrl-D ends.\n")
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
        let words = line.split(separator: " ", maxSplits: 1)
        switch words.first {
        case nil: return
        case "/forget":
            try memory.forget()
            conversation = try Self.conversation(runner, memory)
        case "/contact" where words.count == 2:
            try await showContact(in: String(words[1]))
        default:
            try await answer(line)
        }
    }

    /// Answers a question, and executes function calls until the model makes no more.
    private func answer(_ question: String) async throws {
        let options = GenerationOptions().with(contextPolicy: .dropOldestTurns())
        var responses = conversation.generateResponse(userTextMessage: question, generationOptions: options)
        for round in 1...5 {
            try await relay(responses)
            let calls = conversation.history.last?.functionCalls ?? []
            if calls.isEmpty { break }
            for call in calls {
                conversation.appendToHistory(ChatMessage(role: .tool, textContent: result(of: call)))
            }
            guard round < 5 else {
                show("The model was stopped after five rounds of calls.")
                break
            }
            responses = conversation.generateResponse(generationOptions: options)
        }
        show("\n")
        try memory.keep(conversation.history)
    }

    /// Displays an answer as it is generated.
    private func relay(_ responses: ResponseStream) async throws {
        for try await response in responses {
            if case .chunk(let text) = response { show(text) }
        }
    }

    /// The result of a call for the model, or what is wrong with it.
    private func result(of call: LeapFunctionCall) -> String {
        let problems = conversation.problems(in: call)
        guard problems.isEmpty else { return problems.map(\.description).joined(separator: "; ") }
        do { return try Clock.result(of: call) } catch { return "\(error)" }
    }

    /// Shows the contact described in a text, while it is generated and as a card.
    private func showContact(in text: String) async throws {
        let conversation = runner.createConversation()
        for try await response in conversation.generateResponse(userTextMessage: text, as: Contact.self) {
            switch response {
            case .partial(let contact):
                show("\r\(contact.name ?? "…"), \(contact.job ?? "…"), \(contact.city ?? "…") ")
            case .complete(let contact, _): show("\n\(contact.card)\n")
            case .reasoningChunk: break
            }
        }
    }
}
