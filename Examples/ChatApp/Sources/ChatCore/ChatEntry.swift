/// A message as it is displayed.
public struct ChatEntry: Identifiable, Hashable, Sendable {
    /// The author of a message.
    public enum Speaker: Hashable, Sendable {
        case user
        case model
    }

    /// The entry's index in the conversation.
    public let id: Int
    /// The author.
    public let speaker: Speaker
    /// The text.
    public internal(set) var text = ""
    /// The model's reasoning before the answer.
    public internal(set) var thoughts = ""
    /// Whether the answer was stopped, or failed.
    public internal(set) var isStopped = false
    /// Whether the model remembers neither the answer nor its question, because not even a call was finished.
    public internal(set) var isForgotten = false
}
