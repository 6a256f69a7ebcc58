import LeapModels

/// What passes over the rows of answers cost by their number, as far as guesses may be among them: moving averages.
struct PassCosts {
    /// Seconds of a pass by its rows; `nil` where there was none yet.
    private var seconds = [Double?](repeating: nil, count: SequenceState.reversibleRows + 1)

    /// A pass may take longer for many reasons that are not its own, but not less long.
    private static let (learningOfLess, learningOfMore) = (0.5, 0.05)
    /// What another row is taken to add to the cost of a pass before it was seen, relative to a pass of one.
    private static let assumedRowCost = 0.15
    /// How fast what was learned of guesses is forgotten while none are made.
    private static let forgetting = 0.001

    /// Seconds of a pass, or what is assumed of it, in terms of a pass of one row.
    subscript(rows: Int) -> Double { seconds[rows] ?? assumed(rows) }

    /// Learns what a pass took.
    mutating func learn(rows: Int, _ duration: Duration) {
        guard seconds.indices.contains(rows) else { return }
        let new = duration / .seconds(1)
        let known = seconds[rows] ?? new
        seconds[rows] = known + (new - known) * (new < known ? Self.learningOfLess : Self.learningOfMore)
    }

    /// A pass went without guesses, although there were some: what they cost is believed a little less.
    mutating func forget() {
        for rows in 2..<seconds.count {
            if let cost = seconds[rows] { seconds[rows] = cost + (assumed(rows) - cost) * Self.forgetting }
        }
    }

    private func assumed(_ rows: Int) -> Double {
        (seconds[1] ?? 1) * (1 + Self.assumedRowCost * Double(rows - 1))
    }
}
