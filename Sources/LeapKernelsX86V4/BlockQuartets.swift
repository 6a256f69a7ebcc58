#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Loads four blocks of 32 elements at once: two 64-byte vectors hold the needed bytes, and a permutation brings them
// into the order of a dot product.
//
// There are no branches here: the compiler stops inlining functions with too many of them, whereas arithmetic on
// constants folds away.

/// The words of four blocks: the vector that begins with the first block, and the one that begins with the third block,
/// or earlier if it would otherwise extend beyond the fourth. Blocks that do not exist are zero.
typealias QuartetWords = (lower: Bytes64, upper: Bytes64, byteCount: Int)

/// Loads four blocks of at least 16 and at most 36 bytes.
@inline(__always)
func quartetWords(_ blocks: BlockQuartet) -> QuartetWords {
    let start = upperStart(blocks.byteCount)
    let bytes = blocks.count &* blocks.byteCount
    return (leadingBytes(blocks.first, bytes), leadingBytes(blocks.first + start, bytes &- start), blocks.byteCount)
}

/// Eight words of every block: `word(b, i)` in lane `8b + i`.
///
/// - Parameter offset: The even byte offset of the first word.
@inline(__always)
func eightWords(_ offset: Int, of words: QuartetWords) -> Bytes64 {
    let next = Bytes64(repeating: 0x0003_0002_0001_0000)
    let lower = Bytes64(
        lowerPlace(0, offset, words), lowerPlace(0, offset &+ 8, words),
        lowerPlace(1, offset, words), lowerPlace(1, offset &+ 8, words),
        upperPlace(2, offset, words), upperPlace(2, offset &+ 8, words),
        upperPlace(3, offset, words), upperPlace(3, offset &+ 8, words))
    return permuted(words, lower &* splat16(1) &+ next)
}

/// The half-precision numbers at an even offset in each block, each in four lanes.
@inline(__always)
func quadrupledHalves(_ offset: Int, of words: QuartetWords) -> Lanes {
    _mm512_cvtph_ps(quadrupledWords(offset, of: words))
}

/// The half-precision numbers at an even offset in each block, each in the first of four lanes; the others are 0.
@inline(__always)
func spacedHalves(_ offset: Int, of words: QuartetWords) -> Lanes {
    _mm512_maskz_cvtph_ps(0x1111, quadrupledWords(offset, of: words))
}

/// The half-precision numbers at an even offset in each block.
@inline(__always)
func halves(_ offset: Int, of words: QuartetWords) -> SIMD4<Float> { _mm_cvtph_ps(oneWord(offset, of: words)) }

/// The words at an even offset in each block, packed into one number, and the words that follow them, into another.
@inline(__always)
func joinedWords(_ offset: Int, of words: QuartetWords) -> (first: UInt64, second: UInt64) {
    let both = permuted(
        words, Bytes64(joinedPlaces(offset, words), joinedPlaces(offset &+ 2, words), 0, 0, 0, 0, 0, 0))
    return (UInt64(bitPattern: both[0]), UInt64(bitPattern: both[1]))
}

// MARK: - Permutations

@inline(__always)
private func quadrupledWords(_ offset: Int, of words: QuartetWords) -> Bytes32 {
    let places = Bytes64(
        lowerPlace(0, offset, words), lowerPlace(1, offset, words),
        upperPlace(2, offset, words), upperPlace(3, offset, words), 0, 0, 0, 0)
    return _mm512_castsi512_si256(permuted(words, places &* splat16(1)))
}

@inline(__always)
private func oneWord(_ offset: Int, of words: QuartetWords) -> Bytes16 {
    _mm512_castsi512_si128(permuted(words, Bytes64(joinedPlaces(offset, words), 0, 0, 0, 0, 0, 0, 0)))
}

/// The index of one word of each block.
@inline(__always)
private func joinedPlaces(_ offset: Int, _ words: QuartetWords) -> Int64 {
    let lower = lowerPlace(0, offset, words) | lowerPlace(1, offset, words) &<< 16
    let upper = upperPlace(2, offset, words) | upperPlace(3, offset, words) &<< 16
    return lower | upper &<< 32
}

/// Selects from the 64 words of four blocks.
@inline(__always)
private func permuted(_ words: QuartetWords, _ places: Bytes64) -> Bytes64 {
    _mm512_permutex2var_epi16(words.lower, places, words.upper)
}

/// The index of a word of the first or second block.
@inline(__always)
private func lowerPlace(_ block: Int, _ offset: Int, _ words: QuartetWords) -> Int64 {
    Int64(truncatingIfNeeded: (block &* words.byteCount &+ offset) &>> 1)
}

/// The index of a word of the third or fourth block.
@inline(__always)
private func upperPlace(_ block: Int, _ offset: Int, _ words: QuartetWords) -> Int64 {
    let byte = block &* words.byteCount &+ offset &- upperStart(words.byteCount)
    return Int64(truncatingIfNeeded: 32 &+ byte &>> 1)
}

/// The lesser of the size of two blocks and the offset at which the upper vector ends with the fourth block.
@inline(__always)
private func upperStart(_ byteCount: Int) -> Int { 2 &* byteCount &- nonNegative(64 &- 2 &* byteCount) }

/// The first `count` of 64 bytes, then zeros; all zeros if `count` is negative.
@inline(__always)
private func leadingBytes(_ source: UnsafeRawPointer, _ count: Int) -> Bytes64 {
    _mm512_maskz_loadu_epi8(_bzhi_u64(.max, UInt64(truncatingIfNeeded: nonNegative(count))), source)
}

/// max(number, 0), without a branch.
@inline(__always)
private func nonNegative(_ number: Int) -> Int { number & ~(number &>> 63) }
#endif
