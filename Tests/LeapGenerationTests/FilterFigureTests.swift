import Foundation
import LeapTokenizer
import Testing

@testable import LeapGeneration

/// The candidates that filters keep, compared with figures that numpy computed in double precision from the definitions
/// of the papers: the softmax, the entropy and the information content of every token, sorted; not by the identities
/// that the code uses.
@Suite("Reference figures of sampling filters")
struct FilterFigureTests {
    /// 40 logits of both signs, with ties.
    private static let logits: [Float] = (0..<40).map { Float(($0 * 37 + 11) % 23) * 0.25 - 2 }

    /// The kept tokens, the probability of the first of them, and the sum of all squared probabilities.
    struct Figure: Sendable {
        let tokens: [Token]
        let first: Double
        let squares: Double
    }

    private static let typicalFigures: [(mass: Float, figure: Figure)] = [
        (0.2, Figure(tokens: [12, 17, 22, 35], first: 0.20272680990427036, squares: 0.26167210861311496)),
        (
            0.5,
            Figure(tokens: [4, 7, 12, 17, 22, 27, 30, 35], first: 0.1974012741853089, squares: 0.14384145527310555)
        ),
        (
            0.9,
            Figure(
                tokens: [2, 4, 7, 9, 10, 12, 15, 17, 20, 22, 25, 27, 30, 32, 33, 35, 38],
                first: 0.031664172839419406, squares: 0.089162343842776)
        ),
    ]

