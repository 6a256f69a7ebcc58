import Foundation
import LeapSDK

/// A conversation in a terminal.
actor Chat {
    let runner: any ModelRunner
    private let conversation: any Conversation

    init(runner: any ModelRunner) {
        self.runner = runner
        conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
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
    }
}
