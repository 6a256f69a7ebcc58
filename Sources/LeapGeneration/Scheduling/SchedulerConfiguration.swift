import LeapModels

/// How a ``Scheduler`` shares a model among its generations. Nothing here changes their answers.
public struct SchedulerConfiguration: Sendable {
    /// The most rows of a pass over a prompt.
    public var chunkSize = LanguageModel.chunkSize
    /// The most generations that read or write at a time; others wait for their turn.
    public var maxActive = 16
    /// The target for the longest time between two tokens of an answer while a prompt is being read.
    public var tokenGap = Duration.milliseconds(250)
    /// The target for the longest pass over a prompt while no answer is being decoded, which is how long a newly
    /// arrived request may wait. `nil` is no limit.
    public var promptGap: Duration?
    /// How much more computing time a client may have had than another client that waits.
    public var clientLead = Duration.seconds(1)
    /// The clients' computing time, shared with other models on the machine; it brings its own lead. `nil` to count
    /// time for this model alone.
    public var sharedTime: SharedTime?
    /// The most bytes of keys, values and other state that all generations may hold together; `nil` is no limit. A single
    /// generation may always continue, even beyond it.
    public var stateBytes: Int?
    /// Memory for an answer is reserved in steps of this many tokens.
    public var reservedTokens = 512

    /// The usual values.
    public init() {}
}
