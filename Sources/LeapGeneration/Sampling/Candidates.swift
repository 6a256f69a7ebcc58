import LeapTokenizer

/// The tokens that are still to be drawn from: always the first ones of the order that ``Candidate/precedes(_:)`` states,
/// because every filter keeps the likeliest.
///
/// So the row of logits and the last candidate that is kept define the set, and nothing is copied. When few are left, a
/// sorted list replaces the row. NaN and -∞ are never candidates. All storage is reused between draws.
struct Candidates {
    /// The logits, as long as nothing was narrowed: steps that change logits do so here.
    private(set) var logits: UnsafeMutableBufferPointer<Float>?
    /// Divides the differences of logits wherever probabilities are computed.
    var temperature = 1.0

    private var row = LogitRow()
    /// The logit of the first candidate.
    private var maximum = -Float.infinity
    /// The last candidate of the row that is kept.
    private var last = Candidate.end
    /// The candidates, sorted, if ``isListed``.
    private var list: [Candidate] = []
    private var isListed = false
    private var rowWeights = TokenWeights()
    private var listWeights: [Double] = []
    private var top: [Candidate] = []

    /// The most candidates that are worth a list.
    private static let longestList = 256

    /// Begins with all tokens of a row.
    mutating func begin(_ logits: UnsafeMutableBufferPointer<Float>) {
        self.logits = logits
        last = .end
        isListed = false
        temperature = 1
    }

    /// The number of tokens, candidates or not.
    var vocabularySize: Int { logits?.count ?? row.count }

    /// The first candidates, sorted: `count` of them, or as many as there are.
    mutating func leading(_ count: Int) -> [Candidate] {
        readRow()
        guard !isListed else { return Array(list.prefix(count)) }
        selectTop(count)
        return top
    }

    /// Finds the first `count` candidates of the row.
    private mutating func selectTop(_ count: Int) {
        top.selectFirst(count, of: row)
        top.removeAll { [last] in last.precedes($0) }
        top.sort { $0.precedes($1) }
    }

    /// Reads the logits, which must not change from here on.
    private mutating func readRow() {
        guard let logits else { return }
        row.read(logits)
        maximum = row.maximum
        self.logits = nil
    }

    /// Keeps the `count` first candidates.
    mutating func keepFirst(_ count: Int) {
        readRow()
        guard !isListed else { return list.removeLast(max(list.count - count, 0)) }
        guard count < row.count else { return }
        guard count > Self.longestList else { return makeList(count) }
        rowWeights.count(row, through: last)
        last = PrefixSearch(row: row, weights: rowWeights, last: last).end(goal: Double(count))
    }

    /// Keeps the fewest first candidates whose weights sum to at least `p` times all weights.
    mutating func keepNucleus(_ p: Double) {
        readRow()
        guard !isListed else { return _ = cutList(goal: p * weighList()) }
        weighRow()
        let goal = p * rowWeights.total
        // Most rows reach the goal within a few tokens.
        var width = 64
        while width <= Self.longestList {
            makeList(width)
            let sum = weighList()
            if cutList(goal: goal) || list.count < width { return }
            // What follows weighs no more than what came: the next width reaches the goal or none does.
            width = sum * Double(Self.longestList / width) < goal ? .max : width * 4
        }
        isListed = false
        last = PrefixSearch(row: row, weights: rowWeights, last: last).end(goal: goal)
    }

    /// Keeps the candidates whose weight is at least `minimum`.
    mutating func keepLikely(_ minimum: Double) {
        readRow()
        keep(from: lowestLogit(weighing: minimum))
    }

    /// Keeps the candidates whose surprise −log₂ p is at most `limit`, and the best in any case.
    mutating func keepUnsurprising(_ limit: Double) {
        readRow()
        // Clamped, so that the share stays a positive number.
        let share = exponential(-min(max(limit, 0), 1000) * 0.6931471805599453)
        let minimum = share * weigh()
        if minimum > 1 { keepFirst(1) } else { keepLikely(minimum) }
    }

    /// Keeps the candidates whose logit is at most `n` standard deviations below the best.
    mutating func keepDeviations(_ n: Double) {
        readRow()
        guard maximum < .infinity else { return }
        let deviation = isListed ? Deviation.of(list) : Deviation.of(row, through: last)
        let bound = Double(maximum) - n * deviation
        let lowest = Float(bound)
        keep(from: Double(lowest) < bound ? lowest.nextUp : lowest)
    }

    /// Keeps the candidates whose logit is at least `lowest`.
    private mutating func keep(from lowest: Float) {
        guard !isListed else { return list.removeAll { $0.logit < lowest } }
        if lowest > last.logit { last = Candidate(Int(Token.max), lowest) }
    }

    /// Keeps the fewest candidates whose logit is nearest to the expected one, Σ p · logit, and whose weights sum to at
    /// least `p` times all weights; and all that are as near as the last of them.
    mutating func keepTypical(_ p: Double) {
        readRow()
        guard maximum < .infinity else { return }
        let total = weigh()
        let goal = max(p * total, .leastNonzeroMagnitude)
        guard !isListed else {
            let offsets = zip(list, listWeights).reduce(0) { $0 + $1.1 * (Double($1.0.logit) - Double(maximum)) }
            return keep(
                TypicalInterval.of(list, listWeights, center: Float(Double(maximum) + offsets / total), goal: goal))
        }
        let center = Float(Double(maximum) + rowWeights.sumOfOffsets(row) / total)
        // Most rows reach the goal within a few tokens.
        for width in [64, Self.longestList] {
            makeList(width)
            _ = weighList()
            guard let interval = TypicalInterval.of(list, listWeights, center: center, goal: goal) else { continue }
            // Where the interval ends before the list does, no other token is in it.
            if list.count < width || list.last.map({ $0.logit < interval.lowerBound }) ?? true { return keep(interval) }
        }
        isListed = false
        keep(TypicalInterval.of(row, rowWeights, through: last, center: center, goal: goal))
    }

