/// How often and when something is tried again.
public struct RetryPolicy: Hashable, Sendable {
    /// The most attempts without progress.
    public var attempts: Int
    /// The pause before the second attempt; each further one takes twice as long.
    public var firstPause: Duration
    /// The longest pause. A server that asks for a longer one by `Retry-After` ends the attempts.
    public var longestPause: Duration

    /// Six attempts, half a second to a minute apart.
    public init(attempts: Int = 6, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(60)) {
        self.attempts = max(1, attempts)
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The pause after a number of failures in a row: up to a quarter longer at random, so that clients that failed together
    /// do not come back together.
    func pause(after failures: Int) -> Duration {
        let doubled = firstPause * (1 << min(max(0, failures - 1), 20))
        return min(doubled, longestPause) * Double.random(in: 1...1.25)
    }
}

/// An error, and what to do about it.
struct Retryable: Error {
    let error: HubError
    /// How long the server asks to wait; nil if it does not say.
    var retryAfter: Duration?
    /// Whether one more attempt, soon, is enough to be sure.
    var isOnceMore = false
}

/// Counts failures in a row and waits between attempts.
struct RetryCounter {
    /// The pause before the attempt that confirms a failure.
    private static let shortPause = Duration.milliseconds(250)

    private let policy: RetryPolicy
    private var failures = 0

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// Something went well: failures are counted anew.
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
    /// Does something, and again after failures that may pass.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        var counter = RetryCounter(self)
        while true {
            do { return try await body() } catch let failure as Retryable { try await counter.wait(after: failure) }
        }
    }
}
