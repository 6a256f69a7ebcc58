/// The rules for retries.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts without progress.
    public var attempts: Int
    /// The pause before the second attempt; it doubles with each further one.
    public var firstPause: Duration
    /// The maximum pause. If a server requests a longer one with `Retry-After`, there are no further attempts.
    public var longestPause: Duration

    /// Creates rules, by default for six attempts with pauses of half a second up to a minute.
    public init(attempts: Int = 6, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(60)) {
        self.attempts = max(1, attempts)
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// Returns the pause after a number of consecutive failures, up to a quarter longer at random, so that clients that
    /// failed at the same time do not retry at the same time.
    func pause(after failures: Int) -> Duration {
        let doubled = firstPause * (1 << min(max(0, failures - 1), 20))
        return min(doubled, longestPause) * Double.random(in: 1...1.25)
    }
}

/// An error that may be retried.
struct Retryable: Error {
    let error: HubError
    /// The delay that the server requests; `nil` if none.
    var retryAfter: Duration?
    /// Whether a single further attempt, soon, suffices to confirm the failure.
    var isOnceMore = false
}

/// Counts consecutive failures and waits between attempts.
struct RetryCounter {
    /// The pause before the attempt that confirms a failure.
    private static let shortPause = Duration.milliseconds(250)

    private let policy: RetryPolicy
    private var failures = 0

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// Resets the count of failures after a success.
    mutating func succeeded() { failures = 0 }

    /// Waits for the next attempt.
    ///
    /// - Throws: The failure's error if there is no further attempt, or `CancellationError`.
    mutating func wait(after failure: Retryable) async throws {
        failures += 1
        guard failures < (failure.isOnceMore ? min(2, policy.attempts) : policy.attempts) else { throw failure.error }
        var pause = policy.pause(after: failures)
        if failure.isOnceMore { pause = min(pause, Self.shortPause) }
        if let asked = failure.retryAfter {
            guard asked <= policy.longestPause else { throw failure.error }
            pause = max(pause, asked)
        }
        try await Task.sleep(for: pause)
    }
}

extension RetryPolicy {
    /// Runs an operation, and retries it after failures that may be temporary.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        var counter = RetryCounter(self)
        while true {
            do { return try await body() } catch let failure as Retryable { try await counter.wait(after: failure) }
        }
    }
}
