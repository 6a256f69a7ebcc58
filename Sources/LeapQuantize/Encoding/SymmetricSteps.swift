/// Codes that stand for themselves: `x = scale · code`, with `code` from `lowest` to `highest`.
struct SymmetricSteps: ScaledSteps {
    let lowest: Float
    let highest: Float
    /// The codes, not rounded yet, that a search tries for the value of the largest magnitude.
    let targets: [Float]

    /// - Parameters:
    ///   - lowest, highest: The codes; there is one more below zero than above.
    ///   - spread: How far from the last codes the largest magnitude may be put, in codes.
    ///   - count: Targets on either side of zero.
    init(lowest: Float, highest: Float, inside: Float, outside: Float, count: Int) {
        self.lowest = lowest
        self.highest = highest
        let step = (inside + outside) / Float(max(1, count - 1))
        let distances = (0..<count).map { outside - Float($0) * step }
        targets = distances.map { lowest - $0 } + distances.map { highest + $0 }
    }

    @inline(__always)
    func codes(_ x: Lanes, _ inverse: Float) -> Lanes {
        rounded(clamped(x * Lanes(repeating: inverse), lowest, highest))
    }

    /// Writes `code − lowest` of every value.
    @inline(__always)
    func write(_ group: WeightedGroup, scale: Float, to destination: UnsafeMutablePointer<UInt8>) {
        let inverse = scale == 0 ? 0 : 1 / scale
        for i in stride(from: 0, to: group.count, by: 16) {
            store(integers(codes(load(group.values + i), inverse) - Lanes(repeating: lowest)), to: destination + i)
        }
    }
}