    @Test("locally typical sampling keeps the tokens that its definition gives", arguments: typicalFigures)
    func typical(mass: Float, figure: Figure) throws { try check(try #require(TypicalP(mass)), figure) }

    private static let sigmaFigures: [(n: Float, figure: Figure)] = [
        (0.5, Figure(tokens: [4, 9, 17, 22, 27, 32], first: 0.1679717433910681, squares: 0.17695722763094202)),
        (
            1,
            Figure(
                tokens: [2, 4, 7, 9, 12, 17, 22, 25, 27, 30, 32, 35], first: 0.03491030235443294,
                squares: 0.1062010543928732)
        ),
        (
            2,
            Figure(
                tokens: [0, 2, 4, 5, 7, 9, 10, 12, 13, 15, 17, 18, 20, 22, 23, 25, 27, 28, 30, 32, 33, 35, 36, 38],
                first: 0.008562380554301738, squares: 0.0799142045370414)
        ),
    ]

    @Test("top-n-sigma keeps the tokens that its definition gives", arguments: sigmaFigures)
    func sigma(n: Float, figure: Figure) throws { try check(try #require(TopNSigma(n)), figure) }

    private func check(_ step: some SamplingStep, _ figure: Figure) throws {
        var step = step
        let shares = Self.shares(Self.logits) { candidates, random in step.apply(to: &candidates, random: &random) }
        #expect(shares.keys.sorted() == figure.tokens)
        let first = try #require(shares[figure.tokens[0]])
        #expect(abs(first - figure.first) < Self.tolerance)
        #expect(abs(shares.values.reduce(0) { $0 + $1 * $1 } - figure.squares) < Self.tolerance)
    }

    /// Weights of a row are single-precision, and a sum of 40 of them is exact to about 10⁻⁶.
    static let tolerance = 2e-6

    /// The candidates that steps keep, and their shares, found by a draw at every position of a fine grid.
    static func shares(
        _ logits: [Float], temperature: Double = 1, _ apply: (inout Candidates, inout SplitMix64) -> Void
    ) -> [Token: Double] {
        var row = logits
        return row.withUnsafeMutableBufferPointer { row in
            var candidates = Candidates()
            var random = SplitMix64(seed: 0)
            candidates.begin(row)
            candidates.temperature = temperature
            apply(&candidates, &random)
            var shares: [Token: Double] = [:]
            for index in 0..<20_000 {
                if let drawn = candidates.draw(at: Double(index) / 20_000) { shares[drawn.token] = drawn.share }
            }
            return shares
        }
    }

    // MARK: - Mirostat

    /// The number of candidates kept at a step, the token drawn, and its probability.
    struct Step: Sendable {
        let count: Int
        let token: Token
        let share: Double

        init(_ count: Int, _ token: Token, _ share: Double) {
            (self.count, self.token, self.share) = (count, token, share)
        }
    }

    /// A run in numpy: at each step the candidate at a given index, modulo their number, is drawn.
    struct Run: Sendable {
        let settings: MirostatSettings
        let temperature: Double
        let steps: [Step]
    }

    private static let places = [0, 7, 3, 11, 0, 0, 5, 2]
    private static let runs = [
        Run(
            settings: MirostatSettings(version: .v1, target: 3, learningRate: 0.5), temperature: 1,
            steps: [
                Step(36, 9, 0.1304348035898421), Step(38, 35, 0.04790938486694567), Step(14, 27, 0.1162278759655154),
                Step(13, 25, 0.03398627763292264), Step(3, 9, 0.35986746732333263), Step(10, 9, 0.16820101724043268),
                Step(14, 17, 0.07049577028636218), Step(7, 4, 0.15562388549991032),
            ]),
        Run(
            settings: MirostatSettings(version: .v2, target: 3, learningRate: 0.5), temperature: 1,
            steps: [
                Step(15, 9, 0.14628497418996075), Step(15, 35, 0.053815234556781624), Step(13, 27, 0.11862376478641444),
                Step(13, 25, 0.03398627763292264), Step(8, 9, 0.18614148149870186), Step(10, 9, 0.16820101724043268),
                Step(10, 17, 0.07945253468139517), Step(8, 4, 0.14496713155326044),
            ]),
        Run(
            settings: MirostatSettings(version: .v1, target: 1, learningRate: 0.3), temperature: 0.8,
            steps: [
                Step(1, 9, 1), Step(1, 9, 1), Step(1, 9, 1), Step(1, 9, 1), Step(1, 9, 1), Step(1, 9, 1),
                Step(2, 32, 0.5), Step(2, 9, 0.5),
            ]),
        Run(
            settings: MirostatSettings(version: .v2, target: 1, learningRate: 0.3), temperature: 0.8,
            steps: [
                Step(1, 9, 1), Step(1, 9, 1), Step(1, 9, 1), Step(2, 32, 0.5), Step(2, 9, 0.5), Step(2, 9, 0.5),
                Step(2, 32, 0.5), Step(2, 9, 0.5),
            ]),
    ]

    @Test("mirostat keeps the candidates that its running surprise allows", arguments: runs)
    func mirostat(_ run: Run) throws {
        let steps: [(any SamplingStep)?] = [Mirostat(run.settings), Mirostat2(run.settings)]
        var step = try #require(steps.compactMap(\.self).first)
        let order = Self.logits.indices.sorted { (Self.logits[$0], -$0) > (Self.logits[$1], -$1) }.map { Token($0) }
        for (place, expected) in zip(Self.places, run.steps) {
            let shares = Self.shares(Self.logits, temperature: run.temperature) { candidates, random in
                step.apply(to: &candidates, random: &random)
            }
            #expect(shares.count == expected.count)
            #expect(Set(shares.keys) == Set(order.prefix(expected.count)))
            let token = order[place % shares.count]
            #expect(token == expected.token)
            let share = try #require(shares[token])
            #expect(abs(share - expected.share) < Self.tolerance)
            step.learn(surprise: -log2(share))
        }
    }

    @Test(
        "the mean surprise of a long text is near the target", arguments: [MirostatSettings.Version.v1, .v2],
        [Float(1), 2, 3])
    func holdsTarget(version: MirostatSettings.Version, target: Float) throws {
        let configuration = SamplerConfiguration(
            temperature: 1, mirostat: MirostatSettings(version: version, target: target))
        var sampler = try Sampler(configuration: configuration, seed: 11)
        // Rows that are easy and hard to predict, as a Zipf distribution with another exponent each.
        let rows = [1.2, 1.6, 2.5].map { exponent in (1...2000).map { Float(-exponent * log(Double($0))) } }
        var surprises = 0.0
        let count = 3000
        for index in 0..<count {
            var row = rows[index % rows.count]
            let token = try row.withUnsafeMutableBufferPointer { try sampler.sample($0) }
            let total = rows[index % rows.count].reduce(0) { $0 + exp(Double($1)) }
            surprises -= log2(exp(Double(rows[index % rows.count][Int(token)])) / total)
        }
        // Measured against the whole row, the surprise is a little larger than among the kept candidates.
        let mean = surprises / Double(count)
        #expect(mean > Double(target) && mean < Double(target) + 0.9, "\(mean) bits instead of \(target)")
    }

    // MARK: - Arithmetic

    @Test("logarithms agree with the C library to two units in the last place")
    func logarithms() {
        var x = Double.leastNonzeroMagnitude * 4096  // not a normal number
        while x < 1e300 {
            #expect(abs(logarithm(x) - log(x)) <= 2 * abs(log(x)).ulp, "\(x)")
            x *= 1.37
        }
        #expect(logarithm(1) == 0 && logarithm(0) == -.infinity && logarithm(.infinity) == .infinity)
        #expect(logarithm(-1).isNaN && logarithm(.nan).isNaN)
    }
}
