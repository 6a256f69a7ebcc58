/// Makes a conversation with a model in which something may have been said already. Spelled like an initialiser, because
/// conversations were a class once.
public func Conversation(modelRunner: any ModelRunner, history: [ChatMessage]) -> any Conversation {
    ChatConversation(modelRunner: modelRunner, history: history)
}
