/// Finds the scales and minima of the groups of a super-block, and the two factors that multiply them all:
///
///     x = scale · scales[g] · code − minimum · minima[g]
///
/// As in ``ScaleSearch``: finds the best line for each group on its own, derives the two factors from the largest of
/// them, chooses the integers with the smallest error, refits the factors by least squares, and chooses the integers
/// once more.
struct MinimaSearch: Sendable {
    let steps: OffsetSteps
    /// Groups of a block: 8 or 16.
    let groups: Int
    /// The largest integer that a group's scale or minimum can be.
    let largest: Float

    /// The parameters of a block.
    struct Found {
        /// Half precision.
        var scale: Float
        var minimum: Float
        /// Integers.
        var scales = GroupNumbers()
        var minima = GroupNumbers()
        var error: Float = 0

        init(scale: Float, minimum: Float) {
            self.scale = scale
            self.minimum = minimum
        }

        @inline(__always)
        func lines(_ batch: Int) -> OffsetSteps.Lines {
            OffsetSteps.Lines(scale: scales[batch] * scale, minimum: lanes(0) - minima[batch] * minimum)
        }
    }

    private var batches: Int { groups / GroupBatch.groups }

    /// Encodes blocks: passes the scales and codes of each to a closure.
    @inline(__always)
    func run(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer,
        _ size: Int, _ write: (Found, UnsafePointer<UInt8>, UnsafeMutableRawPointer) -> Void
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
                    for i in 0..<batches { steps.write(batch(i), found.lines(i), to: codes + i * part) }
                    write(found, codes, bytes + block * size)
                }
            }
        }
    }

    @inline(__always)
    private func find(_ batch: (Int) -> GroupBatch) -> Found {
        var (scales, minima) = (GroupNumbers(), GroupNumbers())
        var (largestScale, largestMinimum): (Float, Float) = (0, 0)
        for i in 0..<batches {
            let lines = steps.lines(batch(i))
            scales[i] = lines.scale
            minima[i] = lanes(0) - lines.minimum
            for group in 0..<GroupBatch.groups {
                largestScale = max(largestScale, scales[i][group])
                largestMinimum = max(largestMinimum, minima[i][group])
            }
        }
        var best = Found(scale: half(largestScale / largest), minimum: half(largestMinimum / largest))
        choose(&best, batch, near: scales, minima)
        for _ in 0..<2 {
            guard var next = refit(best, batch) else { break }
            for i in 0..<batches {
                scales[i] = best.scales[i] * best.scale
                minima[i] = best.minima[i] * best.minimum
            }
            choose(&next, batch, near: scales, minima)
            guard next.error < best.error else { break }
            best = next
        }
        return best
    }

    /// The candidates around the nearest integers, as changes of scale and minimum.
    private static let neighbours: [(scale: Float, minimum: Float)] = [
        (0, 0), (0, -1), (0, 1), (-1, 0), (1, 0),
    ]

    /// Chooses every group's integers from the candidates around the nearest.
    @inline(__always)
    private func choose(
        _ found: inout Found, _ batch: (Int) -> GroupBatch, near scales: GroupNumbers, _ minima: GroupNumbers
    ) {
        let inverse = found.scale > 0 ? 1 / found.scale : 0
        let inverseMinimum = found.minimum > 0 ? 1 / found.minimum : 0
        found.error = 0
        for i in 0..<batches {
            let scale = rounded(clamped(scales[i] * inverse, 0, largest))
            let minimum = rounded(clamped(minima[i] * inverseMinimum, 0, largest))
            var (bestScale, bestMinimum, least) = (lanes(0), lanes(0), lanes(.infinity))
            // If the scale is too small for half precision, the group is constant, and zeros may be better.
            if found.scale == 0 {
                least = steps.error(batch(i), OffsetSteps.Lines(scale: lanes(0), minimum: lanes(0)))
            }
            for change in Self.neighbours {
                let nextScale = clamped(scale + lanes(change.scale), 0, largest)
                let nextMinimum = clamped(minimum + lanes(change.minimum), 0, largest)
                let lines = OffsetSteps.Lines(
                    scale: nextScale * found.scale, minimum: lanes(0) - nextMinimum * found.minimum)
                let error = steps.error(batch(i), lines)
                let isLess = error .< least
                bestScale = select(isLess, nextScale, bestScale)
                bestMinimum = select(isLess, nextMinimum, bestMinimum)
                least = select(isLess, error, least)
            }
            found.scales[i] = bestScale
            found.minima[i] = bestMinimum
            found.error += total(least)
        }
    }

    /// The least-squares factors for the integers and codes of a block, or `nil` if these do not determine them.
    @inline(__always)
    private func refit(_ found: Found, _ batch: (Int) -> GroupBatch) -> Found? {
        var (aa, ab, bb, xa, xb): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for i in 0..<batches {
            let lines = found.lines(i)
            let constants = OffsetSteps.Constants(batch(i))
            let sums = steps.sums(batch(i), inverse: reciprocal(lines.scale), minimum: lines.minimum)
            let (a, b) = (found.scales[i], found.minima[i])
            aa += total(a * a * sums.codeCode)
            ab -= total(a * b * sums.code)
            bb += total(b * b * constants.weight)
            xa += total(a * sums.valueCode)
            xb -= total(b * constants.value)
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
