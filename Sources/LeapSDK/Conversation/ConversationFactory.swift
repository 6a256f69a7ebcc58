/// Creates a conversation with a model and an existing history. Spelled like an initialiser because earlier versions of
/// the API had a class of this name.
public func Conversation(modelRunner: any ModelRunner, history: [ChatMessage]) -> any Conversation {
    ChatConversation(modelRunner: modelRunner, history: history)
}
