/// Which of a request's timeouts runs, and since when.
struct ResponseTiming {
    typealias Instant = ContinuousClock.Instant

    enum Check: Equatable {
        /// No timeout can pass any more.
        case unlimited
        /// None has passed; none will before this instant.
        case until(Instant)
        case passed(TransportTimeout, Duration)
    }

    private let timeouts: TransportTimeouts
    private let start: Instant
    private var isConnected = false
    /// Since when a reader waits for bytes; `nil` while none does.
    private var waitingSince: Instant?

    init(_ timeouts: TransportTimeouts, now: Instant) {
        self.timeouts = timeouts
        self.start = now
    }

    var hasLimits: Bool { timeouts != TransportTimeouts() }

    /// The connection is established, and some of the request was just sent, or its response begins.
    mutating func progressed(at now: Instant) {
        if !isConnected || waitingSince != nil { waitingSince = now }
        isConnected = true
    }

    mutating func readerWaits(since now: Instant) { waitingSince = now }

    mutating func readerStopped() { waitingSince = nil }

    func check(at now: Instant) -> Check {
        var limits: [(TransportTimeout, from: Instant, Duration)] = []
        if let whole = timeouts.whole { limits.append((.whole, start, whole)) }
        if let connect = timeouts.connect, !isConnected { limits.append((.connect, start, connect)) }
        // Without a connection or a waiting reader the idle timeout does not run, but it may start at any moment.
        if let idle = timeouts.idle { limits.append((.idle, waitingSince ?? now, idle)) }

        var next: Instant?
        for (kind, from, limit) in limits {
            let end = from.advanced(by: limit)
            if end <= now { return .passed(kind, limit) }
            next = min(next ?? end, end)
        }
        return next.map { .until($0) } ?? .unlimited
    }
}

extension TransportTimeouts {
    /// For a request whose connection is not reported: connecting then counts as ending with the head of the response, which
    /// may take as long as any other bytes.
    var connectingUntilHead: TransportTimeouts {
        var timeouts = self
        if let connect, let idle { timeouts.connect = max(connect, idle) }
        return timeouts
    }
}
