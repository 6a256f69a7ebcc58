#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Rows of 256-element blocks with four columns or more, which are enough to repay transposing the weights: 32 rows lie
// side by side in the lanes of two vectors, as in the tiles for prompts, and no sum needs a reduction across lanes.
//
// A block's contribution to a sum is an exact integer both here and in `SuperBlockQuartets.swift`, and is then
// multiplied by the same factors in the same order: the results are bit-identical whichever way a row is multiplied.

/// 32 rows of a block, unpacked. Throughout, rows 0 … 15 are in the first vector of a pair and rows 16 … 31 in the
/// second.
///
///     byte   0         8192      10240     10752   10880   11008
///            ┌─────────┬─────────┬─────────┬───────┬───────┐
///            │ quants  │ scales  │ minima  │ d     │ dmin  │
///            └─────────┴─────────┴─────────┴───────┴───────┘
///     quants[k / 4]   pair of vectors; a lane holds the unsigned bytes of columns k … k + 3 of its row
///     scales[g]       pair: the integer scale of group g
///     minima[g / 2]   pair: the 16-bit minima of two groups, where the format has them
///     d, dmin         pair: the float factors of the products and of the minima
enum RowTile {
    static let rows = 32
    static let quants = 0
    static let scales = 8192
    static let minima = 10_240
    static let d = 10_752
    static let dmin = 10_880
    static let byteCount = 11_008
    /// Columns whose sums are kept at a time.
    static let columns = 8
}

/// If there are at least four columns, multiplies as many rows as fill tiles by tiles; the remaining rows in another
/// way.
@inline(__always)
func dotRowTilesAndRest(
    _ operands: DotOperands, tiles: (_ operands: DotOperands) -> Void, rest: (_ operands: DotOperands) -> Void
) {
    let o = operands
    let inTiles = o.columns < 4 ? 0 : o.rows & ~(RowTile.rows &- 1)
    if inTiles > 0 {
        tiles(
            (
                o.weights, o.weightStride, inTiles, o.activations, o.activationStride, o.columns, o.blocks, o.output,
                o.outputStride
            ))
    }
    guard inTiles < o.rows else { return }
    rest(
        (
            o.weights + inTiles &* o.weightStride, o.weightStride, o.rows &- inTiles, o.activations,
            o.activationStride, o.columns, o.blocks, o.output + inTiles, o.outputStride
        ))
}

/// Dot products of rows that fill tiles; see `DotKernel`.
///
/// - Parameters:
///   - byteCount: Bytes from one block to the next.
///   - groupSize: 16 or 32 columns.
///   - zero: Subtracted from every quant.
///   - hasMinima: Whether the format has them, for groups of 32.
///   - unpack: Writes 16 rows of a ``RowTile``.
@inline(__always)
func dotRowTiles(
    _ operands: DotOperands, byteCount: Int, groupSize: Int, zero: Int32, hasMinima: Bool,
    unpack: (_ rows: RowsOfSlab) -> Void
) {
    let stride = operands.weightStride
    withTileMemory { tile, sums in
        for row in Swift.stride(from: 0, to: operands.rows, by: RowTile.rows) {
            let rows = operands.weights + row &* stride
            for column in Swift.stride(from: 0, to: operands.columns, by: RowTile.columns) {
                let quartets = (min(RowTile.columns, operands.columns &- column) &+ 3) / 4
                for index in 0..<4 &* quartets { sums[index] = RowTileSums() }
                // While this tile is multiplied, the next rows are prefetched in memory order.
                let ahead = RowTile.rows &* byteCount / quartets
                var next = rows + RowTile.rows &* stride
                for block in 0..<operands.blocks {
                    let blocks = rows + block &* byteCount
                    unpack((blocks, stride, 15, tile, 256))
                    unpack((blocks + 16 &* stride, stride, 15, tile + 64, 256))
                    for quartet in 0..<quartets {
                        let x = columnQuartet(operands, column &+ 4 &* quartet, block)
                        multiply(
                            UnsafeRawPointer(tile), x, groupSize, zero, hasMinima, (next, ahead, quartets == 1),
                            sums + 4 &* quartet)
                        next += ahead
                    }
                }
                store(sums, operands, row, column)
            }
        }
    }
}

// MARK: - Columns

private typealias ColumnQuartet = (a: UnsafeRawPointer, b: UnsafeRawPointer, c: UnsafeRawPointer, d: UnsafeRawPointer)

/// A block of four columns; the last column stands in for columns beyond it.
@inline(__always)
private func columnQuartet(_ operands: DotOperands, _ first: Int, _ block: Int) -> ColumnQuartet {
    let place = operands.activations + block &* BlockQ8_K.byteCount
    let last = operands.columns &- 1
    func column(_ index: Int) -> UnsafeRawPointer { place + min(index, last) &* operands.activationStride }
    return (column(first), column(first &+ 1), column(first &+ 2), column(first &+ 3))
}

