import LeapModelDownloader

func withTheOtherModule(_ runner: any ModelRunner) async throws -> String {
    let conversation: any Conversation = runner.createConversation(systemPrompt: nil)
    var text = ""
    for try await response in conversation.generateResponse(message: ChatMessage(role: .user, textContent: "Hi")) {
        if case .chunk(let chunk) = onEnum(of: response) { text += chunk.text }
    }
    return text
}
