import LeapModels

/// Decides how many rows of a prompt to read in a pass, while others wait for the next tokens of their answers: as many as
/// time allows, learned from the passes before.
///
/// Time decides only how a prompt is divided, and an answer does not depend on that.
struct ChunkLength {
    private let most: Int
    /// Seconds.
    private let gap: Double
    /// Seconds, where nobody waits for tokens.
    private let promptGap: Double
    private var secondsPerRow: Double?
    private var secondsOfAnswers = 0.0

    /// Fewer rows than these are read hardly faster than these.
    private static let least = 32
    /// Rows that are read beside answers before it is known how long that takes.
    private static let first = 64
    /// Weight of what was just seen in the moving averages.
    private static let learning = 0.3

    /// - Parameters:
    ///   - gap: Of tokens of answers.
    ///   - promptGap: Of passes where nobody waits for those; `nil` is no limit.
    init(most: Int, gap: Duration, promptGap: Duration? = nil) {
        self.most = most
        self.gap = gap / .seconds(1)
        self.promptGap = promptGap.map { $0 / .seconds(1) } ?? .infinity
    }

    /// The most rows of the next pass.
    ///
    /// - Parameter isAwaited: Whether answers wait for it.
    func rows(isAwaited: Bool) -> Int {
        guard let secondsPerRow else { return isAwaited ? min(most, Self.first) : most }
        let time = isAwaited ? max(0, gap - secondsOfAnswers) : promptGap
        let rows = time / max(secondsPerRow, .leastNormalMagnitude)
        guard rows < Double(most) else { return most }
        // A whole number of steps, in which kernels take rows.
        return min(most, max(Self.least, Int(rows) / Self.least * Self.least))
    }

    /// Learns what a pass over some rows of a prompt took.
    mutating func learn(rows: Int, _ duration: Duration) {
        let seconds = duration / .seconds(1) / Double(max(rows, 1))
        secondsPerRow = secondsPerRow.map { $0 + (seconds - $0) * Self.learning } ?? seconds
    }

    /// Learns what a pass over the rows of answers took.
    mutating func learn(answers duration: Duration) {
        secondsOfAnswers += (duration / .seconds(1) - secondsOfAnswers) * Self.learning
    }
}
