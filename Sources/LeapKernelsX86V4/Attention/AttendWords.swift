#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Attention of many queries over a tile of positions by products of 16-bit integers (`vpdpwssd`), of which this CPU
// does twice as many per cycle as float multiplications. The steps are those of `Attend.swift`.
//
// Each query, each key, and each element across all values of the tile is rounded to multiples of its own step:
//
//     x ≈ step · n        |n| ≤ limit,   step = max |x| / limit
//
// and sums of products stay below 2³¹: for scores `limit² · headDimension`, for outputs `32 · weightLimit ·
// valueLimit`, which are accumulated as floats every 32 positions. Weights are 2^(s − m), rounded, where m is the
// largest score of their row in this tile; their sum is that of the rounded weights, so that an output stays a weighted
// mean of values.

/// Attention by integers over keys and values in half precision; see `FloatKernels.Attend`.
///
/// Keys and values are rounded once for all queries; scores are computed for a few queries at a time. Other types,
/// heads of fewer than 64 elements or not a multiple of eight, and non-finite numbers take the float path of the other
/// levels. So does the tile that contains the queries' own positions: values are rounded depending on the whole tile,
/// and positions after a query must not influence it.
func attendByWords(
    _ query: UnsafePointer<Float>, _ prepared: UnsafePointer<Float>, _ queries: Int,
    _ keys: UnsafeRawPointer, _ keyType: UInt32, _ values: UnsafeRawPointer, _ valueType: UInt32, _ positions: Int,
    _ headDimension: Int, _ visible: Int, _ window: Int, _ group: Int, _ next: UnsafeRawPointer,
    _ scratch: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
) {
    let types = (KeyValueType(kernelArgument: keyType), KeyValueType(kernelArgument: valueType))
    if types == (.f16, .f16), visible > positions, mayBeWords(queries, headDimension) {
        let words = QueryWords(UnsafeMutablePointer(mutating: prepared), queries, headDimension)
        var tile = WordTile(words, queries, positions: positions, headDimension: headDimension, scratch: scratch)
        if words.largest < .infinity, convertKeys(keys, tile), convertValues(values, tile) {
            let following = Following(
                start: next, bytes: 4 &* KeyValueTile.positions &* headDimension, queries: queries)
            for first in stride(from: 0, to: queries, by: KeyValueTile.scoredQueries) {
                tile.range = first..<min(first &+ KeyValueTile.scoredQueries, queries)
                tile.weigh(visible: visible, window: window, group: group, running, following)
                multiplyValues(tile, output)
            }
            return
        }
    }
    attend(
        query, prepared, queries, keys, keyType, values, valueType, positions, headDimension, visible, window, group,
        next, scratch, running, output)
}

/// Rounds queries to integers, once for all tiles; see `FloatKernels.PrepareQueries`.
func prepareQueryWords(
    _ query: UnsafePointer<Float>, _ queries: Int, _ headDimension: Int, _ prepared: UnsafeMutablePointer<Float>
) {
    guard mayBeWords(queries, headDimension) else { return }
    let words = QueryWords(prepared, queries, headDimension)
    words.largest = magnitude(of: query, queries &* headDimension)
    for index in 0..<queries { words.convert(query + index &* headDimension, index) }
}

/// Whether there are enough queries, and of a suitable width, for the integer path.
@inline(__always)
private func mayBeWords(_ queries: Int, _ headDimension: Int) -> Bool {
    queries > KeyValueTile.directQueries && headDimension & 7 == 0 && (64...256).contains(headDimension)
}

/// The tile that is read next; every query prefetches its share of that tile's keys and values.
private struct Following {
    private let start: UnsafeRawPointer
    private let bytes: Int
    private let share: Int

    @inline(__always)
    init(start: UnsafeRawPointer, bytes: Int, queries: Int) {
        self.start = start
        self.bytes = bytes
        share = (bytes / queries &+ 63) & ~63
    }

    /// Prefetches the shares of some queries.
    @inline(__always)
    func prefetch(_ queries: Range<Int>) {
        let end = min(bytes, queries.upperBound &* share)
        let first = queries.lowerBound &* share
        prefetchForLater(start + first, count: end &- first)
    }
}

/// Queries as integers: the parts of `KeyValueTile.preparedCount` floats.
private struct QueryWords {
    let headDimension: Int
    private let start: UnsafeMutablePointer<Float>
    /// The step of each query; the query's integers are multiples of it.
    let steps: UnsafeMutablePointer<Float>
    /// `[queries, headDimension]`
    let rows: UnsafeMutableRawPointer

