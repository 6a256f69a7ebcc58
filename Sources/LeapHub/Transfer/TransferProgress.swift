/// The progress of a download, with all its files together.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes received.
    public var bytes: Int64
    /// The total number of bytes; `nil` while the size of a file is unknown.
    public var total: Int64?
    /// The speed in bytes per second, averaged over the last seconds.
    public var bytesPerSecond: Int64

    /// The completed fraction, from 0 to 1; 0 while the total is unknown.
    public var fraction: Double {
        guard let total else { return 0 }
        return total == 0 ? 1 : min(1, max(0, Double(bytes) / Double(total)))
    }

    /// The estimated remaining time at the current speed; `nil` if unknown.
    public var remaining: Duration? {
        guard let total, bytesPerSecond > 0 else { return nil }
        return .seconds(Double(max(0, total - bytes)) / Double(bytesPerSecond))
    }
}

/// The speed in bytes per second, averaged over the last seconds.
struct TransferRate {
    typealias Instant = ContinuousClock.Instant

    private static let window = Duration.seconds(5)
    private var samples: [(time: Instant, bytes: Int64)] = []

    /// Adds bytes that arrived, and forgets what is older than the window.
    mutating func add(_ bytes: Int64, at now: Instant) {
        samples.append((now, bytes))
        if let first = samples.firstIndex(where: { now - $0.time <= Self.window }), first > 64 {
            samples.removeFirst(first)
        }
    }

    func bytesPerSecond(at now: Instant) -> Int64 {
        let recent = samples.drop { now - $0.time > Self.window }
        guard let first = recent.first else { return 0 }
        let seconds = max((now - first.time) / .seconds(1), 0.1)
        return Int64(Double(recent.reduce(0) { $0 + $1.bytes }) / seconds)
    }
}
