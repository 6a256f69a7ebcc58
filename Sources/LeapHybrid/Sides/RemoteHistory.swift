import LeapJSON
import LeapOpenAIClient
import LeapSDKTypes

/// Writes a history as a server takes it.
///
/// Calls have no names of their own in LeapSDK, but at a server: they get some by their places, and results get those of
/// the calls before them, in order.
struct RemoteHistory {
    let sendsReasoning: Bool
    private(set) var messages: [any LeapOpenAIClient.ChatMessage] = []
    /// The calls that no result has followed yet.
    private var open: [String] = []
    private var lastCall = ""

    init(_ history: [LeapSDKTypes.ChatMessage], sendsReasoning: Bool) {
        self.sendsReasoning = sendsReasoning
        for (place, message) in history.enumerated() { append(message, place) }
        answerOpenCalls()
    }

    private mutating func append(_ message: LeapSDKTypes.ChatMessage, _ place: Int) {
        if message.role != .tool { answerOpenCalls() }
        switch message.role {
        case .system: messages.append(ChatMessageSystem(content: message.text))
        case .user: messages.append(ChatMessageUser(parts: message.content.map(ChatCompletionContentPart.init)))
        case .assistant: messages.append(assistant(message, place))
        case .tool:
            lastCall = open.isEmpty ? lastCall : open.removeFirst()
            messages.append(ChatMessageTool(content: message.text, toolCallId: lastCall))
        }
    }

    private mutating func assistant(_ message: LeapSDKTypes.ChatMessage, _ place: Int) -> ChatMessageAssistant {
        let calls = (message.functionCalls ?? []).enumerated().map { number, call in
            ChatCompletionToolCall(
                id: "call_\(place)_\(number)", name: call.name, arguments: call.argumentsJSON.text())
        }
        open = calls.map(\.id)
        return ChatMessageAssistant(
            content: message.text, toolCalls: calls, reasoning: sendsReasoning ? message.reasoningContent : nil)
    }

    /// Servers refuse calls that have no result, which apps leave out where one message has the results of several calls.
    private mutating func answerOpenCalls() {
        for call in open { messages.append(ChatMessageTool(content: "", toolCallId: call)) }
        open = []
    }
}

extension ChatCompletionContentPart {
    init(_ content: ChatMessageContent) {
        switch content {
        case .text(let text): self = .text(text)
        case .image(let data):
            let types = ["image/png": [0x89, 0x50], "image/webp": Array("RIFF".utf8)]
            let type = types.first { data.starts(with: $0.value) }?.key
            self = .image(data, mediaType: type ?? "image/jpeg")
        case .audio(let data): self = .audio(data, format: "wav")
        }
    }
}
