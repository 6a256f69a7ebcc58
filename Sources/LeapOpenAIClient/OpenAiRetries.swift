/// The rules for retrying requests. A request is retried only as long as no byte of an answer has arrived, and only
/// after failures that may be temporary: no connection, HTTP 408 and 429, and server errors.
public struct OpenAiRetries: Sendable, Hashable {
    /// The maximum number of retries.
    public var count: Int
    /// The approximate delay before the first retry; it doubles with each further one.
    public var firstDelay: Duration
    /// The maximum delay before a retry.
    public var longestDelay: Duration
    /// The maximum delay that a server may request with `Retry-After`. If it requests a longer one, there is no retry.
    public var longestRetryAfter: Duration

    /// Creates rules.
    public init(
        count: Int = 2, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(8),
        longestRetryAfter: Duration = .seconds(60)
    ) {
        self.count = count
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
    }

    /// No retries.
    public static let none = OpenAiRetries(count: 0)

    /// Returns the delay before another attempt; `nil` for no further attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, at least 1.
    ///   - asked: The delay that the server requests.
    ///   - jitter: A random value, 0…1, that spreads clients which failed at the same time.
    func delay(after attempts: Int, asked: Duration?, jitter: Double = .random(in: 0...1)) -> Duration? {
        guard attempts <= count else { return nil }
        if let asked { return asked <= longestRetryAfter ? asked : nil }
        // A doubling that would exceed the limit is not computed: it might overflow.
        var delay = min(firstDelay, longestDelay)
        for _ in 0..<min(attempts - 1, 64) { delay = delay < longestDelay / 2 ? delay * 2 : longestDelay }
        return delay * (1 - jitter / 4)
    }
}
