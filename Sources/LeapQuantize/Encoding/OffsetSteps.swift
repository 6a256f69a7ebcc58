/// Codes above a minimum: `x = scale · code + minimum`, with `code` from 0 to `highest`.
struct OffsetSteps: Sendable {
    let highest: Float
    /// Zero, but hidden from the compiler, which splits vector comparisons with constants.
    let lowest: Float
    /// The shares of the value range that a search cuts off its lower and upper end.
    let cuts: [(lower: Float, upper: Float)]
    /// Whether positive minima cannot be stored.
    let keepsZero: Bool

    /// Scales and minima of the groups of a batch.
    struct Lines {
        var scale: Lanes
        var minimum: Lanes
    }

    /// Sums that do not depend on codes: Σ w and Σ w·x.
    struct Constants {
        let weight: Lanes
        let value: Lanes

        @inline(__always)
        init(_ batch: GroupBatch) {
            var (weight, value) = (lanes(0), lanes(0))
            for i in 0..<batch.count {
                weight += batch.weights[i]
                value += batch.weights[i] * batch.values[i]
            }
            self.weight = weight
            self.value = value
        }
    }

    /// Σ w·code, Σ w·code² and Σ w·x·code.
    struct Sums {
        var code: Lanes
        var codeCode: Lanes
        var valueCode: Lanes
    }

    @inline(__always)
    func codes(_ x: Lanes, inverse: Lanes, minimum: Lanes) -> Lanes {
        rounded(clamped((x - minimum) * inverse, lowest, highest))
    }

    @inline(never)
    func sums(_ batch: GroupBatch, inverse: Lanes, minimum: Lanes) -> Sums {
        var (code1, code2, valueCode) = (lanes(0), lanes(0), lanes(0))
        for i in 0..<batch.count {
            let x = batch.values[i]
            let code = codes(x, inverse: inverse, minimum: minimum)
            let weighted = batch.weights[i] * code
            code1 += weighted
            code2 += weighted * code
            valueCode += weighted * x
        }
        return Sums(code: code1, codeCode: code2, valueCode: valueCode)
    }

    /// Σ w·(x − scale·code − minimum)².
    @inline(never)
    func error(_ batch: GroupBatch, _ lines: Lines) -> Lanes {
        let inverse = reciprocal(lines.scale)
        var sum = lanes(0)
        for i in 0..<batch.count {
            let x = batch.values[i] - lines.minimum
            let rest = x - rounded(clamped(x * inverse, lowest, highest)) * lines.scale
            sum += batch.weights[i] * rest * rest
        }
        return sum
    }

    /// The lines with the smallest error that the search finds: for every cut it takes the codes, fits the best line to
    /// them by least squares, and then repeats with the codes of the best line.
    @inline(__always)
    func lines(_ batch: GroupBatch) -> Lines {
        var (low, high) = batch.ranges
        if keepsZero { low = LeapQuantize.minimum(low, lanes(0)) }
        let width = high - low
        let isFlat = width .<= lanes(GroupBatch.negligible)
        // The initial line covers the whole range; for constants it is also the result.
        var best = Lines(scale: select(isFlat, lanes(0), width / lanes(highest)), minimum: low)
        var gain = lanes(-.infinity)
        let constants = Constants(batch)
        let inverse = select(isFlat, lanes(0), lanes(highest) / width)
        for cut in cuts {
            let kept = 1 / (1 - cut.lower - cut.upper)
            improve(&best, &gain, batch, constants, inverse: inverse * kept, minimum: low + width * cut.lower)
        }
        for _ in 0..<2 {
            improve(&best, &gain, batch, constants, inverse: reciprocal(best.scale), minimum: best.minimum)
        }
        return best
    }

    /// Fits the best line to the codes of another line, and keeps it if it is better than the best one so far.
    ///
    /// With the best line, the error is Σ w·x² minus the gain, scale · Σ w·x·code + minimum · Σ w·x.
    @inline(__always)
    private func improve(
        _ best: inout Lines, _ gain: inout Lanes, _ batch: GroupBatch, _ constants: Constants, inverse: Lanes,
        minimum: Lanes
    ) {
        let sums = sums(batch, inverse: inverse, minimum: minimum)
        let determinant = constants.weight * sums.codeCode - sums.code * sums.code
        var scale = (constants.weight * sums.valueCode - constants.value * sums.code) / determinant
        var offset = (constants.value - scale * sums.code) / constants.weight
        if keepsZero {
            let isAbove = offset .> lanes(0)
            scale = select(isAbove, sums.valueCode / sums.codeCode, scale)
            offset = select(isAbove, lanes(0), offset)
        }
        let found = scale * sums.valueCode + offset * constants.value
        // If all codes are nearly the same, the determinant is nothing but rounding error.
        let isDecided = determinant .> constants.weight * sums.codeCode * 1e-5
        // Groups with shared factors take the first of several cuts that are equal up to rounding.
        let margin: Float = keepsZero ? 1 + 0x1p-21 : 1
        let isBetter = (found .> gain * margin) .& (scale .> lanes(0)) .& isDecided
        best.scale = select(isBetter, scale, best.scale)
        best.minimum = select(isBetter, offset, best.minimum)
        gain = select(isBetter, found, gain)
    }

    /// Writes the codes of a batch, group by group.
    @inline(__always)
    func write(_ batch: GroupBatch, _ lines: Lines, to destination: UnsafeMutablePointer<UInt8>) {
        let inverse = reciprocal(lines.scale)
        for i in 0..<batch.count {
            let code = codes(batch.values[i], inverse: inverse, minimum: lines.minimum)
            store(integers(code), element: i, of: batch.count, to: destination)
        }
    }
}

extension OffsetSteps {
    /// Cuts for 32 codes, whose steps are fine: slightly inside or outside either end. The last one uses 31 codes, so
    /// that in a range symmetric around zero, zero itself has a code, as weights with two or three distinct values
    /// need.
    static let finestCuts: [(lower: Float, upper: Float)] = grid([-0.01, 0.008, 0.026]) + [(0, -1 / 30)]
    /// Cuts for 16 codes; the last one uses 15.
    static let fewCuts: [(lower: Float, upper: Float)] = grid([-0.01, 0.02, 0.05]) + [(0, -1 / 14)]
    /// Cuts for four codes.
    static let manyCuts: [(lower: Float, upper: Float)] = grid([-0.06, 0.04, 0.13, 0.22])

    private static func grid(_ shares: [Float]) -> [(lower: Float, upper: Float)] {
        shares.flatMap { lower in shares.map { (lower, $0) } }
    }
}
