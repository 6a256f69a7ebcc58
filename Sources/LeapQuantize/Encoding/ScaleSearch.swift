/// Finds the signed scales of the groups of a super-block, and the factor that multiplies them all:
///
///     x = factor · scales[g] · step
///
/// First, every group gets its own best scale, as if it could be stored exactly. The largest one determines the factor,
/// and every group takes the integer near its own scale that leaves the smallest error. For these integers and steps,
/// the factor is refitted by least squares, and the integers are chosen once more.
struct ScaleSearch<Steps: ScaledSteps>: Sendable {
    let steps: Steps
    /// Groups of a block: 8 or 16.
    let groups: Int
    /// The smallest integer that a group's scale can have; the largest is one less than its magnitude.
    let lowest: Float
    /// The integers that are tried as a group's scale, as offsets from the nearest one, and (`rounds`) how often the
    /// factor and the integers are recomputed.
    var changes: [Float] = [0, -1, 1]
    var rounds = 2

    private var batches: Int { groups / GroupBatch.groups }

    /// Encodes blocks: passes the scales and codes of each to a closure.
    @inline(__always)
    func run(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer,
        _ size: Int, _ write: (FoundScales, UnsafePointer<UInt8>, UnsafeMutableRawPointer) -> Void
    ) {
        let (elements, count) = (256, 256 / groups)
        let part = count * GroupBatch.groups
        GroupBatch.withScratch(batches, count: count) { batch in
            withCodes(elements) { codes in
                for block in 0..<blocks {
                    for i in 0..<batches {
                        batch(i).fill(values + block * elements + i * part, weights + block * elements + i * part)
                    }
                    let found = find(batch)
                    for i in 0..<batches {
                        steps.write(batch(i), scale: found.scales[i] * found.factor, to: codes + i * part)
                    }
                    write(found, codes, bytes + block * size)
                }
            }
        }
    }

    @inline(__always)
    private func find(_ batch: (Int) -> GroupBatch) -> FoundScales {
        var scales = GroupNumbers()
        var extreme: Float = 0
        for i in 0..<batches {
            scales[i] = steps.scales(batch(i))
            for group in 0..<GroupBatch.groups where abs(scales[i][group]) > abs(extreme) {
                extreme = scales[i][group]
            }
        }
        var best = FoundScales(factor: half(extreme / lowest))
        choose(&best, batch, near: scales)
        for _ in 0..<rounds {
            guard var next = refit(best, batch) else { break }
            for i in 0..<batches { scales[i] = best.scales[i] * best.factor }
            choose(&next, batch, near: scales)
            guard next.error < best.error else { break }
            best = next
        }
        return best
    }

    /// Chooses every group's integer from the candidates around the nearest.
    @inline(__always)
    private func choose(_ found: inout FoundScales, _ batch: (Int) -> GroupBatch, near scales: GroupNumbers) {
        let inverse = found.factor == 0 ? 0 : 1 / found.factor
        found.error = 0
        for i in 0..<batches {
            let nearest = rounded(clamped(scales[i] * inverse, lowest, -lowest - 1))
            var (best, least) = (nearest, lanes(.infinity))
            for change in changes {
                let next = clamped(nearest + lanes(change), lowest, -lowest - 1)
                let error = steps.error(batch(i), scale: next * found.factor)
                let isLess = error .< least
                best = select(isLess, next, best)
                least = select(isLess, error, least)
            }
            found.scales[i] = best
            found.error += total(least)
        }
    }

    /// The least-squares factor for the integers and steps of a block, or `nil` if all are zero.
    @inline(__always)
    private func refit(_ found: FoundScales, _ batch: (Int) -> GroupBatch) -> FoundScales? {
        var (above, below): (Float, Float) = (0, 0)
        for i in 0..<batches {
            let scale = found.scales[i]
            let sums = steps.sums(batch(i), inverse: reciprocal(scale * found.factor))
            above += total(scale * sums.valueStep)
            below += total(scale * scale * sums.stepStep)
        }
        guard below > 0 else { return nil }
        return FoundScales(factor: half(above / below))
    }
}

/// The parameters of a super-block.
struct FoundScales {
    /// Half precision.
    var factor: Float
    /// Integers.
    var scales = GroupNumbers()
    var error: Float = 0

    init(factor: Float) { self.factor = factor }
}

/// Numbers of the groups of a super-block, batch after batch.
struct GroupNumbers {
    private var numbers = SIMD16<Float>(repeating: 0)

    subscript(batch: Int) -> Lanes {
        @inline(__always)
        get {
            let first = batch * GroupBatch.groups
            return Lanes(numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3])
        }
        @inline(__always)
        set { for i in 0..<GroupBatch.groups { numbers[batch * GroupBatch.groups + i] = newValue[i] } }
    }

    /// The integer of a group.
    @inline(__always)
    func integer(_ group: Int) -> Int { Int(numbers[group]) }
}
