/// Four groups of numbers that have one scale each, interleaved: element `i` of all groups is one vector. Also holds
/// the weight of every number's squared error.
///
/// So no sum needs a reduction across lanes, and the search for four scales takes as long as for one. The compiler
/// would split vectors with more lanes than every CPU has.
struct GroupBatch {
    let values: UnsafeMutablePointer<Lanes>
    let weights: UnsafeMutablePointer<Lanes>
    /// Elements of a group.
    let count: Int

    /// Groups of a batch.
    static let groups = 4

    /// Anything smaller is zero in every format except floats and `MXFP4`, and its reciprocal could be infinite.
    static let negligible: Float = 1e-12

    /// Passes scratch memory for some batches to a closure.
    @inline(__always)
    static func withScratch(_ batches: Int, count: Int, _ body: (_ batch: (Int) -> GroupBatch) -> Void) {
        withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 2 * batches * count) { buffer in
            guard let base = buffer.baseAddress else { return }
            body { GroupBatch(values: base + 2 * $0 * count, weights: base + (2 * $0 + 1) * count, count: count) }
        }
    }

    /// Fills in numbers, group after group; missing groups are zero.
    @inline(__always)
    func fill(_ source: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, groups: Int = GroupBatch.groups) {
        guard groups == Self.groups else { return fillSome(source, weights, groups: groups) }
        transpose(source, to: values)
        transpose(weights, to: self.weights)
    }

    private func fillSome(_ source: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, groups: Int) {
        for i in 0..<count {
            for group in 0..<Self.groups {
                values[i][group] = group < groups ? source[group * count + i] : 0
                self.weights[i][group] = group < groups ? weights[group * count + i] : 1
            }
        }
    }

    /// Transposes four vectors of each group at a time into four vectors across all groups.
    @inline(__always)
    private func transpose(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Lanes>) {
        for i in stride(from: 0, to: count, by: 4) {
            let base = UnsafeRawPointer(source + i)
            let size = count * MemoryLayout<Float>.stride
            let a = base.loadUnaligned(as: Lanes.self)
            let b = base.loadUnaligned(fromByteOffset: size, as: Lanes.self)
            let c = base.loadUnaligned(fromByteOffset: 2 * size, as: Lanes.self)
            let d = base.loadUnaligned(fromByteOffset: 3 * size, as: Lanes.self)
            target[i] = Lanes(a[0], b[0], c[0], d[0])
            target[i + 1] = Lanes(a[1], b[1], c[1], d[1])
            target[i + 2] = Lanes(a[2], b[2], c[2], d[2])
            target[i + 3] = Lanes(a[3], b[3], c[3], d[3])
        }
    }

    /// The value with the largest magnitude in every group, with its sign.
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
