/// The time during which nothing is written, because writing has failed: it may succeed later, when a disk has room again or
/// a folder has other rights.
struct WritePause {
    /// The first pause, and the longest.
    let lengths: ClosedRange<Duration>
    /// The length of the present pause, or of the last one if nothing was written since.
    private(set) var length: Duration?
    private var end = ContinuousClock.now

    init(_ lengths: ClosedRange<Duration>) {
        self.lengths = lengths
    }

    /// Whether writing may be tried.
    var isOver: Bool { length == nil || ContinuousClock.now >= end }

    /// Begins a pause, which is twice as long as the one before.
    mutating func begin() {
        let next = length.map { min($0 * 2, lengths.upperBound) } ?? lengths.lowerBound
        (length, end) = (next, .now + next)
    }

    /// Notes that writing has succeeded.
    mutating func forget() { length = nil }
}
