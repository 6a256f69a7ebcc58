import LeapJSON
import LeapOpenAIClient
import LeapSDKTypes

/// Converts a history to the format of a server.
///
/// Calls get ids derived from their positions, and results those of the calls before them.
struct RemoteHistory {
    let sendsReasoning: Bool
    private(set) var messages: [any LeapOpenAIClient.ChatMessage] = []
    private var callNames = CallNames()

    init(_ history: [LeapSDKTypes.ChatMessage], sendsReasoning: Bool) {
        self.sendsReasoning = sendsReasoning
        history.forEach { append($0) }
        answerOpenCalls()
    }

    private mutating func append(_ message: LeapSDKTypes.ChatMessage) {
        if message.role != .tool { answerOpenCalls() }
        let names = callNames.next(message)
        switch message.role {
        case .system: messages.append(ChatMessageSystem(content: message.text))
        case .user: messages.append(ChatMessageUser(parts: message.content.map(ChatCompletionContentPart.init)))
        case .assistant: messages.append(assistant(message, names))
        case .tool: messages.append(ChatMessageTool(content: message.text, toolCallId: names.first ?? ""))
        }
    }

    private func assistant(_ message: LeapSDKTypes.ChatMessage, _ names: [String]) -> ChatMessageAssistant {
        let calls = zip(names, message.functionCalls ?? []).map { name, call in
            ChatCompletionToolCall(id: name, name: call.name, arguments: call.argumentsJSON.text())
        }
        return ChatMessageAssistant(
            content: message.text, toolCalls: calls, reasoning: sendsReasoning ? message.reasoningContent : nil)
    }

    /// Adds missing results: servers reject calls without one, and apps may put the results of several calls into one
    /// message.
    private mutating func answerOpenCalls() {
        for call in callNames.open { messages.append(ChatMessageTool(content: "", toolCallId: call)) }
    }
}

extension ChatCompletionContentPart {
    init(_ content: ChatMessageContent) {
        switch content {
        case .text(let text): self = .text(text)
        case .image(let data): self = .imageURL(ImageURL.url(of: data))
        case .audio(let data): self = .audio(data, format: AudioFormat(of: data).rawValue)
        }
    }
}
