import LeapModels

/// How a ``Scheduler`` divides a model among its generations. Nothing here changes what they say.
public struct SchedulerConfiguration: Sendable {
    /// The most rows of a pass over a prompt.
    public var chunkSize = LanguageModel.chunkSize
    /// The most generations that read or write at a time; others wait for their turn.
    public var maxActive = 16
    /// What the time between two tokens of an answer should not exceed while a prompt is being read beside it.
    public var tokenGap = Duration.milliseconds(250)
    /// How long a pass over a prompt should take at most where nobody waits for tokens: so long those wait that come meanwhile.
    /// `nil` is no limit.
    public var promptGap: Duration?
    /// How much longer a client may have been computed for than another that waits.
    public var clientLead = Duration.seconds(1)
    /// The time that clients had, where other models on the machine count it too; it has a lead of its own. `nil` where they do
    /// not.
    public var sharedTime: SharedTime?
    /// The most bytes of keys, values and other state that generations may come to hold together; `nil` is no limit. One
    /// generation at a time may go on all the same.
    public var stateBytes: Int?
    /// Tokens of an answer for which memory is promised at a time.
    public var promisedTokens = 512

    /// The usual values.
    public init() {}
}
