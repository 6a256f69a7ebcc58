import LeapSDK

func withOneModule(_ runner: ModelRunner) async throws -> String {
    let conversation: Conversation = Conversation(modelRunner: runner, history: [])
    var text = ""
    for try await response in conversation.generateResponse(message: ChatMessage(role: .user, content: [.text("Hi")])) {
        if case .chunk(let delta) = response { text += delta }
    }
    return text
}
