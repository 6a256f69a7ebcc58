import LeapHTTP

/// Notices that bytes trickle so slowly that a download would never end.
struct StallWatch {
    private let window: Duration?
    private let minimumRate: Int64
    private var start = ContinuousClock.now
    private var bytes: Int64 = 0

    init(_ configuration: HubConfiguration) {
        window = configuration.timeouts.idle
        minimumRate = configuration.minimumRate
    }

    /// Counts bytes; an error if those of a whole window were too few.
    mutating func check(adding count: Int, name: String) -> HubError? {
        bytes += Int64(count)
        guard let window else { return nil }
        let now = ContinuousClock.now
        let elapsed = now - start
        guard elapsed >= window else { return nil }
        defer { (start, bytes) = (now, 0) }
        let least = Double(minimumRate) * (elapsed / .seconds(1))
        return Double(bytes) < least ? .stalled(name, bytes: bytes, elapsed) : nil
    }
}
