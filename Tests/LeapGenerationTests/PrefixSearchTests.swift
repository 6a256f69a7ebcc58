import Foundation
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// The searches that replace sorting the vocabulary, compared with sorting it.
@Suite("Searches in a row of logits")
struct PrefixSearchTests {
    /// Rows of all shapes that might confuse a search.
    private static func row(_ shape: String, count: Int) -> [Float] {
        var generator = SeededRandomNumberGenerator(seed: UInt64(count))
        func unit() -> Float { Float(generator.next() % 1_000_000) / 1_000_000 }
        return (0..<count).map { index in
            switch shape {
            case "wide": 20 * (unit() + unit() + unit() - 1.5)
            case "flat": 0.01 * unit()
            case "equal": 3
            case "two values": Float(index % 2)
            case "coarse": (8 * unit()).rounded()
            case "rising": Float(index) * 0.001
            case "falling": -Float(index) * 0.001
            case "one peak": index == count / 2 ? 30 : unit()
            default: index % 3 == 0 ? .nan : index % 3 == 1 ? -.infinity : unit()
            }
        }
    }

    static let shapes = [
        "wide", "flat", "equal", "two values", "coarse", "rising", "falling", "one peak", "with gaps",
    ]
    static let counts = [1, 2, 63, 64, 65, 257, 5000]

    /// The candidates of a row in sorted order.
    private static func sorted(_ logits: [Float]) -> [Candidate] {
        logits.enumerated().filter { $0.element > -.infinity }.map { Candidate($0.offset, $0.element) }
            .sorted { $0.precedes($1) }
    }

    private static func read(_ logits: [Float]) -> LogitRow {
        var row = LogitRow()
        var copy = logits
        copy.withUnsafeMutableBufferPointer { row.read($0) }
        return row
    }

    @Test("a prefix ends where the sorted candidates reach the goal", arguments: shapes, counts)
    func prefix(_ shape: String, _ count: Int) {
        let logits = Self.row(shape, count: count)
        let sorted = Self.sorted(logits)
        guard !sorted.isEmpty else { return }
        let row = Self.read(logits)
        for kept in [1, 2, sorted.count / 2, sorted.count - 1, sorted.count] where (1...sorted.count).contains(kept) {
            let last = sorted[kept - 1]
            var weights = TokenWeights()
            weights.weigh(row, through: last, temperature: 0.7)
            for share in [0, 1e-6, 0.1, 0.5, 0.9, 0.999, 1] {
                let goal = share * weights.total
                let end = PrefixSearch(row: row, weights: weights, last: last).end(goal: goal)
                check(end, goal, sorted.prefix(kept).map { ($0, weights[Int($0.token)]) })
            }
        }
    }

    /// Weights are single-precision, and their sums depend on the order by less than this.
    private static let roundingOfSums = 1e-6

    /// The sum reaches the goal at the end, and not before.
    private func check(_ end: Candidate, _ goal: Double, _ sorted: [(candidate: Candidate, weight: Double)]) {
        let before = sorted.filter { $0.candidate.precedes(end) }.reduce(0) { $0 + $1.weight }
        let weight = sorted.first { $0.candidate.token == end.token }?.weight
        guard let weight else {
            Issue.record("the end is not one of the candidates")
            return
        }
        #expect(before + weight >= goal * (1 - Self.roundingOfSums))
        #expect(before == 0 || before < goal * (1 + Self.roundingOfSums))
    }

    @Test("a prefix of equal weights has as many candidates as the goal", arguments: shapes, counts)
    func counting(_ shape: String, _ count: Int) {
        let logits = Self.row(shape, count: count)
        let sorted = Self.sorted(logits)
        let row = Self.read(logits)
        var weights = TokenWeights()
        weights.count(row, through: .end)
        for goal in [1, 2, 3, 64, 300, sorted.count] where (1...max(sorted.count, 1)).contains(goal) {
            guard sorted.count > 0 else { return }
            let end = PrefixSearch(row: row, weights: weights, last: .end).end(goal: Double(goal))
            #expect(end.token == sorted[goal - 1].token)
        }
    }

    @Test("the first candidates are those of the sorted row", arguments: shapes, counts)
    func first(_ shape: String, _ count: Int) {
        let logits = Self.row(shape, count: count)
        let sorted = Self.sorted(logits)
        let row = Self.read(logits)
        for wanted in [0, 1, 2, 50, 256, count + 1] {
            var list: [Candidate] = []
            list.selectFirst(wanted, of: row)
            list.sort { $0.precedes($1) }
            #expect(list.map(\.token) == sorted.prefix(wanted).map(\.token))
        }
    }

    @Test("weights agree with the exponential function", arguments: shapes)
    func weights(_ shape: String) {
        let logits = Self.row(shape, count: 5000)
        let row = Self.read(logits)
        for temperature in [0.1, 1, 3] {
            var weights = TokenWeights()
            weights.weigh(row, through: .end, temperature: temperature)
            for (index, logit) in logits.enumerated() where row.maximum - logit < 50 {
                let exponent = (Double(logit) - Double(row.maximum)) / temperature
                let exact = exponent > -87 ? exp(exponent) : 0
                // The exponent is rounded to single precision, and the polynomial has an error of its own.
                let bound = exact * (2e-7 + 2e-7 * abs(exponent)) + 1e-37
                #expect(abs(weights[index] - exact) <= bound, "\(logit)")
            }
        }
    }

    @Test("a position in the cumulative weights maps to the token there")
    func positions() {
        let logits = Self.row("coarse", count: 1000)
        let row = Self.read(logits)
        var weights = TokenWeights()
        weights.weigh(row, through: .end, temperature: 1)
        var before = 0.0
        for index in logits.indices where weights[index] > 0 {
            let middle = (before + weights[index] / 2) / weights.total
            #expect(weights.token(at: middle) == Int32(index))
            before += weights[index]
        }
        #expect(weights.token(at: 0) == 0)
        #expect(weights.token(at: 1) == 999)
    }
}
