import Foundation

/// Whether two sets of repetitions differ by more than chance: the Mann–Whitney test on ranks, two-sided.
///
/// It computes the fraction of all partitions of the pooled samples whose first rank sum is at least as far from its
/// mean as the observed one. It assumes no distribution, so that a disturbed repetition counts as one sample, whatever
/// its magnitude. Ties share their mean rank. Up to ``largestExact`` samples, all partitions are counted, which is
/// exact even with ties; beyond that, the rank sum is taken as normally distributed. Source: Mann and Whitney 1947, "On
/// a test of whether one of two random variables is stochastically larger than the other"; Lehmann 1975,
/// "Nonparametrics", sections 1.2 to 1.4.
struct RankTest: Hashable {
    /// The p-value: the probability of ranks at least as far apart if the two sets have the same distribution.
    let probability: Double
    /// The smallest p-value that sets of these sizes can have.
    let smallestProbability: Double

    /// The significance level.
    static let significance = 0.05
    private static let largestExact = 60

    /// Whether the sets are large enough for any difference to be significant.
    var canBeSignificant: Bool { smallestProbability < Self.significance }
    /// Whether the two sets differ significantly.
    var isSignificant: Bool { canBeSignificant && probability < Self.significance }

    init(_ a: [Double], _ b: [Double]) {
        guard !a.isEmpty, !b.isEmpty else {
            (probability, smallestProbability) = (1, 1)
            return
        }
        let ranks = Self.doubledRanks(a + b)
        let sum = ranks.prefix(a.count).reduce(0, +)
        smallestProbability = min(1, 2 / Self.ways(of: a.count, in: a.count + b.count))
        probability =
            ranks.count <= Self.largestExact
            ? Self.exact(ranks, choose: a.count, sum: sum) : Self.normal(ranks, choose: a.count, sum: sum)
    }

    /// Twice the rank of each sample, counted from 1, which is an integer even for ties.
    static func doubledRanks(_ samples: [Double]) -> [Int] {
        let order = samples.indices.sorted { samples[$0] < samples[$1] }
        var ranks = [Int](repeating: 0, count: samples.count)
        var first = 0
        while first < order.count {
            var end = first + 1
            while end < order.count, samples[order[end]] == samples[order[first]] { end += 1 }
            for place in first..<end { ranks[order[place]] = first + 1 + end }
            first = end
        }
        return ranks
    }

    /// The number of subsets.
    private static func ways(of count: Int, in total: Int) -> Double {
        (0..<count).reduce(1) { $0 * Double(total - $1) / Double($1 + 1) }
    }

    /// The fraction of all subsets of `count` ranks whose sum is at least as far from the mean.
    private static func exact(_ ranks: [Int], choose count: Int, sum: Int) -> Double {
        let largest = ranks.reduce(0, +)
        // subsets[n][s]: the subsets of n of the ranks seen so far with the sum s.
        var subsets = [[Double]](repeating: [Double](repeating: 0, count: largest + 1), count: count + 1)
        subsets[0][0] = 1
        for rank in ranks {
            for size in stride(from: count, to: 0, by: -1) {
                for sum in stride(from: largest, through: rank, by: -1) {
                    subsets[size][sum] += subsets[size - 1][sum - rank]
                }
            }
        }
        // The mean of the sum is count · largest / ranks.count; compared in integers.
        func distance(_ sum: Int) -> Int { abs(sum * ranks.count - count * largest) }
        let far = subsets[count].indices.filter { distance($0) >= distance(sum) }
        return min(1, far.reduce(0) { $0 + subsets[count][$1] } / ways(of: count, in: ranks.count))
    }

    /// The same by the normal approximation, with the variance of the actual ranks and a continuity correction.
    private static func normal(_ ranks: [Int], choose count: Int, sum: Int) -> Double {
        let total = Double(ranks.count)
        let mean = Double(ranks.reduce(0, +)) / total
        let squares = ranks.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        let variance = Double(count) * (total - Double(count)) / (total * (total - 1)) * squares
        guard variance > 0 else { return 1 }
        // Doubled ranks, so half a rank is 1.
        let distance = max(0, abs(Double(sum) - Double(count) * mean) - 1)
        return erfc(distance / (2 * variance).squareRoot())
    }
}
