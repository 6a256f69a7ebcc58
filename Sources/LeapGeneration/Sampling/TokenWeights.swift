import LeapTokenizer

/// The weights of the candidates of a row, their probabilities up to a common factor, and the sum of every block.
///
/// Weights are single-precision: their relative error is below 10⁻⁶ for each unit of ln(1 / weight), and a sum over a
/// vocabulary is exact to about 10⁻⁶. Storage is kept from row to row.
struct TokenWeights {
    private typealias Lanes = LogitRow.Lanes

    /// One per logit. Those of a block whose sum is 0 are not set.
    private var lanes: [LogitRow.Lanes] = []
    /// The sum of each block.
    private var sums: [Double] = []
    /// The sum of all.
    private(set) var total = 0.0

    /// The weight of a candidate that was weighed.
    subscript(index: Int) -> Double { Double(lanes[index / Lanes.scalarCount][index % Lanes.scalarCount]) }

    /// Gives every candidate up to `last` the weight exp((logit − maximum) / temperature), and all others 0.
    mutating func weigh(_ row: LogitRow, through last: Candidate, temperature: Double) {
        let maximum = Lanes(repeating: row.maximum)
        let scale = Lanes(repeating: Float(1.4426950408889634 / temperature))  // 1 / ln 2
        if row.maximum < .infinity {
            fill(row, through: last) { exponentialOf2(($0 - maximum) * scale) }
        } else {
            fill(row, through: last) { Lanes(repeating: 1).masked(by: $0 .== maximum) }
        }
    }

    /// Gives every candidate up to `last` the weight 1, and all others 0.
    mutating func count(_ row: LogitRow, through last: Candidate) {
        fill(row, through: last) { _ in Lanes(repeating: 1) }
    }

    @inline(__always)
    private mutating func fill(
        _ row: LogitRow, through last: Candidate, _ weight: (LogitRow.Lanes) -> LogitRow.Lanes
    ) {
        if lanes.count != row.lanes.count { lanes = Array(repeating: .zero, count: row.lanes.count) }
        sums.removeAll(keepingCapacity: true)
        lanes.withUnsafeMutableBufferPointer { weights in
            row.lanes.withUnsafeBufferPointer { logits in
                for block in row.maxima.indices {
                    guard row.maxima[block] >= last.logit else {
                        sums.append(0)
                        continue
                    }
                    let sum = Self.sum(block) { index in
                        let isKept = LogitRow.areKept(logits[index], at: index, through: last)
                        weights[index] = weight(logits[index]).masked(by: isKept)
                        return weights[index]
                    }
                    sums.append(sum)
                }
            }
        }
        total = sums.reduce(0, +)
    }

    /// The sum of the weights of candidates whose logit is at least `minimum`, which must not be below that of the last
    /// candidate that was weighed.
    func sum(_ row: LogitRow, atLeast minimum: Float) -> Double {
        let minima = Lanes(repeating: minimum)
        var total = 0.0
        lanes.withUnsafeBufferPointer { weights in
            row.lanes.withUnsafeBufferPointer { logits in
                for block in row.maxima.indices where row.maxima[block] >= minimum {
                    total += Self.sum(block) { weights[$0].masked(by: logits[$0] .>= minima) }
                }
            }
        }
        return total
    }

    /// The sum of the weights of candidates whose logit differs from `center` by at most `radius`.
    func sum(_ row: LogitRow, within radius: Float, of center: Float) -> Double {
        let (centers, negative, positive) = (
            Lanes(repeating: center), Lanes(repeating: -radius), Lanes(repeating: radius)
        )
        return total(row) { logits, weights in
            let distances = logits - centers
            return weights.masked(by: (distances .>= negative) .& (distances .<= positive))
        }
    }

    /// Σ weight · (logit − maximum), over all candidates.
    func sumOfOffsets(_ row: LogitRow) -> Double {
        let maximum = Lanes(repeating: row.maximum)
        // What weighs nothing may have no difference, as -∞.
        return total(row) { logits, weights in (weights * (logits - maximum)).masked(by: weights .> .zero) }
    }

    /// The sum of a function of the logits and weights of all candidates.
    @inline(__always)
    private func total(
        _ row: LogitRow, _ value: (_ logits: LogitRow.Lanes, _ weights: LogitRow.Lanes) -> LogitRow.Lanes
    ) -> Double {
        var total = 0.0
        lanes.withUnsafeBufferPointer { weights in
            row.lanes.withUnsafeBufferPointer { logits in
                for block in sums.indices where sums[block] > 0 {
                    total += Self.sum(block) { value(logits[$0], weights[$0]) }
                }
            }
        }
        return total
    }

    /// The sum of the weights of those candidates of a block that have one certain logit.
    func sum(_ row: LogitRow, block: Int, equalTo logit: Float) -> Double {
        Self.sum(block) { lanes[$0].masked(by: row.lanes[$0] .== Lanes(repeating: logit)) }
    }

    /// The sum of the values in a block: two sums side by side, because each addition waits for the last.
    @inline(__always)
    private static func sum(_ block: Int, _ lanes: (_ index: Int) -> LogitRow.Lanes) -> Double {
        let range = LogitRow.lanes(of: block)
        var (even, odd) = (Lanes.zero, Lanes.zero)
        for pair in 0..<LogitRow.lanesPerBlock / 2 {
            even += lanes(range.lowerBound &+ 2 &* pair)
            odd += lanes(range.lowerBound &+ 2 &* pair &+ 1)
        }
        return Double((even + odd).sumOfLanes)
    }

    /// The token at a position of [0, 1) in the sum of the weights, in the order of ids; `nil` when there is none.
    func token(at position: Double) -> Token? {
        var before = 0.0
        var reached: (block: Int, before: Double)?
        for (block, sum) in sums.enumerated() where sum > 0 {
            reached = (block, before)
            before += sum
            if before > position * total { break }
        }
        guard let reached else { return nil }
        var remaining = position * total - reached.before
        var token: Token?
        let start = reached.block * LogitRow.blockSize
        for index in start..<start + LogitRow.blockSize where self[index] > 0 {
            token = Token(truncatingIfNeeded: index)
            remaining -= self[index]
            if remaining < 0 { break }
        }
        return token
    }
}
