/// Finds the signed scales of the groups of a super-block, and what multiplies all of them:
///
///     x = factor · scales[g] · code
///
/// As in ``MinimaSearch``: the best scale of every group of its own, the factor from the largest of them, the integers that
/// leave the smallest error, the factor by least squares, and the integers once more.
struct ScaleSearch<Steps: ScaledSteps>: Sendable {
    let steps: Steps
    let groups: Int
    /// The smallest integer that a group's scale can be; the largest is one less than its magnitude.
    let lowest: Int

    typealias Found = FoundScales

    /// Hands a block's scales and codes to a closure that writes them.
    @inline(__always)
    func run(_ block: WeightedGroup, _ write: (Found, UnsafePointer<UInt8>) -> Void) {
        let found = find(block)
        withCodes(block.count) { codes in
            let size = block.count / groups
            for group in 0..<groups {
                let scale = found.factor * Float(found.scales[group])
                steps.write(block.part(group, of: size), scale: scale, to: codes + group * size)
            }
            write(found, codes)
        }
    }

    @inline(__always)
    private func find(_ block: WeightedGroup) -> Found {
        let size = block.count / groups
        var scales = SIMD16<Float>(repeating: 0)
        var extreme: Float = 0
        for group in 0..<groups {
            let scale = steps.scale(block.part(group, of: size))
            scales[group] = scale
            if abs(scale) > abs(extreme) { extreme = scale }
        }
        var best = Found(factor: half(extreme / Float(lowest)))
        choose(&best, block, size, near: scales)
        for _ in 0..<2 {
            guard var next = refit(best, block, size) else { break }
            for group in 0..<groups { scales[group] = best.factor * Float(best.scales[group]) }
            choose(&next, block, size, near: scales)
            guard next.error < best.error else { break }
            best = next
        }
        return best
    }

    /// Chooses every group's integer among the three nearest.
    @inline(__always)
    private func choose(_ found: inout Found, _ block: WeightedGroup, _ size: Int, near scales: SIMD16<Float>) {
        let inverse = found.factor == 0 ? 0 : 1 / found.factor
        found.error = 0
        for group in 0..<groups {
            let part = block.part(group, of: size)
            let nearest = Int(max(Float(lowest), min(Float(-lowest - 1), (scales[group] * inverse).rounded())))
            var least = Float.infinity
            for scale in max(lowest, nearest - 1)...min(-lowest - 1, nearest + 1) {
                let error = steps.error(part, scale: found.factor * Float(scale))
                if error < least {
                    least = error
                    found.scales[group] = scale
                }
            }
            found.error += least
        }
    }

    /// The best factor for the integers and codes of a block, or `nil` where all are zero.
    @inline(__always)
    private func refit(_ found: Found, _ block: WeightedGroup, _ size: Int) -> Found? {
        var (above, below): (Float, Float) = (0, 0)
        for group in 0..<groups {
            let scale = Float(found.scales[group])
            guard scale != 0, found.factor != 0 else { continue }
            let sums = steps.sums(block.part(group, of: size), inverse: 1 / (found.factor * scale))
            above += scale * sums.valueCode
            below += scale * scale * sums.codeCode
        }
        guard below > 0 else { return nil }
        return Found(factor: half(above / below))
    }
}

/// What a super-block says of its groups.
struct FoundScales {
    /// Half precision.
    var factor: Float
    var scales = SIMD16<Int>(repeating: 0)
    var error: Float = 0
}
