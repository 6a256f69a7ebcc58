/// A complete answer; see ``OpenAiClient/chatCompletion(request:)``.
public struct ChatCompletion: Sendable, Hashable {
    /// The text of the answer.
    public var content = ""
    /// The model's reasoning; empty if the server sends none.
    public var reasoning = ""
    /// The model's refusal; empty if there is none, or if the server does not distinguish it from the text.
    public var refusal = ""
    /// The end of the answer: the finish reason, the token counts and the function calls.
    public var end = ChatCompletionEvent.Done(usage: nil)

    /// The token counts, if the server reports them.
    public var usage: Usage? { end.usage }
    /// The reason why the answer ended.
    public var finishReason: String? { end.finishReason }
    /// The function calls of the model.
    public var toolCalls: [ChatCompletionToolCall] { end.toolCalls }

    /// The answer as a message for the next request.
    public var message: ChatMessageAssistant { ChatMessageAssistant(content: content, toolCalls: toolCalls) }

    /// Appends the next piece.
    mutating func append(_ delta: ChatCompletionEvent.Delta) {
        content += delta.content
        reasoning += delta.reasoning ?? ""
        refusal += delta.refusal ?? ""
    }

    /// The size of the text so far in bytes.
    var size: Int { content.utf8.count + reasoning.utf8.count + refusal.utf8.count }
}