    @inline(__always)
    init(_ prepared: UnsafeMutablePointer<Float>, _ queries: Int, _ headDimension: Int) {
        self.headDimension = headDimension
        start = prepared
        steps = prepared + 16
        rows = UnsafeMutableRawPointer(steps + ((queries &+ 15) & ~15))
    }

    /// The largest magnitude of all queries' elements; infinity or NaN if one is not finite.
    @inline(__always)
    var largest: Float {
        get { start.pointee }
        nonmutating set { start.pointee = newValue }
    }

    /// The largest integer in queries and keys.
    @inline(__always)
    var limit: Float { Float(Int((Float(0x7FFF_FF00) / Float(headDimension)).squareRoot())) }

    /// Rounds a query.
    @inline(__always)
    func convert(_ source: UnsafePointer<Float>, _ index: Int) {
        let size = magnitude(of: source, headDimension)
        steps[index] = size / limit
        let scale = Lanes(repeating: size > 0 ? limit / size : 0)
        let (whole, target) = (headDimension & ~15, rows + 2 &* index &* headDimension)
        for i in stride(from: 0, to: whole, by: 16) {
            (target + 2 &* i).storeBytes(of: words(load(source + i) * scale), as: Bytes32.self)
        }
        if whole < headDimension {
            // May write past the end of the head; the next query overwrites that.
            let rest = load(source + whole, first: headDimension &- whole)
            (target + 2 &* whole).storeBytes(of: words(rest * scale), as: Bytes32.self)
        }
    }

    @inline(__always)
    private func words(_ numbers: Lanes) -> Bytes32 { _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(numbers)) }
}

/// The layout of a tile in scratch memory, for some queries at a time.
private struct WordTile {
    let words: QueryWords
    /// Indices of the queries within the call.
    var range: Range<Int>
    let positions: Int
    let headDimension: Int
    /// `[queries, KeyValueTile.positions]`; a row of scores becomes a row of 16-bit weights in its place.
    let scores: UnsafeMutablePointer<Float>
    /// For every query, the factor that rescales the results of earlier tiles, and the factor of its products with
    /// values.
    let corrections: UnsafeMutablePointer<Float>
    let shares: UnsafeMutablePointer<Float>
    /// `[panels, headDimension / 2, 64, 2]`
    let keys: UnsafeMutableRawPointer
    /// `[positions / 2, valueColumns, 2]`
    let values: UnsafeMutableRawPointer
    /// Elements of a head, padded to whole vectors.
    let valueColumns: Int
    let keySteps: UnsafeMutablePointer<Float>
    let valueSteps: UnsafeMutablePointer<Float>

    @inline(__always)
    var queries: Int { range.count }

    /// Divides up the memory of `KeyValueTile.scratchCount` for this many queries: keys and values take half the space
    /// of floats.
    @inline(__always)
    init(
        _ words: QueryWords, _ queries: Int, positions: Int, headDimension: Int, scratch: UnsafeMutablePointer<Float>
    ) {
        let capacity = min(queries, KeyValueTile.scoredQueries)
        range = 0..<capacity
        self.words = words
        self.positions = positions
        self.headDimension = headDimension
        scores = scratch
        corrections = scores + capacity &* KeyValueTile.positions
        shares = corrections + ((capacity &+ 15) & ~15)
        keySteps = shares + ((capacity &+ 15) & ~15)
        valueColumns = (headDimension &+ 15) & ~15
        valueSteps = keySteps + KeyValueTile.positions
        keys = UnsafeMutableRawPointer(valueSteps + valueColumns)
        values = keys + 2 &* KeyValueTile.positions &* headDimension
    }
}

// MARK: - Keys and values as integers

/// Rounds keys, interleaving pairs of elements of a position; `false` if a key is not finite.
@inline(never)
private func convertKeys(_ keys: UnsafeRawPointer, _ tile: WordTile) -> Bool {
    let panels = (tile.positions &+ KeyValueTile.panel &- 1) / KeyValueTile.panel
    for panel in 0..<panels {
        let source = keys.assumingMemoryBound(to: UInt16.self) + panel &* KeyValueTile.panel &* tile.headDimension
        convertColumns(
            (source, KeyValueTile.panel), rows: tile.headDimension, columns: KeyValueTile.panel,
            limit: tile.words.limit,
            to: (tile.keys + 2 &* panel &* KeyValueTile.panel &* tile.headDimension, KeyValueTile.panel),
            steps: tile.keySteps + panel &* KeyValueTile.panel
        ) { $0 }
    }
    return areFinite(tile.keySteps, tile.positions)
}

