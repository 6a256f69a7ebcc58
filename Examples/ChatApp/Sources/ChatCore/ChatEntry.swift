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
    /// Whether the answer was stopped, or failed. The model remembers neither the answer nor its question.
    public internal(set) var isStopped = false
}
