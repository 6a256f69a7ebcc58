import LeapTokenizer

/// The tokens that are still to be drawn from: always the first ones of the order that ``Candidate/precedes(_:)`` states,
/// because every filter keeps the likeliest.
///
/// So the row of logits and the last candidate that is kept say everything, and nothing is copied. Where few are kept, a
/// sorted list takes the row's place. NaN and -∞ are never among them. All storage is kept between draws.
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
    /// The candidates, sorted, where ``isListed``.
    private var list: [Candidate] = []
    private var isListed = false
    private var rowWeights = TokenWeights()
    private var listWeights: [Double] = []

    /// The most candidates that are worth a list.
    private static let longestList = 256

    /// Begins with all tokens of a row.
    mutating func begin(_ logits: UnsafeMutableBufferPointer<Float>) {
        self.logits = logits
        last = .end
        isListed = false
        temperature = 1
    }

    /// Ends the time in which logits may change.
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
        guard !isListed else { return _ = cutList(goal: p * list.reduce(0) { $0 + weight($1.logit) }) }
        weighRow()
        let goal = p * rowWeights.total
        // Most rows reach the goal within a few tokens.
        var width = 64
        while width <= Self.longestList {
            makeList(width)
            let sum = list.reduce(0) { $0 + weight($1.logit) }
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
        let lowest = lowestLogit(weighing: minimum)
        guard !isListed else { return list.removeAll { $0.logit < lowest } }
        if lowest > last.logit { last = Candidate(Int(Token.max), lowest) }
    }

    /// Leaves out the candidates whose share of all weights is at least `share`, except for the last of them.
    mutating func excludeTop(_ share: Double) {
        readRow()
        let minimum = share * (isListed ? list.reduce(0) { $0 + weight($1.logit) } : weighRow())
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
        row.remove(top.lazy.filter { $0.token != kept.token })
        maximum = row.maximum
    }

    /// Takes the place of the row by the first `count` of the candidates.
    private mutating func makeList(_ count: Int) {
        list.selectFirst(count, of: row)
        list.removeAll { [last] in last.precedes($0) }
        list.sort { $0.precedes($1) }
        isListed = true
    }

    /// Cuts the list behind the candidate that reaches the goal; `false` when none does.
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

    /// The candidate at a position of [0, 1) in the sum of the weights; `nil` when there is none. A list is drawn from in
    /// its order, a row in the order of ids.
    mutating func draw(at position: Double) -> Token? {
        readRow()
        guard isListed else {
            weighRow()
            return rowWeights.token(at: position)
        }
        listWeights.removeAll(keepingCapacity: true)
        for candidate in list { listWeights.append(weight(candidate.logit)) }
        var remaining = position * listWeights.reduce(0, +)
        for (index, weight) in listWeights.enumerated() {
            remaining -= weight
            if remaining < 0 { return list[index].token }
        }
        return list.first?.token
    }
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
