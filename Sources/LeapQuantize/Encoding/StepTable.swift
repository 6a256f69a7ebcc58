/// Codes that index a table of steps: integers from −128 to 127, so that the boundaries between steps are integers or
/// half-integers.
struct StepTable: ScaledSteps {
    let targets: [Float]
    private let lowest: Float
    /// For every cell of width ½ between the first step and the last, the nearest step and its code.
    private let nearest: [Float]
    private let nearestCode: [UInt32]

    init(_ steps: [Int8]) {
        let low = steps.min() ?? 0
        let high = steps.max() ?? 0
        let cells = (0...2 * (Int(high) - Int(low))).map { Float(low) + (Float($0) + 0.5) / 2 }
        let codes = cells.map { cell in
            steps.indices.min { abs(Float(steps[$0]) - cell) < abs(Float(steps[$1]) - cell) } ?? 0
        }
        lowest = Float(low)
        nearest = codes.map { Float(steps[$0]) }
        nearestCode = codes.map { UInt32($0) }
        // The ten targets that together leave the smallest errors for normally, Laplace and uniformly distributed
        // numbers with the steps of IQ4_NL.
        let lowShares: [Float] = [1.025, 0.99, 0.95, 1.06, 1.11, 0.87, 0.82]
        let highShares: [Float] = [1.02, 0.97, 1.075]
        targets = lowShares.map { Float(low) * $0 } + highShares.map { Float(high) * $0 }
    }

    /// The cells of values in units of a step.
    @inline(__always)
    private func cells(_ x: Lanes) -> SIMD4<UInt32> {
        integers(clamped((x - lanes(lowest)) * 2 - lanes(0.5), 0, Float(nearest.count - 1)))
    }

    @inline(__always)
    func steps(_ x: Lanes, _ inverse: Lanes) -> Lanes {
        let cells = cells(x * inverse)
        return nearest.withUnsafeBufferPointer { nearest in
            var steps = lanes(0)
            for i in 0..<4 { steps[i] = nearest[Int(cells[i])] }
            return steps
        }
    }

    @inline(__always)
    func codes(_ x: Lanes, _ inverse: Lanes) -> SIMD4<UInt32> {
        let cells = cells(x * inverse)
        return nearestCode.withUnsafeBufferPointer { nearest in
            var codes = SIMD4<UInt32>(repeating: 0)
            for i in 0..<4 { codes[i] = nearest[Int(cells[i])] }
            return codes
        }
    }
}