    /// Keeps the candidates whose logit is in the interval; all if it is `nil`.
    private mutating func keep(_ interval: ClosedRange<Float>?) {
        guard let interval else { return }
        keep(from: interval.lowerBound)
        guard maximum > interval.upperBound else { return }
        if isListed {
            list.removeAll { $0.logit > interval.upperBound }
            maximum = list.first?.logit ?? maximum
        } else {
            var above: [Candidate] = []
            row.forEach(atLeast: interval.upperBound.nextUp) { above.append($0) }
            remove(above)
        }
    }

    /// Leaves out the candidates whose share of all weights is at least `share`, except for the last of them.
    mutating func excludeTop(_ share: Double) {
        readRow()
        let minimum = share * weigh()
        guard minimum <= 1 else { return }  // the first candidate's weight
        let lowest = lowestLogit(weighing: minimum)
        if isListed {
            let count = list.prefix { $0.logit >= lowest }.count
            list.removeFirst(max(count - 1, 0))
            maximum = list.first?.logit ?? maximum
        } else {
            excludeTop(downTo: lowest)
        }
    }

    /// The same, for candidates that are a row.
    private mutating func excludeTop(downTo lowest: Float) {
        var top: [Candidate] = []
        row.forEach(atLeast: lowest) { [last] in if !last.precedes($0) { top.append($0) } }
        guard let kept = top.max(by: { $0.precedes($1) }) else { return }
        remove(top.lazy.filter { $0.token != kept.token })
    }

    /// Takes candidates out of the row.
    private mutating func remove(_ candidates: some Sequence<Candidate>) {
        row.remove(candidates)
        maximum = row.maximum
    }

    /// Replaces the row by a sorted list of the first `count` candidates.
    private mutating func makeList(_ count: Int) {
        selectTop(count)
        swap(&list, &top)
        isListed = true
    }

    /// Cuts the list after the candidate that reaches the goal; `false` when none does.
    private mutating func cutList(goal: Double) -> Bool {
        var sum = 0.0
        for (index, candidate) in list.enumerated() {
            sum += weight(candidate.logit)
            guard sum >= goal else { continue }
            list.removeLast(list.count - index - 1)
            return true
        }
        return false
    }
}

// MARK: - Probabilities

extension Candidates {
    /// exp((logit − maximum) / temperature), a candidate's probability up to a common factor; 1 for the best.
    /// Where the maximum is +∞, every other weight is 0.
    private func weight(_ logit: Float) -> Double {
        logit == maximum ? 1 : exponential((Double(logit) - Double(maximum)) / temperature)
    }

    /// Weighs the candidates of the row.
    ///
    /// - Returns: The sum.
    @discardableResult
    private mutating func weighRow() -> Double {
        rowWeights.weigh(row, through: last, temperature: temperature)
        return rowWeights.total
    }

    /// The lowest number that, as a logit, would have at least a weight: found by bisection, since the weight never falls
    /// where the logit rises.
    private func lowestLogit(weighing minimum: Double) -> Float {
        var (below, reaching) = ((-Float.greatestFiniteMagnitude).orderedBits, maximum.orderedBits)
        while below < reaching {
            let middle = below + (reaching - below) / 2
            if weight(Float(orderedBits: middle)) >= minimum { reaching = middle } else { below = middle + 1 }
        }
        return Float(orderedBits: reaching)
    }

    /// The candidate at a position of [0, 1) in the sum of the weights, and its share of that sum; `nil` when there is none.
    /// A list is drawn from in its order, a row in the order of ids.
    mutating func draw(at position: Double) -> (token: Token, share: Double)? {
        readRow()
        guard isListed else {
            weighRow()
            return rowWeights.token(at: position).map { ($0, rowWeights[Int($0)] / rowWeights.total) }
        }
        let total = weighList()
        var remaining = position * total
        for (index, weight) in listWeights.enumerated() {
            remaining -= weight
            if remaining < 0 { return (list[index].token, weight / total) }
        }
        return list.first.map { ($0.token, listWeights[0] / total) }
    }

    /// Weighs the candidates of the list.
    ///
    /// - Returns: The sum.
    private mutating func weighList() -> Double {
        listWeights.removeAll(keepingCapacity: true)
        for candidate in list { listWeights.append(weight(candidate.logit)) }
        return listWeights.reduce(0, +)
    }

    /// Weighs all candidates.
    ///
    /// - Returns: The sum.
    private mutating func weigh() -> Double { isListed ? weighList() : weighRow() }
}

extension Float {
    /// A number that is greater the greater the float is.
    fileprivate var orderedBits: Int {
        let magnitude = Int(bitPattern & 0x7FFF_FFFF)
        return sign == .minus ? -magnitude : magnitude
    }

    fileprivate init(orderedBits: Int) {
        let magnitude = Float(bitPattern: UInt32(orderedBits.magnitude))
        self = orderedBits < 0 ? -magnitude : magnitude
    }
}
