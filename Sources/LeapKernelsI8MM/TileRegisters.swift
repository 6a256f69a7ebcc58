#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Products by `smmla`: a word is eight columns of a row. A register holds the words of two rows, and two registers give
// the four products of their rows. Register `4a + w` of a tile holds activation rows `2a` and `2a + 1` with weight rows
// `2w` and `2w + 1`: first the two products of the first activation row, then those of the second.

/// Stores 16 columns of a row as two words, interleaved with the words of `rows` rows.
@inline(__always)
func store(_ columns: SignedBytes, row: Int, of rows: Int, to place: UnsafeMutableRawPointer) {
    let words = unsafeBitCast(columns, to: LongWords.self)
    for word in 0..<2 {
        place.storeBytes(of: words[word], toByteOffset: 8 &* (word &* rows &+ row), as: Int64.self)
    }
}

/// Interleaves the words of 8 rows, 16 columns at a time.
///
/// - Parameter source: Rows, ``slabColumns`` bytes apart.
@inline(__always)
func interleave(_ source: UnsafeRawPointer, columns: Int, to destination: UnsafeMutableRawPointer) {
    for part in 0..<columns / 16 {
        for row in stride(from: 0, to: halfRows, by: 2) {
            let source = source + (row &* slabColumns &+ 16 &* part)
            let (a, b) = (source.loadUnaligned(as: Lanes.self), (source + slabColumns).loadUnaligned(as: Lanes.self))
            let place = destination + (16 &* part &* halfRows &+ 8 &* row)
            place.storeBytes(of: lowHalves(a, b), as: Lanes.self)
            place.storeBytes(of: highHalves(a, b), toByteOffset: 8 &* halfRows, as: Lanes.self)
        }
    }
}

/// Accumulates the products of 8 columns: one word of each of 8 weight rows by one word of each of 6 activation rows.
@inline(__always)
func addProducts(
    _ products: inout IntegerTile, _ weights: (SignedBytes, SignedBytes, SignedBytes, SignedBytes),
    _ x: (SignedBytes, SignedBytes, SignedBytes)
) {
    products.0 = vmmlaq_s32(products.0, x.0, weights.0)
    products.1 = vmmlaq_s32(products.1, x.0, weights.1)
    products.2 = vmmlaq_s32(products.2, x.0, weights.2)
    products.3 = vmmlaq_s32(products.3, x.0, weights.3)
    products.4 = vmmlaq_s32(products.4, x.1, weights.0)
    products.5 = vmmlaq_s32(products.5, x.1, weights.1)
    products.6 = vmmlaq_s32(products.6, x.1, weights.2)
    products.7 = vmmlaq_s32(products.7, x.1, weights.3)
    products.8 = vmmlaq_s32(products.8, x.2, weights.0)
    products.9 = vmmlaq_s32(products.9, x.2, weights.1)
    products.10 = vmmlaq_s32(products.10, x.2, weights.2)
    products.11 = vmmlaq_s32(products.11, x.2, weights.3)
}

/// One number per weight row, 8 in all, in the lanes of that row's products.
@inline(__always)
func weightNumbers(_ source: UnsafeRawPointer) -> FloatTile {
    let (a, b, c, d) = (twice(source), twice(source + 8), twice(source + 16), twice(source + 24))
    return (a, b, c, d, a, b, c, d, a, b, c, d)
}

/// One number per activation row, 6 in all, in the lanes of that row's products.
@inline(__always)
func activationNumbers(_ source: UnsafeRawPointer) -> FloatTile {
    let (first, last) = (source.loadUnaligned(as: Lanes.self), twice(source + 16))
    let (a, b, c) = (vzip1q_f32(first, first), vzip2q_f32(first, first), vzip1q_f32(last, last))
    return (a, a, a, a, b, b, b, b, c, c, c, c)
}

/// Sums in row order: weight rows 0 … 3 and 4 … 7 of activation row 0, then those of row 1, and so on.
@inline(__always)
func inRows(_ sums: FloatTile) -> FloatTile {
    let (a, b, c) = (
        inRows(sums.0, sums.1, sums.2, sums.3), inRows(sums.4, sums.5, sums.6, sums.7),
        inRows(sums.8, sums.9, sums.10, sums.11)
    )
    return (a.0, a.1, a.2, a.3, b.0, b.1, b.2, b.3, c.0, c.1, c.2, c.3)
}

/// The sums of two activation rows with four pairs of weight rows.
@inline(__always)
private func inRows(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
    (lowHalves(a, b), lowHalves(c, d), highHalves(a, b), highHalves(c, d))
}

// MARK: - Pairs of lanes

/// 2 numbers of 64 bits: `int64x2_t`.
private typealias LongWords = SIMD2<Int64>

/// Two numbers, repeated.
@inline(__always)
private func twice(_ source: UnsafeRawPointer) -> Lanes {
    unsafeBitCast(LongWords(repeating: source.loadUnaligned(as: Int64.self)), to: Lanes.self)
}

@inline(__always)
private func lowHalves(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
        vzip1q_s64(unsafeBitCast(a, to: LongWords.self), unsafeBitCast(b, to: LongWords.self)), to: Lanes.self)
}

@inline(__always)
private func highHalves(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
        vzip2q_s64(unsafeBitCast(a, to: LongWords.self), unsafeBitCast(b, to: LongWords.self)), to: Lanes.self)
}
#endif
