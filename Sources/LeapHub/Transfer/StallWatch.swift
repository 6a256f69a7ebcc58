import LeapHTTP

/// Notices that bytes trickle so slowly that a download would never end.
struct StallWatch {
    typealias Instant = ContinuousClock.Instant

    private let window: Duration?
    private let minimumRate: Int64
    private var start: Instant
    private var bytes: Int64 = 0

    init(_ configuration: HubConfiguration, now: Instant = .now) {
        window = configuration.timeouts.idle
        minimumRate = configuration.minimumRate
        start = now
    }

    /// Counts bytes; returns an error if too few arrived within a window.
    mutating func check(adding count: Int, name: String, at now: Instant = .now) -> HubError? {
        bytes += Int64(count)
        guard let window else { return nil }
        let elapsed = now - start
        guard elapsed >= window else { return nil }
        defer { (start, bytes) = (now, 0) }
        let least = Double(minimumRate) * (elapsed / .seconds(1))
        return Double(bytes) < least ? .stalled(name, bytes: bytes, elapsed) : nil
    }
}
