// Attention of the query heads that share one key/value head over one tile of positions, in three passes: scores,
// softmax against the running maximum, weighted values added to what earlier tiles gave. A row of keys or values is
// converted from half precision once for four query heads; heads that are left over take four positions at a time
// instead. Both shapes are four independent accumulators over the same inner loop.

/// Attention over keys and values in half precision; see `FloatKernels.Attend`.
func attendHalves(
    _ query: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ values: UnsafeRawPointer, _ positions: Int,
    _ headDimension: Int, _ scale: Float,
    _ scores: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let tile = HeadTile(
        keys: keys.assumingMemoryBound(to: UInt16.self), values: values.assumingMemoryBound(to: UInt16.self),
        positions: positions, headDimension: headDimension)
    attend(query, queries, tile, scale, scores, running, output)
}

/// Attention over keys and values as floats; see `FloatKernels.Attend`.
func attendFloats(
    _ query: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ values: UnsafeRawPointer, _ positions: Int,
    _ headDimension: Int, _ scale: Float,
    _ scores: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let tile = HeadTile(
        keys: keys.assumingMemoryBound(to: Float.self), values: values.assumingMemoryBound(to: Float.self),
        positions: positions, headDimension: headDimension)
    attend(query, queries, tile, scale, scores, running, output)
}

/// Attention of `queries` heads over a tile, see above.
@inline(__always)
private func attend<Element: TileElement>(
    _ query: UnsafePointer<Float>, _ queries: Int, _ tile: HeadTile<Element>, _ scale: Float,
    _ scores: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let (positions, headDimension) = (tile.positions, tile.headDimension)
    let grouped = queries - queries % 4
    for head in Swift.stride(from: 0, to: grouped, by: 4) {
        tile.scoreFour(query + head * headDimension, scale, scores + head * positions)
    }
    for head in grouped..<queries {
        tile.scoreOne(query + head * headDimension, scale, scores + head * positions)
    }
    for head in 0..<queries {
        let correction = softmax(scores + head * positions, positions, running + 2 * head)
        if correction != 1 { rescale(output + head * headDimension, headDimension, correction) }
    }
    for head in Swift.stride(from: 0, to: grouped, by: 4) {
        tile.weighFour(scores + head * positions, output + head * headDimension)
    }
    for head in grouped..<queries {
        tile.weighOne(scores + head * positions, output + head * headDimension)
    }
}

/// `row[i] ← e^(row[i] − m′)` with `m′` the maximum so far; adds the powers to the running sum.
///
/// - Parameter running: The maximum and the sum of the tiles before, `(−∞, 0)` at first.
/// - Returns: `e^(m − m′)`, the factor by which what earlier tiles gave shrinks.
@inline(__always)
private func softmax(
    _ row: UnsafeMutablePointer<Float>, _ count: Int, _ running: UnsafeMutablePointer<Float>
) -> Float {
    var largest = Lanes(repeating: running[0])
    forEachLanes(count) { i in
        largest = maximum(load(row + i), largest)
    } rest: { i, n in
        for j in i..<i + n { largest = maximum(Lanes(repeating: row[j]), largest) }
    }
    let newMaximum = horizontalMaximum(largest)
    let shift = Lanes(repeating: newMaximum)
    let correction =
        running[0] == newMaximum ? 1 : exponential(Lanes(repeating: running[0] - newMaximum))[0]

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
    running[0] = newMaximum
    running[1] = running[1] * correction + (horizontalSum(sum) + sumOfRest)
    return correction
}

/// `output[i] ← output[i] · factor`.
@inline(__always)
private func rescale(_ output: UnsafeMutablePointer<Float>, _ count: Int, _ factor: Float) {
    let lanes = Lanes(repeating: factor)
    forEachLanes(count) { i in
        store(load(output + i) * lanes, to: output + i)
    } rest: { i, n in
        store(load(output + i, first: n) * lanes, first: n, to: output + i)
    }
}

/// Four of a kind: heads or positions that are processed side by side.
private typealias Four<Element> = (Element, Element, Element, Element)

/// What a tile's keys and values are made of.
private protocol TileElement {
    static func lanes(_ source: UnsafePointer<Self>) -> Lanes
    static func lanes(_ source: UnsafePointer<Self>, first count: Int) -> Lanes
}

extension UInt16: TileElement {
    @inline(__always)
    static func lanes(_ source: UnsafePointer<UInt16>) -> Lanes { loadHalves(source) }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes { loadHalves(source, first: count) }
}

