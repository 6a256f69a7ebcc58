/// Steps that a scale multiplies: `x = scale · step`. The scale may be negative.
protocol ScaledSteps: Sendable {
    /// Where a search puts the value of the largest magnitude, in steps.
    var targets: [Float] { get }

    /// The steps nearest to `x · inverse`.
    func codes(_ x: Lanes, _ inverse: Float) -> Lanes

    /// Writes the code of every value.
    func write(_ group: WeightedGroup, scale: Float, to destination: UnsafeMutablePointer<UInt8>)
}

extension ScaledSteps {
    /// Σ w·x·code and Σ w·code² where codes are those of a reciprocal scale.
    @inline(__always)
    func sums(_ group: WeightedGroup, inverse: Float) -> (valueCode: Float, codeCode: Float) {
        var (valueCode, codeCode) = (Lanes(repeating: 0), Lanes(repeating: 0))
        for i in stride(from: 0, to: group.count, by: 16) {
            let x = load(group.values + i)
            let code = codes(x, inverse)
            let weighted = load(group.weights + i) * code
            valueCode += weighted * x
            codeCode += weighted * code
        }
        return (total(valueCode), total(codeCode))
    }

    /// Σ w·(x − scale·code)².
    @inline(__always)
    func error(_ group: WeightedGroup, scale: Float) -> Float {
        let inverse = scale == 0 ? 0 : 1 / scale
        var sum = Lanes(repeating: 0)
        for i in stride(from: 0, to: group.count, by: 16) {
            let x = load(group.values + i)
            let rest = x - codes(x, inverse) * Lanes(repeating: scale)
            sum += load(group.weights + i) * rest * rest
        }
        return total(sum)
    }

    /// The scale with the smallest error that the search finds: of every target the codes, of codes the best scale by least
    /// squares, and of the best scale the codes again.
    @inline(__always)
    func scale(_ group: WeightedGroup) -> Float {
        let extreme = group.extreme
        guard abs(extreme) > WeightedGroup.negligible else { return 0 }
        var (best, gain): (Float, Float) = (0, 0)
        let reciprocal = 1 / extreme
        for target in targets {
            let sums = sums(group, inverse: target * reciprocal)
            let found = sums.codeCode > 0 ? sums.valueCode * sums.valueCode / sums.codeCode : 0
            if found > gain { (best, gain) = (sums.valueCode / sums.codeCode, found) }
        }
        for _ in 0..<3 where best != 0 {
            let sums = sums(group, inverse: 1 / best)
            let found = sums.codeCode > 0 ? sums.valueCode * sums.valueCode / sums.codeCode : 0
            guard found > gain else { break }
            (best, gain) = (sums.valueCode / sums.codeCode, found)
        }
        return best
    }
}

@inline(__always)
func store(_ codes: SIMD16<UInt32>, to destination: UnsafeMutablePointer<UInt8>) {
    let bytes = SIMD16<UInt8>(truncatingIfNeeded: codes)
    UnsafeMutableRawPointer(destination).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
}
