/// Finds scales and minima of the groups of a super-block, and what multiplies all of them:
///
///     x = scale · scales[g] · code − minimum · minima[g]
///
/// First every group gets the best line of its own, as if it could be written. The largest scale and minimum of all groups
/// decide the two factors, and every group takes the integers beside its own line that leave the smallest error. For these
/// integers and codes the factors follow by least squares, and the integers are looked for once more.
struct MinimaSearch {
    let steps: OffsetSteps
    let groups: Int
    /// The largest integer that a group's scale or minimum can be.
    let largest: Int

    /// What a block says.
    struct Found {
        /// Half precision.
        var scale: Float
        var minimum: Float
        var scales = SIMD16<Int>(repeating: 0)
        var minima = SIMD16<Int>(repeating: 0)
        var error: Float = 0

        @inline(__always)
        func line(_ group: Int) -> OffsetSteps.Line {
            OffsetSteps.Line(scale: scale * Float(scales[group]), minimum: -(minimum * Float(minima[group])))
        }
    }

    /// Hands a block's scales and codes to a closure that writes them.
    @inline(__always)
    func run(_ block: WeightedGroup, _ write: (Found, UnsafePointer<UInt8>) -> Void) {
        let found = find(block)
        withCodes(block.count) { codes in
            let size = block.count / groups
            for group in 0..<groups {
                steps.write(block.part(group, of: size), found.line(group), to: codes + group * size)
            }
            write(found, codes)
        }
    }

    @inline(__always)
    private func find(_ block: WeightedGroup) -> Found {
        let size = block.count / groups
        var (scales, minima) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
        for group in 0..<groups {
            let line = steps.line(block.part(group, of: size))
            scales[group] = line.scale
            minima[group] = -line.minimum
        }
        var best = Found(scale: half(scales.max() / Float(largest)), minimum: half(minima.max() / Float(largest)))
        choose(&best, block, size, near: scales, minima)
        for _ in 0..<2 {
            guard var next = refit(best, block, size) else { break }
            for group in 0..<groups {
                let line = best.line(group)
                scales[group] = line.scale
                minima[group] = -line.minimum
            }
            choose(&next, block, size, near: scales, minima)
            guard next.error < best.error else { break }
            best = next
        }
        return best
    }

    /// Chooses every group's integers: the scale among the three nearest, the minimum among those that fit each of them.
    @inline(__always)
    private func choose(
        _ found: inout Found, _ block: WeightedGroup, _ size: Int, near scales: SIMD16<Float>, _ minima: SIMD16<Float>
    ) {
        let inverse = found.scale > 0 ? 1 / found.scale : 0
        let inverseMinimum = found.minimum > 0 ? 1 / found.minimum : 0
        found.error = 0
        for group in 0..<groups {
            let part = block.part(group, of: size)
            let scale = nearest(scales[group] * inverse)
            let minimum = nearest(minima[group] * inverseMinimum)
            var least = Float.infinity
            // A scale too small for half precision leaves a constant, which zeros may be better than.
            if found.scale == 0 {
                least = steps.error(part, OffsetSteps.Line(scale: 0, minimum: 0))
                (found.scales[group], found.minima[group]) = (0, 0)
            }
            for nextScale in max(0, scale - 1)...min(largest, scale + 1) {
                for nextMinimum in max(0, minimum - 1)...min(largest, minimum + 1) {
                    let line = OffsetSteps.Line(
                        scale: found.scale * Float(nextScale), minimum: -(found.minimum * Float(nextMinimum)))
                    let error = steps.error(part, line)
                    if error < least {
                        least = error
                        found.scales[group] = nextScale
                        found.minima[group] = nextMinimum
                    }
                }
            }
            found.error += least
        }
    }

    /// The integer nearest to a number that a group's scale can be.
    @inline(__always)
    private func nearest(_ x: Float) -> Int { Int(max(0, min(Float(largest), x)).rounded()) }

    /// The best factors for the integers and codes of a block, or `nil` where they do not decide them.
    @inline(__always)
    private func refit(_ found: Found, _ block: WeightedGroup, _ size: Int) -> Found? {
        var (aa, ab, bb, xa, xb): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for group in 0..<groups {
            let part = block.part(group, of: size)
            let line = found.line(group)
            let sums = steps.sums(part, line)
            let (a, b) = (Float(found.scales[group]), Float(found.minima[group]))
            aa += a * a * sums.codeCode
            ab -= a * b * sums.code
            bb += b * b * sums.weight
            xa += a * sums.valueCode
            xb -= b * sums.value
        }
        let determinant = aa * bb - ab * ab
        guard determinant > 1e-6 * aa * bb else {
            guard bb == 0, aa > 0 else { return nil }
            return Found(scale: half(xa / aa), minimum: found.minimum)
        }
        let scale = half((xa * bb - xb * ab) / determinant)
        let minimum = half((xb * aa - xa * ab) / determinant)
        guard scale > 0, minimum >= 0 else { return nil }
        return Found(scale: scale, minimum: minimum)
    }
}

extension OffsetSteps {
    /// What least squares over several groups are made of.
    struct Sums {
        var weight: Float
        var value: Float
        var code: Float
        var codeCode: Float
        var valueCode: Float
    }

    /// The sums for the codes of a line.
    @inline(__always)
    func sums(_ group: WeightedGroup, _ line: Line) -> Sums {
        let inverse = line.scale == 0 ? 0 : 1 / line.scale
        let constants = Constants(group)
        var (code1, code2, valueCode) = (Lanes(repeating: 0), Lanes(repeating: 0), Lanes(repeating: 0))
        for i in stride(from: 0, to: group.count, by: 16) {
            let x = load(group.values + i)
            let code = codes(x, inverse: inverse, minimum: line.minimum)
            let weighted = load(group.weights + i) * code
            code1 += weighted
            code2 += weighted * code
            valueCode += weighted * x
        }
        return Sums(
            weight: constants.weight, value: constants.value, code: total(code1), codeCode: total(code2),
            valueCode: total(valueCode))
    }
}