extension Float: TileElement {
    @inline(__always)
    static func lanes(_ source: UnsafePointer<Float>) -> Lanes { load(source) }
    @inline(__always)
    static func lanes(_ source: UnsafePointer<Float>, first count: Int) -> Lanes { load(source, first: count) }
}

/// A tile of the cached keys and values of one head.
private struct HeadTile<Element: TileElement> {
    let keys: UnsafePointer<Element>
    let values: UnsafePointer<Element>
    let positions: Int
    let headDimension: Int

    // MARK: - Scores

    /// Scores of four consecutive query heads, `[4, positions]`.
    @inline(__always)
    func scoreFour(_ query: UnsafePointer<Float>, _ scale: Float, _ scores: UnsafeMutablePointer<Float>) {
        let heads = (query, query + headDimension, query + 2 * headDimension, query + 3 * headDimension)
        for position in 0..<positions {
            let key = keys + position * headDimension
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
                        keys + position * headDimension, keys + min(position + 1, last) * headDimension,
                        keys + min(position + 2, last) * headDimension, keys + min(position + 3, last) * headDimension
                    )) * scale
            for i in 0..<min(4, positions - position) { scores[position + i] = dots[i] }
        }
    }

    /// Four dot products over the head's dimension.
    @inline(__always)
    private func dots(_ query: Four<UnsafePointer<Float>>, _ key: Four<UnsafePointer<Element>>) -> SIMD4<Float> {
        let zero = Lanes(repeating: 0)
        var (a, b, c, d) = (zero, zero, zero, zero)
        forEachLanes(headDimension) { i in
            a = multiplyAdd(load(query.0 + i), Element.lanes(key.0 + i), a)
            b = multiplyAdd(load(query.1 + i), Element.lanes(key.1 + i), b)
            c = multiplyAdd(load(query.2 + i), Element.lanes(key.2 + i), c)
            d = multiplyAdd(load(query.3 + i), Element.lanes(key.3 + i), d)
        } rest: { i, n in
            a = multiplyAdd(load(query.0 + i, first: n), Element.lanes(key.0 + i, first: n), a)
            b = multiplyAdd(load(query.1 + i, first: n), Element.lanes(key.1 + i, first: n), b)
            c = multiplyAdd(load(query.2 + i, first: n), Element.lanes(key.2 + i, first: n), c)
            d = multiplyAdd(load(query.3 + i, first: n), Element.lanes(key.3 + i, first: n), d)
        }
        return horizontalSums(a, b, c, d)
    }

    // MARK: - Values

    /// Adds the weighted sums of the values for four consecutive heads, `[4, headDimension]`.
    @inline(__always)
    func weighFour(_ weights: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        let heads = (weights, weights + positions, weights + 2 * positions, weights + 3 * positions)
        forEachLanes(headDimension) { i in
            let sums = sumsOfFour(heads) { Element.lanes(values + $0 * headDimension + i) }
            store(load(output + i) + sums.0, to: output + i)
            store(load(output + i + headDimension) + sums.1, to: output + i + headDimension)
            store(load(output + i + 2 * headDimension) + sums.2, to: output + i + 2 * headDimension)
            store(load(output + i + 3 * headDimension) + sums.3, to: output + i + 3 * headDimension)
        } rest: { i, n in
            let sums = sumsOfFour(heads) { Element.lanes(values + $0 * headDimension + i, first: n) }
            store(load(output + i, first: n) + sums.0, first: n, to: output + i)
            store(load(output + i + headDimension, first: n) + sums.1, first: n, to: output + i + headDimension)
            store(load(output + i + 2 * headDimension, first: n) + sums.2, first: n, to: output + i + 2 * headDimension)
            store(load(output + i + 3 * headDimension, first: n) + sums.3, first: n, to: output + i + 3 * headDimension)
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

    /// Adds the weighted sum of the values for one head, `[headDimension]`.
    @inline(__always)
    func weighOne(_ weights: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        forEachLanes(headDimension) { i in
            store(
                load(output + i) + sumOfOne(weights) { Element.lanes(values + $0 * headDimension + i) }, to: output + i)
        } rest: { i, n in
            let sum = sumOfOne(weights) { Element.lanes(values + $0 * headDimension + i, first: n) }
            store(load(output + i, first: n) + sum, first: n, to: output + i)
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
