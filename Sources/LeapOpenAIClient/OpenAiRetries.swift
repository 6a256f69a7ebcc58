/// How often a request is sent again, and when. It is only while no byte of an answer has come, and only for what may
/// pass: no connection, 408, 429, and servers' own failures.
public struct OpenAiRetries: Sendable, Hashable {
    /// How many times after the first.
    public var count: Int
    /// How long to wait before the first of them, about; twice as long before each that follows.
    public var firstDelay: Duration
    /// The longest that such a wait becomes.
    public var longestDelay: Duration
    /// The longest that a server may ask to wait, in `Retry-After`. One that asks for more is not asked again.
    public var longestRetryAfter: Duration

    /// Makes rules.
    public init(
        count: Int = 2, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(8),
        longestRetryAfter: Duration = .seconds(60)
    ) {
        self.count = count
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
    }

    /// Every failure is final.
    public static let none = OpenAiRetries(count: 0)

    /// How long to wait before another attempt; `nil` for none.
    ///
    /// - Parameters:
    ///   - attempts: How many there were, from 1.
    ///   - asked: How long the server asks to wait.
    ///   - jitter: What spreads clients that failed together, 0…1.
    func delay(after attempts: Int, asked: Duration?, jitter: Double = .random(in: 0...1)) -> Duration? {
        guard attempts <= count else { return nil }
        if let asked { return asked <= longestRetryAfter ? asked : nil }
        // A doubling that would exceed the limit is not computed: it might overflow.
        var delay = min(firstDelay, longestDelay)
        for _ in 0..<min(attempts - 1, 64) { delay = delay < longestDelay / 2 ? delay * 2 : longestDelay }
        return delay * (1 - jitter / 4)
    }
}
