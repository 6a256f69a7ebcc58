/// The standard deviation of logits: √(Σ (logit − mean)² / N).
///
/// Sums are of differences to the highest logit, which cancel less than the logits themselves, in double precision and in
/// a fixed order.
struct Deviation {
    private var count = 0.0
    private var sum = 0.0
    private var squares = 0.0

    /// The deviation of a list, sorted by falling logits.
    static func of(_ list: [Candidate]) -> Double {
        var deviation = Deviation()
        for candidate in list {
            deviation.add(SIMD4(Double(candidate.logit) - Double(list[0].logit), 0, 0, 0), count: 1)
        }
        return deviation.value
    }

    /// The deviation of the candidates of a row up to the last one.
    static func of(_ row: LogitRow, through last: Candidate) -> Double {
        let maximum = SIMD4<Double>(repeating: Double(row.maximum))
        var deviation = Deviation()
        for block in row.maxima.indices where row.maxima[block] >= last.logit {
            for index in LogitRow.lanes(of: block) {
                let isKept = LogitRow.areKept(row.lanes[index], at: index, through: last)
                let ones = SIMD4<Float>(repeating: 1).masked(by: isKept)
                // What is not kept, such as -∞, gives neither a difference nor a count.
                let logits = SIMD4<Float>(repeating: row.maximum).choosing(row.lanes[index], where: isKept)
                deviation.add(SIMD4<Double>(logits) - maximum, count: Double(ones.sumOfLanes))
            }
        }
        return deviation.value
    }

    @inline(__always)
    private mutating func add(_ differences: SIMD4<Double>, count: Double) {
        self.count += count
        sum += (differences.x + differences.z) + (differences.y + differences.w)
        let squared = differences * differences
        squares += (squared.x + squared.z) + (squared.y + squared.w)
    }

    private var value: Double {
        guard count > 0 else { return 0 }
        let mean = sum / count
        return max(squares / count - mean * mean, 0).squareRoot()
    }
}
