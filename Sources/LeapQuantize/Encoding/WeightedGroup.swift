/// Numbers that share a scale, and how much each of their errors counts.
///
/// The sums over a group are what all searches for scales are made of: for fixed codes the best scale and minimum follow
/// from them by least squares, and with them the error.
struct WeightedGroup {
    let values: UnsafePointer<Float>
    let weights: UnsafePointer<Float>
    /// A multiple of 16.
    let count: Int

    /// What is smaller than this is zero in every format but floats and `MXFP4`, and its reciprocal could be infinite.
    static let negligible: Float = 1e-12

    init(_ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, count: Int) {
        self.values = values
        self.weights = weights
        self.count = count
    }

    /// A part of the group.
    func part(_ index: Int, of size: Int) -> WeightedGroup {
        WeightedGroup(values + index * size, weights + index * size, count: size)
    }

    /// The value of the largest magnitude, with its sign.
    @inline(__always)
    var extreme: Float {
        let (lowest, highest) = range
        return -lowest > highest ? lowest : highest
    }

    /// The smallest and the largest value.
    @inline(__always)
    var range: (lowest: Float, highest: Float) {
        var (low, high) = (load(values), load(values))
        for i in stride(from: 16, to: count, by: 16) {
            let x = load(values + i)
            low = low.replacing(with: x, where: x .< low)
            high = high.replacing(with: x, where: x .> high)
        }
        var (lowest, highest) = (low[0], high[0])
        for i in 1..<16 {
            if low[i] < lowest { lowest = low[i] }
            if high[i] > highest { highest = high[i] }
        }
        return (lowest, highest)
    }
}
