// Attention of the query heads that share one key/value head, in three passes: scores, softmax, weighted values.
// A row of keys or values is converted from half precision once for four query heads; heads that are left over take
// four positions at a time instead. Both shapes are four independent accumulators over the same inner loop.

/// Attention of `queries` heads over `positions` cached positions; see `FloatKernels.Attend`.
func attend(
    _ query: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafePointer<UInt16>, _ values: UnsafePointer<UInt16>, _ stride: Int, _ positions: Int,
    _ headDimension: Int, _ scale: Float,
    _ scores: UnsafeMutablePointer<Float>, _ output: UnsafeMutablePointer<Float>
) {
    let cache = HeadCache(
        keys: keys, values: values, stride: stride, positions: positions, headDimension: headDimension)
    let grouped = queries - queries % 4
    for head in Swift.stride(from: 0, to: grouped, by: 4) {
        cache.scoreFour(query + head * headDimension, scale, scores + head * positions)
    }
    for head in grouped..<queries {
        cache.scoreOne(query + head * headDimension, scale, scores + head * positions)
    }
    for head in 0..<queries { softmax(scores + head * positions, positions) }
    for head in Swift.stride(from: 0, to: grouped, by: 4) {
        cache.weighFour(scores + head * positions, output + head * headDimension)
    }
    for head in grouped..<queries {
        cache.weighOne(scores + head * positions, output + head * headDimension)
    }
}

/// `row[i] ← e^(row[i] − max) / Σ e^(row[j] − max)`; subtracting the maximum keeps every exponential at most 1.
@inline(__always)
private func softmax(_ row: UnsafeMutablePointer<Float>, _ count: Int) {
    var largest = Lanes(repeating: -Float.infinity)
    forEachLanes(count) { i in
        largest = maximum(load(row + i), largest)
    } rest: { i, n in
        for j in i..<i + n { largest = maximum(Lanes(repeating: row[j]), largest) }
    }
    let shift = Lanes(repeating: horizontalMaximum(largest))

    var sum = Lanes(repeating: 0)
    var sumOfRest: Float = 0
    forEachLanes(count) { i in
        let power = exponential(load(row + i) - shift)
        store(power, to: row + i)
        sum = sum + power
    } rest: { i, n in
        store(exponential(load(row + i, first: n) - shift), first: n, to: row + i)
        for j in i..<i + n { sumOfRest += row[j] }
    }

    let scale = Lanes(repeating: 1 / (horizontalSum(sum) + sumOfRest))
    forEachLanes(count) { i in
        store(load(row + i) * scale, to: row + i)
    } rest: { i, n in
        store(load(row + i, first: n) * scale, first: n, to: row + i)
    }
}

/// Four of a kind: heads or positions that are processed side by side.
private typealias Four<Element> = (Element, Element, Element, Element)

/// The cached keys and values of one head.
private struct HeadCache {
    let keys: UnsafePointer<UInt16>
    let values: UnsafePointer<UInt16>
    let stride: Int
    let positions: Int
    let headDimension: Int

    // MARK: - Scores

    /// Scores of four consecutive query heads, `[4, positions]`.
    @inline(__always)
    func scoreFour(_ query: UnsafePointer<Float>, _ scale: Float, _ scores: UnsafeMutablePointer<Float>) {
        let heads = (query, query + headDimension, query + 2 * headDimension, query + 3 * headDimension)
        for position in 0..<positions {
            let key = keys + position * stride
            let dots = dots(heads, (key, key, key, key)) * scale
            scores[position] = dots[0]
            scores[position + positions] = dots[1]
            scores[position + 2 * positions] = dots[2]
            scores[position + 3 * positions] = dots[3]
        }
    }

    /// Scores of one query head, `[positions]`.
    @inline(__always)
    func scoreOne(_ query: UnsafePointer<Float>, _ scale: Float, _ scores: UnsafeMutablePointer<Float>) {
        let last = positions - 1
        for position in Swift.stride(from: 0, to: positions, by: 4) {
            // Beyond the last position the last one is computed again and not stored.
            let dots =
                dots(
                    (query, query, query, query),
                    (
                        keys + position * stride, keys + min(position + 1, last) * stride,
                        keys + min(position + 2, last) * stride, keys + min(position + 3, last) * stride
                    )) * scale
            for i in 0..<min(4, positions - position) { scores[position + i] = dots[i] }
        }
    }