/// The sums of 32 rows with a column.
private struct RowTileSums {
    typealias Pair = (a: Lanes, b: Lanes)
    var products: Pair = (Lanes(repeating: 0), Lanes(repeating: 0))
    var minima: Pair = (Lanes(repeating: 0), Lanes(repeating: 0))
}

/// Writes the sums of 32 rows with up to 8 columns.
@inline(__always)
private func store(_ sums: UnsafeMutablePointer<RowTileSums>, _ operands: DotOperands, _ row: Int, _ column: Int) {
    for index in 0..<min(RowTile.columns, operands.columns &- column) {
        let output = operands.output + ((column &+ index) &* operands.outputStride &+ row)
        store(sums[index].products.a - sums[index].minima.a, to: output)
        store(sums[index].products.b - sums[index].minima.b, to: output + 16)
    }
}

// MARK: - Products

private typealias IntegerPair = (a: Bytes64, b: Bytes64)

/// The bytes to prefetch meanwhile: their start, their count, and whether there are so many that they would evict the
/// tile from the first-level cache.
private typealias Ahead = (start: UnsafeRawPointer, count: Int, isThick: Bool)

/// Prefetches the share of one of so many groups.
@inline(__always)
private func prefetch(_ ahead: Ahead, _ group: Int, of groups: Int) {
    let count = ahead.count / groups
    let part = ahead.start + group &* count
    if ahead.isThick {
        prefetchForLater(part, count: count)
    } else {
        prefetch(part, count: count)
    }
}

/// Adds the products of a block's tile with four columns.
@inline(__always)
private func multiply(
    _ tile: UnsafeRawPointer, _ x: ColumnQuartet, _ groupSize: Int, _ zero: Int32, _ hasMinima: Bool, _ ahead: Ahead,
    _ sums: UnsafeMutablePointer<RowTileSums>
) {
    let groups = 256 / groupSize
    var a = noIntegers, b = noIntegers, c = noIntegers, d = noIntegers
    for group in 0..<groups {
        prefetch(ahead, group, of: groups)
        var products = (
            a: start(x.a, group, zero), b: start(x.b, group, zero), c: start(x.c, group, zero),
            d: start(x.d, group, zero)
        )
        for quad in 0..<groupSize / 4 {
            let column = group &* groupSize &+ 4 &* quad
            let weights = pair(tile + (RowTile.quants &+ column / 4 &* weightVectors))
            add(weights, x.a + (BlockQ8_K.qs &+ column), to: &products.a)
            add(weights, x.b + (BlockQ8_K.qs &+ column), to: &products.b)
            add(weights, x.c + (BlockQ8_K.qs &+ column), to: &products.c)
            add(weights, x.d + (BlockQ8_K.qs &+ column), to: &products.d)
        }
        let scales = pair(tile + (RowTile.scales &+ group &* weightVectors))
        add(products.a, times: scales, to: &a)
        add(products.b, times: scales, to: &b)
        add(products.c, times: scales, to: &c)
        add(products.d, times: scales, to: &d)
    }
    add(a, tile, x.a, hasMinima, to: &sums[0])
    add(b, tile, x.b, hasMinima, to: &sums[1])
    add(c, tile, x.c, hasMinima, to: &sums[2])
    add(d, tile, x.d, hasMinima, to: &sums[3])
}

@inline(__always)
private var noIntegers: IntegerPair { (Bytes64(), Bytes64()) }

@inline(__always)
private func pair(_ place: UnsafeRawPointer) -> IntegerPair { (bytes64(place), bytes64(place + 64)) }

@inline(__always)
private func floatPair(_ place: UnsafeRawPointer) -> RowTileSums.Pair {
    (place.loadUnaligned(as: Lanes.self), (place + 64).loadUnaligned(as: Lanes.self))
}

/// The initial value of a group of 16's products: the contribution of its zero points.
@inline(__always)
private func start(_ x: UnsafeRawPointer, _ group: Int, _ zero: Int32) -> IntegerPair {
    guard zero != 0 else { return noIntegers }
    let sum = (x + (BlockQ8_K.bsums &+ 2 &* group)).loadUnaligned(as: Int16.self)
    let start = _mm512_set1_epi32(0 &- zero &* Int32(sum))
    return (start, start)
}

/// Adds the products of four columns.
@inline(__always)
private func add(_ weights: IntegerPair, _ x: UnsafeRawPointer, to products: inout IntegerPair) {
    let x = _mm512_set1_epi32(x.loadUnaligned(as: Int32.self))
    products.a = addProducts(products.a, weights.a, x)
    products.b = addProducts(products.b, weights.b, x)
}

