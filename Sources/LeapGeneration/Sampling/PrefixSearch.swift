/// Finds where a prefix of the candidates' order ends, without sorting a vocabulary.
///
/// A sorted sample of the logits cuts the row into some hundred stretches of about the same size. Sums of weights above
/// a logit, each a pass over the row, tell by bisection in which stretch the prefix ends, and only that one is sorted.
struct PrefixSearch {
    let row: LogitRow
    /// Weights of the candidates up to `last`.
    let weights: TokenWeights
    /// The last candidate that may belong to the prefix.
    let last: Candidate

    private static let sampleSize = 256

    /// The last one of the fewest first candidates whose weights sum to at least `goal`; `last` if all sum to less.
    func end(goal: Double) -> Candidate {
        let goal = max(goal, .leastNonzeroMagnitude)  // one candidate at least
        let sample = sample()
        let index = firstIndex(in: sample, reaching: goal)
        let upper = index > 0 ? sample[index - 1] : nil
        let lower = index < sample.count ? sample[index] : nil
        var sum = upper.map { weights.sum(row, atLeast: $0) } ?? 0
        for candidate in between(upper, lower) {
            sum += weights[Int(candidate.token)]
            if sum >= goal { return candidate }
        }
        return lower.flatMap { endOfTies(at: $0, sum: sum, goal: goal) } ?? last
    }

    /// Different logits of candidates, the highest first. The places are the same for every row, and have no pattern.
    private func sample() -> [Float] {
        var generator = SplitMix64(seed: 0)
        var sample: [Float] = []
        sample.reserveCapacity(Self.sampleSize)
        for _ in 0..<Self.sampleSize {
            let logit = row[Int(generator.nextUnit() * Double(row.count))]
            if logit >= last.logit { sample.append(logit) }
        }
        sample.sort(by: >)
        var count = 0
        for logit in sample where count == 0 || logit < sample[count - 1] {
            sample[count] = logit
            count += 1
        }
        sample.removeLast(sample.count - count)
        return sample
    }

    /// The first place of the sample down to which the weights sum to at least the goal; its count if there is none.
    private func firstIndex(in sample: [Float], reaching goal: Double) -> Int {
        var range = 0..<sample.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let reaches = weights.sum(row, atLeast: sample[middle]) >= goal
            range = reaches ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// The candidates strictly between two logits, sorted.
    private func between(_ upper: Float?, _ lower: Float?) -> [Candidate] {
        var list: [Candidate] = []
        row.forEach(atLeast: lower ?? last.logit, below: upper ?? .nan) { candidate in
            if let lower, candidate.logit <= lower { return }
            if !last.precedes(candidate) { list.append(candidate) }
        }
        list.sort { $0.precedes($1) }
        return list
    }

    /// The candidate with a logit that makes a sum reach the goal: the goal lies among equal logits, which may be as many
    /// as the row has.
    private func endOfTies(at logit: Float, sum: Double, goal: Double) -> Candidate? {
        var sum = sum
        var reached: (block: Int, sum: Double)?
        for block in row.maxima.indices where row.maxima[block] >= logit && sum < goal {
            let next = sum + weights.sum(row, block: block, equalTo: logit)
            if next > sum { reached = (block, sum) }
            sum = next
        }
        guard let reached else { return nil }
        sum = reached.sum
        var end: Candidate?
        let start = reached.block * LogitRow.blockSize
        for index in start..<start + LogitRow.blockSize where row[index] == logit && weights[index] > 0 {
            end = Candidate(index, logit)
            sum += weights[index]
            if sum >= goal { break }
        }
        return end
    }
}
