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

/// The largest integer weight.
@inline(__always)
var weightLimit: Float { 32767 }

/// The largest integer value: 32 · 32,767 · 2047 < 2³¹.
@inline(__always)
var valueLimit: Float { 2047 }

/// The tile that is read next; every query prefetches its share of that tile's keys and values.
struct Following {
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
#endif
