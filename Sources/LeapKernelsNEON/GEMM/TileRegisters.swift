#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Products by `sdot`: a word is four columns of a row. A register holds the words of four weight rows; it is multiplied
// by the word of one activation row, which the instruction selects from a register of four and broadcasts. Register
// `2a` of a tile holds activation row `a` with weight rows 0 … 3 in its lanes, and register `2a + 1` the same with rows
// 4 … 7.

/// Stores 16 columns of a row as four words, interleaved with the words of `rows` rows.
@inline(__always)
func store(_ columns: SignedBytes, row: Int, of rows: Int, to place: UnsafeMutableRawPointer) {
    let words = unsafeBitCast(columns, to: Words.self)
    for word in 0..<4 {
        place.storeBytes(of: words[word], toByteOffset: 4 &* (word &* rows &+ row), as: Int32.self)
    }
}

/// Interleaves the words of 8 rows, 16 columns at a time.
///
/// - Parameter source: Rows, ``slabColumns`` bytes apart.
@inline(__always)
func interleave(_ source: UnsafeRawPointer, columns: Int, to destination: UnsafeMutableRawPointer) {
    for part in 0..<columns / 16 {
        for row in stride(from: 0, to: halfRows, by: 4) {
            let place = destination + (16 &* part &* halfRows &+ 4 &* row)
            let source = source + (row &* slabColumns &+ 16 &* part)
            interleave(
                (source, source + slabColumns, source + 2 &* slabColumns, source + 3 &* slabColumns), to: place)
        }
    }
}

/// Interleaves four words of each of four rows.
@inline(__always)
private func interleave(
    _ rows: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer),
    to place: UnsafeMutableRawPointer
) {
    func words(_ row: UnsafeRawPointer) -> Words { row.loadUnaligned(as: Words.self) }
    let (a, b, c, d) = (words(rows.0), words(rows.1), words(rows.2), words(rows.3))
    let (evenLow, evenHigh) = (vzip1q_s32(a, c), vzip2q_s32(a, c))
    let (oddLow, oddHigh) = (vzip1q_s32(b, d), vzip2q_s32(b, d))
    let wordBytes = 4 &* halfRows
    place.storeBytes(of: vzip1q_s32(evenLow, oddLow), as: Words.self)
    place.storeBytes(of: vzip2q_s32(evenLow, oddLow), toByteOffset: wordBytes, as: Words.self)
    place.storeBytes(of: vzip1q_s32(evenHigh, oddHigh), toByteOffset: 2 &* wordBytes, as: Words.self)
    place.storeBytes(of: vzip2q_s32(evenHigh, oddHigh), toByteOffset: 3 &* wordBytes, as: Words.self)
}

/// Accumulates the products of 8 columns: two words of each of 8 weight rows by two words of each of 6 activation rows.
@inline(__always)
func addProducts(
    _ products: inout IntegerTile, _ weights: (SignedBytes, SignedBytes, SignedBytes, SignedBytes),
    _ x: (SignedBytes, SignedBytes, SignedBytes)
) {
    // Words 0 … 3, 4 … 7 and 8 … 11: the first six are the first words of the rows.
    let words = (
        unsafeBitCast(x.0, to: Words.self), unsafeBitCast(x.1, to: Words.self), unsafeBitCast(x.2, to: Words.self)
    )
    addWord(
        &products, (weights.0, weights.1),
        (word(words.0, 0), word(words.0, 1), word(words.0, 2), word(words.0, 3), word(words.1, 0), word(words.1, 1)))
    addWord(
        &products, (weights.2, weights.3),
        (word(words.1, 2), word(words.1, 3), word(words.2, 0), word(words.2, 1), word(words.2, 2), word(words.2, 3)))
}

/// One number per weight row, 8 in all, in the lanes of that row's products.
@inline(__always)
func weightNumbers(_ source: UnsafeRawPointer) -> FloatTile {
    let (a, b) = (source.loadUnaligned(as: Lanes.self), source.loadUnaligned(fromByteOffset: 16, as: Lanes.self))
    return (a, b, a, b, a, b, a, b, a, b, a, b)
}

/// One number per activation row, 6 in all, in the lanes of that row's products.
@inline(__always)
func activationNumbers(_ source: UnsafeRawPointer) -> FloatTile {
    let first = source.loadUnaligned(as: Lanes.self)
    let last = source.loadUnaligned(fromByteOffset: 16, as: SIMD2<Float>.self)
    let (a, b, c) = (Lanes(repeating: first[0]), Lanes(repeating: first[1]), Lanes(repeating: first[2]))
    let (d, e, f) = (Lanes(repeating: first[3]), Lanes(repeating: last[0]), Lanes(repeating: last[1]))
    return (a, a, b, b, c, c, d, d, e, e, f, f)
}

/// Sums in row order, which they already have.
@inline(__always)
func inRows(_ sums: FloatTile) -> FloatTile { sums }

// MARK: - Words

/// One word of each of 6 rows, broadcast to all lanes.
private typealias SixWords = (SignedBytes, SignedBytes, SignedBytes, SignedBytes, SignedBytes, SignedBytes)

/// One of four words, broadcast to all lanes.
@inline(__always)
private func word(_ words: Words, _ index: Int) -> SignedBytes {
    unsafeBitCast(Words(repeating: words[index]), to: SignedBytes.self)
}

@inline(__always)
private func addWord(
    _ products: inout IntegerTile, _ weights: (SignedBytes, SignedBytes), _ x: SixWords
) {
    products.0 = addProducts(products.0, weights.0, x.0)
    products.1 = addProducts(products.1, weights.1, x.0)
    products.2 = addProducts(products.2, weights.0, x.1)
    products.3 = addProducts(products.3, weights.1, x.1)
    products.4 = addProducts(products.4, weights.0, x.2)
    products.5 = addProducts(products.5, weights.1, x.2)
    products.6 = addProducts(products.6, weights.0, x.3)
    products.7 = addProducts(products.7, weights.1, x.3)
    products.8 = addProducts(products.8, weights.0, x.4)
    products.9 = addProducts(products.9, weights.1, x.4)
    products.10 = addProducts(products.10, weights.0, x.5)
    products.11 = addProducts(products.11, weights.1, x.5)
}
#endif
