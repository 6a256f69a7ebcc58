/// The measured duration of a repeated operation, in seconds: a moving average.
struct MeasuredCost {
    /// `nil` before the first time.
    private(set) var seconds: Double?

    /// Shorter measurements are trusted more: interference can make an operation slower, but never faster.
    private static let (learningOfLess, learningOfMore) = (0.5, 0.05)
    /// How fast the average decays towards the assumed cost while the operation is not done.
    private static let forgetting = 0.001

    /// Learns what it took.
    mutating func learn(_ new: Double) {
        let known = seconds ?? new
        seconds = known + (new - known) * (new < known ? Self.learningOfLess : Self.learningOfMore)
    }

    /// Notes that the operation was not done although it could have been. Moves the average a little towards an assumed
    /// cost.
    mutating func forget(towards assumed: Double) {
        seconds = seconds.map { $0 + (assumed - $0) * Self.forgetting }
    }
}
