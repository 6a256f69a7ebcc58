import LeapModels

/// What passes over the rows of answers cost by their number, as far as guesses may be among them: moving averages.
struct PassCosts {
    /// Seconds of a pass by its rows; `nil` where there was none yet.
    private var costs = [MeasuredCost](repeating: MeasuredCost(), count: SequenceState.reversibleRows + 1)

    /// What another row is taken to add to the cost of a pass before it was seen, relative to a pass of one.
    private static let assumedRowCost = 0.15

    /// Seconds of a pass, or what is assumed of it, in terms of a pass of one row.
    subscript(rows: Int) -> Double { costs[rows].seconds ?? assumed(rows) }

    /// Learns what a pass took.
    mutating func learn(rows: Int, _ duration: Duration) {
        guard costs.indices.contains(rows) else { return }
        costs[rows].learn(duration / .seconds(1))
    }

    /// A pass went without guesses, although there were some: what they cost is believed a little less.
    mutating func forget() {
        for rows in 2..<costs.count { costs[rows].forget(towards: assumed(rows)) }
    }

    private func assumed(_ rows: Int) -> Double {
        (costs[1].seconds ?? 1) * (1 + Self.assumedRowCost * Double(rows - 1))
    }
}