    /// Four dot products over the head's dimension.
    @inline(__always)
    private func dots(_ query: Four<UnsafePointer<Float>>, _ key: Four<UnsafePointer<UInt16>>) -> SIMD4<Float> {
        let zero = Lanes(repeating: 0)
        var (a, b, c, d) = (zero, zero, zero, zero)
        forEachLanes(headDimension) { i in
            a = multiplyAdd(load(query.0 + i), loadHalves(key.0 + i), a)
            b = multiplyAdd(load(query.1 + i), loadHalves(key.1 + i), b)
            c = multiplyAdd(load(query.2 + i), loadHalves(key.2 + i), c)
            d = multiplyAdd(load(query.3 + i), loadHalves(key.3 + i), d)
        } rest: { i, n in
            a = multiplyAdd(load(query.0 + i, first: n), loadHalves(key.0 + i, first: n), a)
            b = multiplyAdd(load(query.1 + i, first: n), loadHalves(key.1 + i, first: n), b)
            c = multiplyAdd(load(query.2 + i, first: n), loadHalves(key.2 + i, first: n), c)
            d = multiplyAdd(load(query.3 + i, first: n), loadHalves(key.3 + i, first: n), d)
        }
        return horizontalSums(a, b, c, d)
    }

    // MARK: - Values

    /// Weighted sums of the values for four consecutive heads, `[4, headDimension]`.
    @inline(__always)
    func weighFour(_ weights: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        let heads = (weights, weights + positions, weights + 2 * positions, weights + 3 * positions)
        forEachLanes(headDimension) { i in
            let sums = sumsOfFour(heads) { loadHalves(values + $0 * stride + i) }
            store(sums.0, to: output + i)
            store(sums.1, to: output + i + headDimension)
            store(sums.2, to: output + i + 2 * headDimension)
            store(sums.3, to: output + i + 3 * headDimension)
        } rest: { i, n in
            let sums = sumsOfFour(heads) { loadHalves(values + $0 * stride + i, first: n) }
            store(sums.0, first: n, to: output + i)
            store(sums.1, first: n, to: output + i + headDimension)
            store(sums.2, first: n, to: output + i + 2 * headDimension)
            store(sums.3, first: n, to: output + i + 3 * headDimension)
        }
    }

    @inline(__always)
    private func sumsOfFour(_ weights: Four<UnsafePointer<Float>>, value: (Int) -> Lanes) -> Four<Lanes> {
        let zero = Lanes(repeating: 0)
        var (a, b, c, d) = (zero, zero, zero, zero)
        for position in 0..<positions {
            let value = value(position)
            a = multiplyAdd(Lanes(repeating: weights.0[position]), value, a)
            b = multiplyAdd(Lanes(repeating: weights.1[position]), value, b)
            c = multiplyAdd(Lanes(repeating: weights.2[position]), value, c)
            d = multiplyAdd(Lanes(repeating: weights.3[position]), value, d)
        }
        return (a, b, c, d)
    }

    /// Weighted sum of the values for one head, `[headDimension]`.
    @inline(__always)
    func weighOne(_ weights: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        forEachLanes(headDimension) { i in
            store(sumOfOne(weights) { loadHalves(values + $0 * stride + i) }, to: output + i)
        } rest: { i, n in
            store(sumOfOne(weights) { loadHalves(values + $0 * stride + i, first: n) }, first: n, to: output + i)
        }
    }

    @inline(__always)
    private func sumOfOne(_ weights: UnsafePointer<Float>, value: (Int) -> Lanes) -> Lanes {
        let zero = Lanes(repeating: 0)
        var (a, b, c, d) = (zero, zero, zero, zero)
        var position = 0
        while position <= positions - 4 {
            a = multiplyAdd(Lanes(repeating: weights[position]), value(position), a)
            b = multiplyAdd(Lanes(repeating: weights[position + 1]), value(position + 1), b)
            c = multiplyAdd(Lanes(repeating: weights[position + 2]), value(position + 2), c)
            d = multiplyAdd(Lanes(repeating: weights[position + 3]), value(position + 3), d)
            position += 4
        }
        while position < positions {
            a = multiplyAdd(Lanes(repeating: weights[position]), value(position), a)
            position += 1
        }
        return (a + b) + (c + d)
    }
}
