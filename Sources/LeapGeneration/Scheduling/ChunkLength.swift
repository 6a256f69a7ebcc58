import LeapModels

/// Decides how many rows of a prompt to prefill in a pass while other generations decode: as many as the time budget
/// allows, by the measured speed of earlier passes.
///
/// Timing decides only how a prompt is divided into passes, and the answer does not depend on that.
struct ChunkLength {
    private let most: Int
    /// Seconds.
    private let gap: Double
    /// The limit for a pass while no answer is being decoded, in seconds.
    private let promptGap: Double
    private var secondsPerRow: Double?
    private var secondsOfAnswers = 0.0

    /// The fewest rows of a pass: fewer would hardly be faster.
    private static let least = 32
    /// Rows of the first pass, before there is a measurement, if its time is limited.
    private static let first = 64
    /// Weight of what was just seen in the moving averages.
    private static let smoothing = 0.3

    /// - Parameters:
    ///   - gap: The longest time between two tokens of an answer.
    ///   - promptGap: The longest pass while no answer is being decoded; `nil` is no limit.
    init(most: Int, gap: Duration, promptGap: Duration? = nil) {
        self.most = most
        self.gap = gap / .seconds(1)
        self.promptGap = promptGap.map { $0 / .seconds(1) } ?? .infinity
    }

    /// The most rows of the next pass.
    ///
    /// - Parameter isAwaited: Whether answers wait for it.
    func rows(isAwaited: Bool) -> Int {
        guard let secondsPerRow else { return isAwaited || promptGap.isFinite ? min(most, Self.first) : most }
        let time = isAwaited ? max(0, gap - secondsOfAnswers) : promptGap
        let rows = time / max(secondsPerRow, .leastNormalMagnitude)
        guard rows < Double(most) else { return most }
        // A whole number of steps, in which kernels take rows.
        return min(most, max(Self.least, Int(rows) / Self.least * Self.least))
    }

    /// Learns what a pass over some rows of a prompt took.
    mutating func learn(rows: Int, _ duration: Duration) {
        let seconds = duration / .seconds(1) / Double(max(rows, 1))
        secondsPerRow = secondsPerRow.map { $0 + (seconds - $0) * Self.smoothing } ?? seconds
    }

    /// Learns what a pass over the rows of answers took.
    mutating func learn(answers duration: Duration) {
        secondsOfAnswers += (duration / .seconds(1) - secondsOfAnswers) * Self.smoothing
    }
}
