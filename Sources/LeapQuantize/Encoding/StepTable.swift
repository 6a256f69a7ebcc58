/// Codes that stand for the steps of a table: whole numbers from −128 to 127, so that the borders between steps are whole
/// or half numbers.
struct StepTable: ScaledSteps {
    let targets: [Float]
    private let lowest: Float
    /// For every half between the first step and the last, the nearest step and its code.
    private let nearest: [Float]
    private let nearestCode: [UInt8]

    init(_ steps: [Int8]) {
        let low = steps.min() ?? 0
        let high = steps.max() ?? 0
        let cells = (0...2 * (Int(high) - Int(low))).map { Float(low) + (Float($0) + 0.5) / 2 }
        let codes = cells.map { cell in
            steps.indices.min { abs(Float(steps[$0]) - cell) < abs(Float(steps[$1]) - cell) } ?? 0
        }
        lowest = Float(low)
        nearest = codes.map { Float(steps[$0]) }
        nearestCode = codes.map { UInt8($0) }
        let shares: [Float] = [0.80, 0.84, 0.88, 0.92, 0.95, 0.98, 1, 1.03, 1.06, 1.1]
        targets = shares.map { Float(low) * $0 } + shares.map { Float(high) * $0 }
    }

    /// The cells of values in units of a step.
    @inline(__always)
    private func cells(_ x: Lanes) -> SIMD16<UInt32> {
        let halves = (x - Lanes(repeating: lowest)) * 2 - Lanes(repeating: 0.5)
        return integers(clamped(halves, 0, Float(nearest.count - 1)))
    }

    @inline(__always)
    func codes(_ x: Lanes, _ inverse: Float) -> Lanes { steps(x * Lanes(repeating: inverse)) }

    @inline(__always)
    private func steps(_ x: Lanes) -> Lanes {
        let cells = cells(x)
        return nearest.withUnsafeBufferPointer { nearest in
            var steps = Lanes(repeating: 0)
            for i in 0..<16 { steps[i] = nearest[Int(cells[i])] }
            return steps
        }
    }

    @inline(__always)
    private func write(_ x: Lanes, to destination: UnsafeMutablePointer<UInt8>) {
        let cells = cells(x)
        nearestCode.withUnsafeBufferPointer { codes in
            for i in 0..<16 { destination[i] = codes[Int(cells[i])] }
        }
    }

    @inline(__always)
    func write(_ group: WeightedGroup, scale: Float, to destination: UnsafeMutablePointer<UInt8>) {
        let inverse = scale == 0 ? 0 : 1 / scale
        for i in stride(from: 0, to: group.count, by: 16) {
            write(load(group.values + i) * Lanes(repeating: inverse), to: destination + i)
        }
    }
}

// MARK: - Powers of two

extension StepTable {
    /// Σ w·(x / 2^exponent − step)².
    @inline(__always)
    func relativeError(_ group: WeightedGroup, exponent: Int) -> Float {
        var sum = Lanes(repeating: 0)
        for i in stride(from: 0, to: group.count, by: 16) {
            let x = scaled(load(group.values + i), exponent: exponent)
            let rest = x - steps(x)
            sum += load(group.weights + i) * rest * rest
        }
        return total(sum)
    }

    @inline(__always)
    func write(_ group: WeightedGroup, exponent: Int, to destination: UnsafeMutablePointer<UInt8>) {
        for i in stride(from: 0, to: group.count, by: 16) {
            write(scaled(load(group.values + i), exponent: exponent), to: destination + i)
        }
    }

    /// x / 2^exponent, in two steps: the power itself may be no normal number.
    @inline(__always)
    private func scaled(_ x: Lanes, exponent: Int) -> Lanes {
        let first = exponent / 2
        let power = Float(sign: .plus, exponent: -first, significand: 1)
        let rest = Float(sign: .plus, exponent: first - exponent, significand: 1)
        return x * Lanes(repeating: power) * Lanes(repeating: rest)
    }
}
