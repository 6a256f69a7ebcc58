/// A message as it is shown.
public struct ChatEntry: Identifiable, Hashable, Sendable {
    /// Who speaks.
    public enum Speaker: Hashable, Sendable {
        case user
        case model
    }

    /// The entry's place in the conversation.
    public let id: Int
    /// Who speaks.
    public let speaker: Speaker
    /// What is said.
    public internal(set) var text = ""
    /// What the model thought before.
    public internal(set) var thoughts = ""
    /// Whether the answer was stopped. The model remembers neither it nor its question.
    public internal(set) var isStopped = false
}