/// Rounds values, interleaving pairs of positions of an element, in the order of the weights; `false` if a value is not
/// finite.
@inline(never)
private func convertValues(_ values: UnsafeRawPointer, _ tile: WordTile) -> Bool {
    convertColumns(
        (values.assumingMemoryBound(to: UInt16.self), tile.headDimension), rows: tile.positions,
        columns: tile.headDimension, limit: valueLimit, to: (tile.values, tile.valueColumns), steps: tile.valueSteps,
        place: placeOfPair)
    return areFinite(tile.valueSteps, tile.headDimension)
}

// MARK: - Scores, and the weights that they become

extension WordTile {
    /// Computes scores and turns them into weights.
    ///
    /// Scores are blocks of independent products, weights long dependency chains of few operations: the weights of some
    /// rows are computed between the products of the next rows, so that neither waits for the other.
    @inline(never)
    fileprivate func weigh(
        visible: Int, window: Int, group: Int, _ running: UnsafeMutablePointer<Float>, _ following: Following
    ) {
        @inline(__always)
        func finish(_ index: Int) {
            guard index >= 0, index < queries else { return }
            let end = visible &+ (range.lowerBound &+ index) / group
            let seen = max(0, min(positions, end))
            weighRow(index, seen: max(0, min(seen, end &- window))..<seen)
        }
        for first in stride(from: 0, to: queries &+ 3, by: 3) {
            following.prefetch(range.lowerBound &+ first..<range.lowerBound &+ first &+ 3)
            if first < queries { multiplyScores(self, first, 0) }
            finish(first &- 3)
            if first < queries, positions > KeyValueTile.panel { multiplyScores(self, first, KeyValueTile.panel) }
            finish(first &- 2)
            finish(first &- 1)
        }
        join(self, running + 2 &* range.lowerBound)
    }

    /// Turns a row's scores into weights: `row[p] ← weightLimit · 2^(row[p] − m)`, rounded, where m is the largest
    /// score. Stores m and the sum of the weights where corrections and shares will go.
    ///
    /// Positions that the row does not see, and those after the last, have zero weight.
    @inline(never)
    private func weighRow(_ index: Int, seen: Range<Int>) {
        let row = scores + index &* KeyValueTile.positions
        for i in 0..<seen.lowerBound { row[i] = -.infinity }
        for i in seen.upperBound..<KeyValueTile.positions { row[i] = -.infinity }
        guard !seen.isEmpty else {
            (corrections[index], shares[index]) = (-.infinity, 0)
            UnsafeMutableRawPointer(row)
                .initializeMemory(as: UInt8.self, repeating: 0, count: 2 &* KeyValueTile.positions)
            return
        }
        let rowMaximum = horizontalMaximum(largest(of: row))
        shares[index] = horizontalSum(writeWeights(of: row, Lanes(repeating: rowMaximum)))
        corrections[index] = rowMaximum
    }
}

/// `scores[q][p] = query[q] · key[p]` for three queries and the columns of a panel.
@inline(never)
private func multiplyScores(_ tile: WordTile, _ first: Int, _ start: Int) {
    let width = 2 &* tile.headDimension
    let steps = tile.keySteps + start
    let sums = products(
        UnsafeRawPointer(tile.words.rows) + (tile.range.lowerBound &+ first) &* width, stride: width,
        strips: UnsafeRawPointer(tile.keys) + start &* width, stride: 4 &* KeyValueTile.panel,
        pairs: tile.headDimension / 2)
    sums.visit { sums, row in
        guard first &+ row < tile.queries else { return }
        let target = tile.scores + ((first &+ row) &* KeyValueTile.positions &+ start)
        let step = Lanes(repeating: tile.words.steps[tile.range.lowerBound &+ first &+ row])
        store(floats(sums.a) * (load(steps) * step), to: target)
        store(floats(sums.b) * (load(steps + 16) * step), to: target + 16)
        store(floats(sums.c) * (load(steps + 32) * step), to: target + 32)
        store(floats(sums.d) * (load(steps + 48) * step), to: target + 48)
    }
}

