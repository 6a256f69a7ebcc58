import LeapModels

/// The cost of decoding passes by their number of rows, up to the most that can contain drafts: moving averages.
struct PassCosts {
    /// Seconds of a pass by its number of rows; `nil` if there was none yet.
    private var costs = [MeasuredCost](repeating: MeasuredCost(), count: SequenceState.reversibleRows + 1)

    /// The assumed cost of an additional row before it was measured, relative to a pass of one row.
    private static let assumedRowCost = 0.15

    /// Seconds of a pass, or what is assumed of it, in terms of a pass of one row.
    subscript(rows: Int) -> Double { costs[rows].seconds ?? assumed(rows) }

    /// Learns what a pass took.
    mutating func learn(rows: Int, _ duration: Duration) {
        guard costs.indices.contains(rows) else { return }
        costs[rows].learn(duration / .seconds(1))
    }

    /// Notes that a pass ran without drafts although there were some. Moves their costs a little towards the assumed ones.
    mutating func forget() {
        for rows in 2..<costs.count { costs[rows].forget(towards: assumed(rows)) }
    }

    private func assumed(_ rows: Int) -> Double {
        (costs[1].seconds ?? 1) * (1 + Self.assumedRowCost * Double(rows - 1))
    }
}
