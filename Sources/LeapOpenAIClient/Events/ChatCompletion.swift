/// A whole answer; see ``OpenAiClient/chatCompletion(request:)``.
public struct ChatCompletion: Sendable, Hashable {
    /// The text.
    public var content = ""
    /// The model's thoughts; empty where the server sends none.
    public var reasoning = ""
    /// Text in which the model declines; empty where it does not, or where the server does not tell that apart.
    public var refusal = ""
    /// The end: why, what it took, and the functions that the model asks to call.
    public var end = ChatCompletionEvent.Done(usage: nil)

    /// Token counts, where the server sends them.
    public var usage: Usage? { end.usage }
    /// Why the answer ended.
    public var finishReason: String? { end.finishReason }
    /// The functions that the model asks to call.
    public var toolCalls: [ChatCompletionToolCall] { end.toolCalls }

    /// The answer as a message of the next request.
    public var message: ChatMessageAssistant { ChatMessageAssistant(content: content, toolCalls: toolCalls) }

    /// Takes the next piece.
    mutating func append(_ delta: ChatCompletionEvent.Delta) {
        content += delta.content
        reasoning += delta.reasoning ?? ""
        refusal += delta.refusal ?? ""
    }

    /// Bytes of text so far.
    var size: Int { content.utf8.count + reasoning.utf8.count + refusal.utf8.count }
}