/// Merges the maximum and the sum of every row of this tile, stored where corrections and shares will go, with those of
/// earlier tiles: for 16 rows at a time, because each row needs two exponentials.
@inline(__always)
private func join(_ tile: WordTile, _ running: UnsafeMutablePointer<Float>) {
    for first in stride(from: 0, to: tile.queries, by: 16) {
        let count = min(16, tile.queries &- first)
        let (corrections, shares) = (tile.corrections + first, tile.shares + first)
        let (rowMaximum, rowSum) = (load(corrections, first: count), load(shares, first: count))
        let (oldMaximum, oldSum) = loadPairs(running + 2 &* first, first: count)
        let newMaximum = maximum(oldMaximum, rowMaximum)
        let correction = factor(from: oldMaximum, to: newMaximum)
        let share = factor(from: rowMaximum, to: newMaximum) / Lanes(repeating: weightLimit)
        store(correction, first: count, to: corrections)
        store(share, first: count, to: shares)
        storePairs(newMaximum, oldSum * correction + rowSum * share, first: count, to: running + 2 &* first)
    }
}

// MARK: - Outputs: weights times values

/// `output[q] ← output[q] · correction[q] + share[q] · Σ_p weight[q][p] · value[p]`
@inline(never)
private func multiplyValues(_ tile: WordTile, _ output: UnsafeMutablePointer<Float>) {
    let output = output + tile.range.lowerBound &* tile.headDimension
    let rowBytes = 4 &* KeyValueTile.positions
    for column in stride(from: 0, to: tile.headDimension & ~63, by: 64) {
        let values = UnsafeRawPointer(tile.values) + 4 &* column
        let steps = tile.valueSteps + column
        for first in stride(from: 0, to: tile.queries, by: 3) {
            let weights = UnsafeRawPointer(tile.scores) + first &* rowBytes
            var totals = ThreeRows<Lanes>(Lanes(repeating: 0))
            for start in stride(from: 0, to: tile.positions, by: 32) {
                let sums = products(
                    weights + 2 &* start, stride: rowBytes,
                    strips: values + 2 &* start &* tile.valueColumns, stride: 4 &* tile.valueColumns, pairs: 16)
                add(sums.row0, to: &totals.row0)
                add(sums.row1, to: &totals.row1)
                add(sums.row2, to: &totals.row2)
            }
            totals.visit { total, row in
                guard first &+ row < tile.queries else { return }
                let target = output + ((first &+ row) &* tile.headDimension &+ column)
                let correction = Lanes(repeating: tile.corrections[first &+ row])
                let share = Lanes(repeating: tile.shares[first &+ row])
                store(multiplyAdd(total.a, load(steps) * share, load(target) * correction), to: target)
                store(multiplyAdd(total.b, load(steps + 16) * share, load(target + 16) * correction), to: target + 16)
                store(multiplyAdd(total.c, load(steps + 32) * share, load(target + 32) * correction), to: target + 32)
                store(multiplyAdd(total.d, load(steps + 48) * share, load(target + 48) * correction), to: target + 48)
            }
        }
    }
    for column in stride(from: tile.headDimension & ~63, to: tile.headDimension, by: 16) {
        multiplyVector(of: column, tile, output)
    }
}

/// The same for up to 16 elements of a head: eight queries at a time, whose independent sums hide the latency of a
/// product.
@inline(__always)
private func multiplyVector(of column: Int, _ tile: WordTile, _ output: UnsafeMutablePointer<Float>) {
    let rowBytes = 4 &* KeyValueTile.positions
    for first in stride(from: 0, to: tile.queries, by: 8) {
        let none = Lanes(repeating: 0)
        var (low, high): (Strip<Lanes>, Strip<Lanes>) = ((none, none, none, none), (none, none, none, none))
        for start in stride(from: 0, to: tile.positions, by: 32) {
            let weights = UnsafeRawPointer(tile.scores) + first &* rowBytes + 2 &* start
            let values = UnsafeRawPointer(tile.values) + 2 &* start &* tile.valueColumns + 4 &* column
            let zero = Bytes64(repeating: 0)
            var (lower, upper): (Strip<Bytes64>, Strip<Bytes64>) = (
                (zero, zero, zero, zero), (zero, zero, zero, zero)
            )
            for pair in 0..<16 {
                let vector = bytes64(values + 4 &* pair &* tile.valueColumns)
                addRows(&lower, weights + 4 &* pair, stride: rowBytes, vector)
                addRows(&upper, weights + 4 &* pair + 4 &* rowBytes, stride: rowBytes, vector)
            }
            add(lower, to: &low)
            add(upper, to: &high)
        }
        store(low, ofQueriesFrom: first, column, tile, output)
        store(high, ofQueriesFrom: first &+ 4, column, tile, output)
    }
}