/// Adds the products of a group.
@inline(__always)
private func add(_ products: IntegerPair, times scales: IntegerPair, to sums: inout IntegerPair) {
    sums.a = _mm512_add_epi32(sums.a, _mm512_mullo_epi32(products.a, scales.a))
    sums.b = _mm512_add_epi32(sums.b, _mm512_mullo_epi32(products.b, scales.b))
}

/// Adds the products of a block, and its minima. The factors are applied one after the other, in the same order as for
/// quartets.
@inline(__always)
private func add(
    _ products: IntegerPair, _ tile: UnsafeRawPointer, _ x: UnsafeRawPointer, _ hasMinima: Bool,
    to sums: inout RowTileSums
) {
    let scale = Lanes(repeating: activationScale(x))
    add(products, times: floatPair(tile + RowTile.d), scale, to: &sums.products)
    guard hasMinima else { return }
    add(minima(tile, x), times: floatPair(tile + RowTile.dmin), scale, to: &sums.minima)
}

@inline(__always)
private func add(
    _ integers: IntegerPair, times factors: RowTileSums.Pair, _ scale: Lanes, to sums: inout RowTileSums.Pair
) {
    sums.a = multiplyAdd(floats(integers.a) * factors.a, scale, sums.a)
    sums.b = multiplyAdd(floats(integers.b) * factors.b, scale, sums.b)
}

/// `Σ_g minimum[g] · Σ x.q` over groups of 32.
@inline(__always)
private func minima(_ tile: UnsafeRawPointer, _ x: UnsafeRawPointer) -> IntegerPair {
    let halfSums = x + BlockQ8_K.bsums
    let sums = unsafeBitCast(_mm_hadd_epi16(bytes16(halfSums), bytes16(halfSums + 16)), to: SIMD4<Int32>.self)
    var total = noIntegers
    for index in 0..<4 {
        let minima = pair(tile + (RowTile.minima &+ index &* weightVectors))
        let sums = _mm512_set1_epi32(sums[index])
        total.a = _mm512_dpwssd_epi32(total.a, minima.a, sums)
        total.b = _mm512_dpwssd_epi32(total.b, minima.b, sums)
    }
    return total
}

// MARK: - Parts of a tile

/// Four words at an offset in each of 16 blocks: each vector holds one word of every row.
@inline(__always)
func wordsOfRows(_ rows: RowsOfSlab, offset: Int) -> (Bytes64, Bytes64, Bytes64, Bytes64) {
    func everyFourth(_ row: Int) -> Bytes64 {
        quarters(
            bytes16(source(row, rows) + offset), bytes16(source(row &+ 4, rows) + offset),
            bytes16(source(row &+ 8, rows) + offset), bytes16(source(row &+ 12, rows) + offset))
    }
    return transposedLanes(everyFourth(0), everyFourth(1), everyFourth(2), everyFourth(3))
}

/// Stores the scales of a group.
@inline(__always)
func setGroupScales(_ group: Int, _ scales: Bytes64, _ rows: RowsOfSlab) {
    store(scales, to: rows.half + (RowTile.scales &+ group &* weightVectors))
}

/// Stores the minima of two groups.
@inline(__always)
func setMinima(_ index: Int, _ minima: Bytes64, _ rows: RowsOfSlab) {
    store(minima, to: rows.half + (RowTile.minima &+ index &* weightVectors))
}

/// Converts the half-precision numbers in the lower halves of all lanes to floats and stores them.
@inline(__always)
func setFloats(_ place: Int, halves: Bytes64, _ rows: RowsOfSlab) {
    let floats = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(halves))
    store(unsafeBitCast(floats, to: Bytes64.self), to: rows.half + place)
}

// MARK: - Memory

/// Calls `body` with memory for a tile and for the sums of 8 columns.
@inline(__always)
private func withTileMemory(
    _ body: (_ tile: UnsafeMutableRawPointer, _ sums: UnsafeMutablePointer<RowTileSums>) -> Void
) {
    var memory = TileMemory()
    // Stack protection would insert a call to a function of another module.
    _withUnprotectedUnsafeMutablePointer(to: &memory) {
        let tile = UnsafeMutableRawPointer($0)
        body(tile, (tile + RowTile.byteCount).assumingMemoryBound(to: RowTileSums.self))
    }
}

/// 208 vectors: the tile, and four per column for 8 columns.
private struct TileMemory {
    typealias Four<Part> = (Part, Part, Part, Part)
    var vectors: (Four<Four<Four<Bytes64>>>, Four<Four<Four<Bytes64>>>, Four<Four<Four<Bytes64>>>, Four<Four<Bytes64>>)

    @inline(__always)
    init() {
        let one = Bytes64()
        let four = (one, one, one, one)
        let sixteen = (four, four, four, four)
        let sixtyFour = (sixteen, sixteen, sixteen, sixteen)
        vectors = (sixtyFour, sixtyFour, sixtyFour, sixteen)
    }
}
#endif
