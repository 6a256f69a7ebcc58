/// Seconds that something takes over and over again: a moving average.
struct MeasuredCost {
    /// `nil` before the first time.
    private(set) var seconds: Double?

    /// It may take longer for many reasons that are not its own, but not less long.
    private static let (learningOfLess, learningOfMore) = (0.5, 0.05)
    /// How fast what was learned is forgotten while it is not done.
    private static let forgetting = 0.001

    /// Learns what it took.
    mutating func learn(_ new: Double) {
        let known = seconds ?? new
        seconds = known + (new - known) * (new < known ? Self.learningOfLess : Self.learningOfMore)
    }

    /// It was not done, although it could have been: what it costs is believed a little less, in favour of what is assumed.
    mutating func forget(towards assumed: Double) {
        seconds = seconds.map { $0 + (assumed - $0) * Self.forgetting }
    }
}
