import LeapTokenizer

/// A token that may be drawn.
struct Candidate {
    var token: Token
    var logit: Float

    init(_ index: Int, _ logit: Float) {
        self.token = Token(truncatingIfNeeded: index)
        self.logit = logit
    }

    /// Higher logits come first; among equal ones, lower ids.
    func precedes(_ other: Candidate) -> Bool {
        logit > other.logit || (logit == other.logit && token < other.token)
    }
}

/// The tokens that are still to be drawn from.
///
/// It begins as the whole row of logits, in place, because copying a vocabulary costs more than most steps. The first
/// step that narrows turns it into a list; NaN and -∞ never enter the list. All storage is kept between draws.
struct Candidates {
    /// The row, while nothing has been narrowed.
    private(set) var row: UnsafeMutableBufferPointer<Float>?
    private(set) var list: [Candidate] = []
    /// Divides the differences of logits wherever probabilities are computed.
    var temperature = 1.0

    private var isSorted = false
    private var weights: [Double] = []

    mutating func begin(_ logits: UnsafeMutableBufferPointer<Float>) {
        row = logits
        list.removeAll(keepingCapacity: true)
        isSorted = false
        temperature = 1
    }

    /// Keeps the candidates at or above a logit, in the order in which they stand.
    mutating func keep(atLeast minimum: Float) {
        guard let row else { return list.removeAll { $0.logit < minimum } }
        for index in row.indices where row[index] >= minimum && row[index] > -.infinity {
            list.append(Candidate(index, row[index]))
        }
        self.row = nil
    }

    /// Keeps the `count` first candidates, sorted.
    mutating func keepFirst(_ count: Int) {
        if let row {
            list.selectFirst(count, of: row)
            self.row = nil
        }
        sort()
        list.removeLast(max(list.count - count, 0))
    }

    private mutating func sort() {
        guard !isSorted else { return }
        list.sort { $0.precedes($1) }
        isSorted = true
    }
}

// MARK: - Probabilities

extension Candidates {
    /// The highest logit; -∞ when there is none.
    var maximum: Float {
        if let row { return row.reduce(-.infinity) { $1 > $0 ? $1 : $0 } }
        return list.reduce(-.infinity) { max($0, $1.logit) }
    }

    /// exp((logit − maximum) / temperature), a candidate's probability up to a common factor; 1 for the best.
    /// Where the maximum is +∞, every other weight is 0.
    func weight(_ logit: Float, maximum: Float) -> Double {
        logit == maximum ? 1 : exponential((Double(logit) - Double(maximum)) / temperature)
    }

    /// The sum of all weights.
    func totalWeight(maximum: Float) -> Double {
        if let row { return row.reduce(0) { $0 + weight($1, maximum: maximum) } }
        return list.reduce(0) { $0 + weight($1.logit, maximum: maximum) }
    }

    /// Keeps the fewest first candidates whose weights sum to at least `p` times all weights.
    mutating func keepNucleus(_ p: Double) {
        let maximum = maximum
        let goal = p * totalWeight(maximum: maximum)
        guard let row else {
            sort()
            _ = cut(goal: goal, maximum: maximum)
            return
        }
        // Most rows reach the goal within a few tokens, so growing selections are cheaper than sorting the vocabulary.
        var width = 64
        repeat {
            list.selectFirst(width, of: row)
            isSorted = false
            sort()
            if cut(goal: goal, maximum: maximum) { break }
            width *= 8
        } while list.count == width / 8
        self.row = nil
    }

    /// Cuts a sorted list behind the candidate that reaches the goal; `false` when none does.
    private mutating func cut(goal: Double, maximum: Float) -> Bool {
        var sum = 0.0
        for (index, candidate) in list.enumerated() {
            sum += weight(candidate.logit, maximum: maximum)
            guard sum >= goal else { continue }
            list.removeLast(list.count - index - 1)
            return true
        }
        return false
    }

    /// Keeps the candidates whose weight is at least `minimum`.
    mutating func keepLikely(_ minimum: Double) {
        let maximum = maximum
        // minimum ≥ 2^exponent, so nothing that must stay lies below this; the slack covers the rounding to Float.
        let below = Double(minimum.exponent) * 0.6931472 * temperature - 1e-3
        keep(atLeast: maximum + Float(below) * 1.0001)
        var kept = 0
        for candidate in list where weight(candidate.logit, maximum: maximum) >= minimum {
            list[kept] = candidate
            kept += 1
        }
        list.removeLast(list.count - kept)
    }

    /// The candidate at a position of [0, 1) in the sum of the weights, in the list's order; `nil` when there is none.
    mutating func draw(at position: Double) -> Token? {
        keep(atLeast: -.infinity)
        let maximum = maximum
        weights.removeAll(keepingCapacity: true)
        for candidate in list { weights.append(weight(candidate.logit, maximum: maximum)) }
        var remaining = position * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            remaining -= weight
            if remaining < 0 { return list[index].token }
        }
        return list.first { $0.logit == maximum }?.token
    }
}
