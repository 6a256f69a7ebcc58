#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
package import LeapModels
package import LeapOps

/// A text and several that may follow it, of which a model chooses one: that whose tokens have the highest mean
/// log-probability after what all have in common.
package struct ChoiceTask: Sendable {
    /// The text with each of its continuations.
    package let choices: [[Int32]]
    /// Tokens that all begin with, and that are not scored. At least one token of each is.
    package let commonCount: Int

    /// - Returns: `nil` if no two differ, or one has no token that could be scored.
    package init?(_ choices: [[Int32]]) {
        guard Set(choices).count > 1, let shortest = choices.map(\.count).min() else { return nil }
        let equal = (0..<shortest).first { index in choices.contains { $0[index] != choices[0][index] } } ?? shortest
        // The shortest may be the beginning of all others: its last token is scored.
        let common = min(equal, shortest - 1)
        guard common > 0 else { return nil }
        self.choices = choices
        commonCount = common
    }

    /// The most tokens that a state must hold.
    package var longest: Int { choices.map(\.count).max() ?? 0 }

    /// The mean log-probability of each continuation's own tokens. What all have in common is read once.
    package func scores(_ model: LanguageModel, _ compute: Compute) throws(ModelError) -> [Double] {
        let common = try model.makeState(capacity: longest)
        // The last common token's logits are those of the first own tokens.
        let lastCommon = commonCount - 1
        try Self.read(choices[0], 0..<lastCommon, into: common, model, compute)
        var scores: [Double] = []
        for choice in choices {
            var sum = 0.0
            try Self.read(choice, lastCommon..<choice.count - 1, into: common.fork(), model, compute) { logits, end in
                for row in 0..<logits.rowCount {
                    let values = UnsafeBufferPointer(logits[row])
                    sum += LogSoftmax(values)[values, choice[end - logits.rowCount + row + 1]]
                }
            }
            scores.append(sum / Double(choice.count - commonCount))
        }
        return scores
    }

    /// Reads some of a text's tokens.
    ///
    /// - Parameter score: Gets the logits of each pass, and the index after its last token; without it, none are computed.
    private static func read(
        _ tokens: [Int32], _ range: Range<Int>, into state: SequenceState, _ model: LanguageModel, _ compute: Compute,
        score: ((_ logits: borrowing Logits, _ end: Int) -> Void)? = nil
    ) throws(ModelError) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: chunkSize) {
            let end = min(start + chunkSize, range.upperBound)
            var batch = Batch(of: .prompt, scoresText: true)
            for index in start..<end { batch.append(token: tokens[index], to: state, wantsLogits: score != nil) }
            try model.forward(batch, compute) { score?($0, end) }
        }
    }

    private static let chunkSize = 128
}

/// How many tasks were answered right.
package struct Accuracy: Sendable {
    package private(set) var correct = 0
    package private(set) var count = 0
    /// The sum over the tasks of the probability that a random choice is right.
    private var chances = 0.0

    package init() {}

    /// - Parameter chance: The probability that a random choice is right.
    package mutating func add(isCorrect: Bool, chance: Double) {
        correct += isCorrect ? 1 : 0
        count += 1
        chances += chance
    }

    /// The share of right answers.
    package var share: Double { count == 0 ? 0 : Double(correct) / Double(count) }

    /// The share that random choice would get right.
    package var chance: Double { count == 0 ? 0 : chances / Double(count) }

    /// One standard deviation of the share.
    package var uncertainty: Double { count < 2 ? 0 : (share * (1 - share) / Double(count - 1)).squareRoot() }

    /// Wilson's interval, in which the share of all such tasks lies with a probability of 95 %.
    ///
    /// Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference".
    package var interval: ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        let quantile = 1.959963984540054
        let z = quantile * quantile / Double(count)
        let half = z * (Double(count) * (4 * share * (1 - share) + z)).squareRoot() / (2 * quantile)
        let centre = share + z / 2
        return (centre - half) / (1 + z)...(centre + half) / (1 + z)
    }
}
