/// Four groups of numbers that have a scale each, side by side: element `i` of all groups is one vector. And how much the
/// error of each number counts.
///
/// So no sum runs across the lanes of a vector, and the search for four scales is as long as that for one. More lanes than
/// every CPU has would be taken apart by the compiler.
struct GroupBatch {
    let values: UnsafeMutablePointer<Lanes>
    let weights: UnsafeMutablePointer<Lanes>
    /// Elements of a group.
    let count: Int

    /// Groups of a batch.
    static let groups = 4

    /// What is smaller than this is zero in every format but floats and `MXFP4`, and its reciprocal could be infinite.
    static let negligible: Float = 1e-12

    /// Hands scratch memory for some batches to a closure.
    @inline(__always)
    static func withScratch(_ batches: Int, count: Int, _ body: (_ batch: (Int) -> GroupBatch) -> Void) {
        withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 2 * batches * count) { buffer in
            guard let base = buffer.baseAddress else { return }
            body { GroupBatch(values: base + 2 * $0 * count, weights: base + (2 * $0 + 1) * count, count: count) }
        }
    }

    /// Takes numbers in, group after group; zeros for the groups that are missing.
    @inline(__always)
    func fill(_ source: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, groups: Int = GroupBatch.groups) {
        let values = UnsafeMutableRawPointer(self.values).assumingMemoryBound(to: Float.self)
        let counts = UnsafeMutableRawPointer(self.weights).assumingMemoryBound(to: Float.self)
        for group in 0..<Self.groups {
            for i in 0..<count {
                let isThere = group < groups
                values[i * Self.groups + group] = isThere ? source[group * count + i] : 0
                counts[i * Self.groups + group] = isThere ? weights[group * count + i] : 1
            }
        }
    }

    /// The value of the largest magnitude of every group, with its sign.
    @inline(__always)
    var extremes: Lanes {
        let (lowest, highest) = ranges
        return select(lanes(0) - lowest .> highest, lowest, highest)
    }

    /// The smallest and the largest value of every group.
    @inline(__always)
    var ranges: (lowest: Lanes, highest: Lanes) {
        var (lowest, highest) = (values[0], values[0])
        for i in 1..<count {
            lowest = minimum(values[i], lowest)
            highest = maximum(values[i], highest)
        }
        return (lowest, highest)
    }
}