/// Accumulates two products in every lane, of four rows with one vector.
@inline(__always)
private func addRows(_ sums: inout Strip<Bytes64>, _ row: UnsafeRawPointer, stride: Int, _ vector: Bytes64) {
    sums.a = _mm512_dpwssd_epi32(sums.a, _mm512_set1_epi32(row.loadUnaligned(as: Int32.self)), vector)
    sums.b = _mm512_dpwssd_epi32(sums.b, _mm512_set1_epi32((row + stride).loadUnaligned(as: Int32.self)), vector)
    sums.c = _mm512_dpwssd_epi32(sums.c, _mm512_set1_epi32((row + 2 &* stride).loadUnaligned(as: Int32.self)), vector)
    sums.d = _mm512_dpwssd_epi32(sums.d, _mm512_set1_epi32((row + 3 &* stride).loadUnaligned(as: Int32.self)), vector)
}

/// Merges the new contributions to a vector of elements of four queries with their previous outputs.
@inline(__always)
private func store(
    _ totals: Strip<Lanes>, ofQueriesFrom first: Int, _ column: Int, _ tile: WordTile,
    _ output: UnsafeMutablePointer<Float>
) {
    let count = min(16, tile.headDimension &- column)
    let steps = load(tile.valueSteps + column)
    func join(_ total: Lanes, _ query: Int) {
        guard query < tile.queries else { return }
        let target = output + (query &* tile.headDimension &+ column)
        let old = load(UnsafePointer(target), first: count) * Lanes(repeating: tile.corrections[query])
        store(multiplyAdd(total, steps * Lanes(repeating: tile.shares[query]), old), first: count, to: target)
    }
    join(totals.a, first)
    join(totals.b, first &+ 1)
    join(totals.c, first &+ 2)
    join(totals.d, first &+ 3)
}

@inline(__always)
private func add(_ sums: Strip<Bytes64>, to totals: inout Strip<Lanes>) {
    totals.a = totals.a + floats(sums.a)
    totals.b = totals.b + floats(sums.b)
    totals.c = totals.c + floats(sums.c)
    totals.d = totals.d + floats(sums.d)
}

// MARK: - Products of three rows of 16-bit integers with a strip of columns, all sums in registers

/// Four adjacent vectors: 64 columns.
private typealias Strip<Vector> = (a: Vector, b: Vector, c: Vector, d: Vector)

/// Strips of three rows: as many sums as there are products in flight.
private struct ThreeRows<Vector> {
    var row0, row1, row2: Strip<Vector>

    @inline(__always)
    init(_ start: Vector) {
        row0 = (start, start, start, start)
        row1 = row0
        row2 = row0
    }

    @inline(__always)
    func visit(_ body: (_ row: Strip<Vector>, _ index: Int) -> Void) {
        body(row0, 0)
        body(row1, 1)
        body(row2, 2)
    }
}

/// The products of three rows of 16-bit numbers with a strip of columns, over the given number of pairs:
///
///     Σ_k rows[r][2k] · strips[k][c][0] + rows[r][2k + 1] · strips[k][c][1]
///
/// Strides are bytes.
@inline(__always)
private func products(
    _ rows: UnsafeRawPointer, stride rowStride: Int, strips: UnsafeRawPointer, stride stripStride: Int, pairs: Int
) -> ThreeRows<Bytes64> {
    var sums = ThreeRows<Bytes64>(Bytes64(repeating: 0))
    for pair in 0..<pairs {
        let source = strips + pair &* stripStride
        let strip = (bytes64(source), bytes64(source + 64), bytes64(source + 128), bytes64(source + 192))
        let row = rows + 4 &* pair
        addProducts(&sums.row0, row, strip)
        addProducts(&sums.row1, row + rowStride, strip)
        addProducts(&sums.row2, row + 2 &* rowStride, strip)
    }
    return sums
}

/// Accumulates two products in every lane.
@inline(__always)
private func addProducts(_ sums: inout Strip<Bytes64>, _ pair: UnsafeRawPointer, _ strip: Strip<Bytes64>) {
    let x = _mm512_set1_epi32(pair.loadUnaligned(as: Int32.self))
    sums.a = _mm512_dpwssd_epi32(sums.a, x, strip.a)
    sums.b = _mm512_dpwssd_epi32(sums.b, x, strip.b)
    sums.c = _mm512_dpwssd_epi32(sums.c, x, strip.c)
    sums.d = _mm512_dpwssd_epi32(sums.d, x, strip.d)
}
#endif
