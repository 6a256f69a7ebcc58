import LeapTokenizer

/// The weights of the candidates of a row, their probabilities up to a common factor, and the sum of every block.
///
/// Weights are single-precision: their relative error is below 10⁻⁶ for each unit of ln(1 / weight), and a sum over a
/// vocabulary is exact to about 10⁻⁶. Storage is kept from row to row.
struct TokenWeights {
    /// One per logit, padded to whole blocks. Those of a block whose sum is 0 are not set.
    private(set) var values: [Float] = []
    /// The sum of each block of ``LogitRow/blockSize``.
    private(set) var sums: [Double] = []
    /// The sum of all.
    private(set) var total = 0.0

    /// Gives every candidate up to `last` the weight exp((logit − maximum) / temperature), and all others 0.
    mutating func weigh(_ row: LogitRow, through last: Candidate, temperature: Double) {
        let maximum = LogitRow.Lanes(repeating: row.maximum)
        let scale = LogitRow.Lanes(repeating: Float(1.4426950408889634 / temperature))  // 1 / ln 2
        let one = LogitRow.Lanes(repeating: 1)
        fill(row, through: last) { lanes in
            // A maximum of +∞ has a difference of NaN to itself.
            exponentialOf2((lanes - maximum) * scale).replacing(with: one, where: lanes .== maximum)
        }
    }

    /// Gives every candidate up to `last` the weight 1, and all others 0.
    mutating func count(_ row: LogitRow, through last: Candidate) {
        fill(row, through: last) { _ in LogitRow.Lanes(repeating: 1) }
    }

    @inline(__always)
    private mutating func fill(
        _ row: LogitRow, through last: Candidate, _ weight: (LogitRow.Lanes) -> LogitRow.Lanes
    ) {
        let missing = row.maxima.count * LogitRow.blockSize - values.count
        if missing > 0 { values.append(contentsOf: repeatElement(0, count: missing)) }
        sums.removeAll(keepingCapacity: true)
        total = 0
        values.withUnsafeMutableBytes { bytes in
            for block in row.maxima.indices {
                var sum = LogitRow.Lanes.zero
                if row.maxima[block] >= last.logit {
                    for offset in LogitRow.laneOffsets {
                        let index = block * LogitRow.blockSize + offset
                        let lanes = row.lanes(at: index)
                        let isKept = LogitRow.areKept(lanes, at: index, through: last)
                        let weights = LogitRow.Lanes.zero.replacing(with: weight(lanes), where: isKept)
                        bytes.storeBytes(
                            of: weights, toByteOffset: index * MemoryLayout<Float>.stride, as: LogitRow.Lanes.self)
                        sum += weights
                    }
                }
                sums.append(Double(sum.sumOfLanes))
            }
        }
        for sum in sums { total += sum }
    }

    /// The sum of the weights of candidates whose logit is at least `minimum`, which must not be below that of the last
    /// candidate that was weighed.
    func sum(_ row: LogitRow, atLeast minimum: Float) -> Double {
        let minima = LogitRow.Lanes(repeating: minimum)
        var total = 0.0
        values.withUnsafeBytes { bytes in
            for block in row.maxima.indices where row.maxima[block] >= minimum {
                var sum = LogitRow.Lanes.zero
                for offset in LogitRow.laneOffsets {
                    let index = block * LogitRow.blockSize + offset
                    let weights = bytes.loadUnaligned(
                        fromByteOffset: index * MemoryLayout<Float>.stride, as: LogitRow.Lanes.self)
                    sum += LogitRow.Lanes.zero.replacing(with: weights, where: row.lanes(at: index) .>= minima)
                }
                total += Double(sum.sumOfLanes)
            }
        }
        return total
    }

    /// The token at a position of [0, 1) in the sum of the weights, in the order of ids; `nil` when there is none.
    func token(at position: Double) -> Token? {
        var remaining = position * total
        var lastBlock: Int?
        for (block, sum) in sums.enumerated() where sum > 0 {
            lastBlock = block
            if remaining < sum { break }
            remaining -= sum
        }
        guard let lastBlock else { return nil }
        var token: Token?
        for index in lastBlock * LogitRow.blockSize..<(lastBlock + 1) * LogitRow.blockSize where values[index] > 0 {
            token = Token(truncatingIfNeeded: index)
            remaining -= Double(values[index])
            if remaining < 0 { break }
        }
        return token
    }
}
