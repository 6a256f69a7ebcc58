/// Codes that are their own steps: `x = scale · code`, with `code` from `lowest` to `highest`.
struct SymmetricSteps: ScaledSteps {
    let lowest: Float
    let highest: Float
    /// The unrounded codes to which a search maps the value with the largest magnitude.
    let targets: [Float]

    /// - Parameters:
    ///   - lowest, highest: The codes; there is one more below zero than above.
    ///   - inside, outside: How far inside or outside the extreme codes the largest magnitude may be mapped, in codes.
    ///   - count: Targets on either side of zero.
    init(lowest: Float, highest: Float, inside: Float, outside: Float, count: Int) {
        self.lowest = lowest
        self.highest = highest
        let step = (inside + outside) / Float(max(1, count - 1))
        let distances = (0..<count).map { outside - Float($0) * step }
        targets = distances.map { lowest - $0 } + distances.map { highest + $0 }
    }

    @inline(__always)
    func steps(_ x: Lanes, _ inverse: Lanes) -> Lanes { rounded(clamped(x * inverse, lowest, highest)) }

    /// Relative to the lowest code.
    @inline(__always)
    func codes(_ x: Lanes, _ inverse: Lanes) -> SIMD4<UInt32> { integers(steps(x, inverse) - lanes(lowest)) }
}
