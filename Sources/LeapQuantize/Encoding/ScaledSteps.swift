/// Steps that a scale multiplies: `x = scale · step`. The scale may be negative.
protocol ScaledSteps: Sendable {
    /// The steps to which a search maps the value with the largest magnitude.
    var targets: [Float] { get }

    /// The steps nearest to `x · inverse`.
    func steps(_ x: Lanes, _ inverse: Lanes) -> Lanes

    /// The codes of those steps.
    func codes(_ x: Lanes, _ inverse: Lanes) -> SIMD4<UInt32>
}

extension ScaledSteps {
    /// Σ w·x·step and Σ w·step² for the steps at the given reciprocal scales.
    @inline(never)
    func sums(_ batch: GroupBatch, inverse: Lanes) -> (valueStep: Lanes, stepStep: Lanes) {
        var (valueStep, stepStep) = (lanes(0), lanes(0))
        for i in 0..<batch.count {
            let x = batch.values[i]
            let step = steps(x, inverse)
            let weighted = batch.weights[i] * step
            valueStep += weighted * x
            stepStep += weighted * step
        }
        return (valueStep, stepStep)
    }

    /// Σ w·(x − scale·step)².
    @inline(never)
    func error(_ batch: GroupBatch, scale: Lanes) -> Lanes {
        let inverse = reciprocal(scale)
        var sum = lanes(0)
        for i in 0..<batch.count {
            let x = batch.values[i]
            let rest = x - steps(x, inverse) * scale
            sum += batch.weights[i] * rest * rest
        }
        return sum
    }

    /// The scales with the smallest error that the search finds: for every target it takes the codes, fits the best
    /// scale to them by least squares, and then repeats with the codes of the best scale. Zero for groups whose values
    /// are all negligible.
    @inline(__always)
    func scales(_ batch: GroupBatch) -> Lanes {
        let extremes = batch.extremes
        let isThere = magnitude(extremes) .> lanes(GroupBatch.negligible)
        let reciprocal = select(isThere, lanes(1) / extremes, lanes(0))
        var (best, gain) = (lanes(0), lanes(0))
        for target in targets { improve(&best, &gain, batch, inverse: reciprocal * target) }
        for _ in 0..<2 { improve(&best, &gain, batch, inverse: LeapQuantize.reciprocal(best)) }
        return best
    }

    /// Fits the best scale to the codes of another scale, and keeps it if it is better than the best one so far.
    ///
    /// With the scale Σwxs/Σws², the error is Σwx² minus the gain (Σwxs)²/Σws².
    @inline(__always)
    private func improve(_ best: inout Lanes, _ gain: inout Lanes, _ batch: GroupBatch, inverse: Lanes) {
        let sums = sums(batch, inverse: inverse)
        let scale = sums.valueStep / sums.stepStep
        let found = scale * sums.valueStep
        // Better by more than rounding: of equally good targets, the first one counts for all groups that share a
        // factor. False for 0 / 0, which is NaN.
        let isBetter = found .> gain * (1 + 1e-6)
        best = select(isBetter, scale, best)
        gain = select(isBetter, found, gain)
    }

    /// Writes the codes of a batch, group by group.
    @inline(__always)
    func write(_ batch: GroupBatch, scale: Lanes, to destination: UnsafeMutablePointer<UInt8>) {
        let inverse = reciprocal(scale)
        for i in 0..<batch.count {
            store(codes(batch.values[i], inverse), element: i, of: batch.count, to: destination)
        }
    }
}

/// Writes one element's codes for all groups of a batch.
@inline(__always)
func store(_ codes: SIMD4<UInt32>, element: Int, of count: Int, to destination: UnsafeMutablePointer<UInt8>) {
    for group in 0..<GroupBatch.groups {
        destination[group * count + element] = UInt8(truncatingIfNeeded: codes[group])
    }
}
