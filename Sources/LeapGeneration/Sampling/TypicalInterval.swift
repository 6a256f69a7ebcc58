/// The logits that are nearest to a centre, such that their weights sum to at least a goal, and one less would not. Logits
/// that are equally far are both in it.
enum TypicalInterval {
    /// The interval of candidates that are sorted, from the centre outwards.
    ///
    /// - Returns: `nil` if all weights together do not reach the goal.
    static func of(
        _ list: [Candidate], _ weights: [Double], center: Float, goal: Double
    ) -> ClosedRange<Float>? {
        // list[upper..<lower] is in the interval.
        var upper = list.firstIndex { $0.logit < center } ?? list.count
        var lower = upper
        var (sum, radius) = (0.0, -Float.infinity)
        while upper > 0 || lower < list.count {
            let above = upper > 0 ? list[upper - 1].logit - center : .infinity
            let below = lower < list.count ? center - list[lower].logit : .infinity
            if sum >= goal, min(above, below) > radius { break }
            if above <= below { upper -= 1 } else { lower += 1 }
            sum += above <= below ? weights[upper] : weights[lower - 1]
            radius = min(above, below)
        }
        return sum >= goal && upper < lower ? list[lower - 1].logit...list[upper].logit : nil
    }

    /// The interval of candidates of a row: its radius is found by bisection of its bits, each step a pass over the row.
    ///
    /// - Returns: `nil` if all weights together do not reach the goal.
    static func of(
        _ row: LogitRow, _ weights: TokenWeights, through last: Candidate, center: Float, goal: Double
    ) -> ClosedRange<Float>? {
        var (below, reaching) = (UInt32(0), Float.greatestFiniteMagnitude.bitPattern)
        guard weights.sum(row, within: Float(bitPattern: reaching), of: center) >= goal else { return nil }
        while below < reaching {
            let middle = below + (reaching - below) / 2
            let reaches = weights.sum(row, within: Float(bitPattern: middle), of: center) >= goal
            if reaches { reaching = middle } else { below = middle + 1 }
        }
        let radius = Float(bitPattern: reaching)
        var (lowest, highest) = (Float.infinity, -Float.infinity)
        row.forEach(atLeast: last.logit) { candidate in
            guard abs(candidate.logit - center) <= radius, !last.precedes(candidate) else { return }
            lowest = min(lowest, candidate.logit)
            highest = max(highest, candidate.logit)
        }
        return lowest <= highest ? lowest...highest : nil
    }
}
