#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Half-precision and bfloat16 weights are converted to tiles of 16-bit integers, by the rule described in the file of
// the same name in `x86-v4`. The CPU multiplies twice as many of these per cycle (`vpmaddwd`) as floats.
//
// The tiles are laid out like those of 16-bit quants with a scale for every 16 columns.

/// Unpacks rows of half precision; see `UnpackKernel`.
let unpackTileF16: UnpackKernel = { unpackWords(($0, $1, $2, $3, $4)) { _mm256_cvtph_ps($0) } }

/// Unpacks rows of bfloat16; see `UnpackKernel`.
let unpackTileBF16: UnpackKernel = { unpackWords(($0, $1, $2, $3, $4)) { brainFloats($0) } }

/// Packs floats as scaled integers; see `PackKernel`.
let packWords: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let (source, tile) = (source + row &* stride, tile + 4 &* row)
        forEach16(of: columns) { column, count in
            let numbers = load16(source.assumingMemoryBound(to: Float.self) + column, first: count)
            let largest = _mm256_max_epi32(magnitudes(numbers.a), magnitudes(numbers.b))
            let step = wordStep(largest: unsafeBitCast(largest, to: SIMD8<Int32>.self).max(), bits: 14)
            let words = wholeNumbers(numbers, scale: Lanes(repeating: 1 / step))
            setLanes(words, ActivationTile.words &+ column / 2 &* ActivationTile.step, tile)
            setNumber(step, ActivationTile.scales, column / 16, tile)
        }
    }
}

/// Unpacks 8 rows by 16 columns at a time.
///
/// - Parameter floats: Converts 8 numbers to floats. A greater bit pattern (without sign) must give a greater float.
@inline(__always)
private func unpackWords(_ operands: SlabOperands, floats: (_ numbers: Bytes16) -> Lanes) {
    forEachHalf(operands) { source, half, staging in
        forEach16(of: operands.columns) { column, count in
            func numbers(_ row: Int) -> Bytes32 { load16(source(row) + 2 &* column, first: count) }
            let steps = steps(ofLargest: floats(largestMagnitudes(numbers)))
            let scales = inverses(steps)
            for row in 0..<8 {
                let halves = unsafeBitCast(numbers(row), to: (Bytes16, Bytes16).self)
                let words = wholeNumbers((floats(halves.0), floats(halves.1)), scale: Lanes(repeating: scales[row]))
                store(words, to: staging + 32 &* row)
            }
            let place = WeightTile.scales &+ column / 16 &* weightVectors
            (half + place).storeBytes(of: steps, as: Lanes.self)
            transposeWords(
                staging, stride: 32, count: 8, to: half + (WeightTile.quants &+ column / 2 &* weightVectors))
        }
    }
}

// MARK: - Largest magnitudes

/// The largest magnitudes of 8 rows of 16 16-bit numbers.
///
/// Every step takes the maximum of neighbours and interleaves the results of different rows in the freed lanes: 16-bit
/// numbers into words of two rows, words into pairs of four rows, pairs into halves of eight rows, and finally the two
/// halves.
@inline(__always)
private func largestMagnitudes(_ row: (_ index: Int) -> Bytes32) -> Bytes16 {
    func ofTwo(_ first: Int) -> Bytes32 { largestOfWords(magnitudes16(row(first)), magnitudes16(row(first &+ 1))) }
    func ofFour(_ first: Int) -> Bytes32 {
        let (a, b) = (ofTwo(first), ofTwo(first &+ 2))
        return _mm256_max_epu16(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b))
    }
    let (a, b) = (ofFour(0), ofFour(4))
    let ofEight = _mm256_max_epu16(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b))
    let halves = unsafeBitCast(ofEight, to: (Bytes16, Bytes16).self)
    return _mm_max_epu16(halves.0, halves.1)
}

/// The larger of the two numbers in every word: the first row's in the word's lower half, the second row's in its upper
/// half.
@inline(__always)
private func largestOfWords(_ first: Bytes32, _ second: Bytes32) -> Bytes32 {
    let upper = _mm256_set1_epi32(-65_536)
    return _mm256_max_epu16(
        _mm256_blendv_epi8(first, _mm256_slli_epi32(second, 16), upper),
        _mm256_blendv_epi8(_mm256_srli_epi32(first, 16), second, upper))
}

/// 16-bit numbers with their sign bits cleared.
@inline(__always)
private func magnitudes16(_ numbers: Bytes32) -> Bytes32 { numbers & splat16(0x7FFF) }

/// The steps of 8 groups of weights, from the largest magnitude of each; see `wordStep`.
@inline(__always)
private func steps(ofLargest largest: Lanes) -> Lanes {
    let exponents = _mm256_srli_epi32(unsafeBitCast(largest, to: Bytes32.self), 23)
    let lowered = _mm256_sub_epi32(exponents, _mm256_set1_epi32(12))
    let steps = _mm256_slli_epi32(_mm256_max_epi32(lowered, _mm256_set1_epi32(1)), 23)
    // Zero, or NaN where the largest magnitude is infinite or NaN.
    let fault = largest * Lanes(repeating: 0)
    return unsafeBitCast(steps, to: Lanes.self) + fault
}

/// The inverses of powers of two, by negating their exponents. A vector division would be split into one per lane,
/// because the compiler sees that lanes are extracted one by one.
@inline(__always)
private func inverses(_ powers: Lanes) -> Lanes {
    unsafeBitCast(
        _mm256_sub_epi32(_mm256_set1_epi32(254 &<< 23), unsafeBitCast(powers, to: Bytes32.self)), to: Lanes.self)
}

// MARK: - Rounding

/// Calls `body` for every 16 columns, and for the padding up to a multiple of 32, because two groups are multiplied
/// together; `count` is the number of columns if there are fewer than 16.
@inline(__always)
private func forEach16(of columns: Int, _ body: (_ column: Int, _ count: Int?) -> Void) {
    let whole = columns & ~15
    for column in stride(from: 0, to: whole, by: 16) { body(column, nil) }
    for column in stride(from: whole, to: (columns &+ 31) & ~31, by: 16) { body(column, max(columns &- column, 0)) }
}

/// At most 16 16-bit numbers from an address, padded with zeros.
@inline(__always)
private func load16(_ source: UnsafeRawPointer, first count: Int?) -> Bytes32 {
    guard let count else { return bytes32(source) }
    let source = source.assumingMemoryBound(to: UInt16.self)
    return unsafeBitCast(
        (halves(source, first: min(count, 8)), halves(source + 8, first: max(count &- 8, 0))), to: Bytes32.self)
}

/// At most 16 floats from an address, padded with zeros.
@inline(__always)
private func load16(_ source: UnsafePointer<Float>, first count: Int?) -> LanesPair {
    guard let count else { return (load(source), load(source + 8)) }
    return (load(source, first: min(count, 8)), load(source + 8, first: max(count &- 8, 0)))
}

/// 16 numbers as multiples of a step, given its inverse, in the order of columns 0 … 3, 8 … 11, 4 … 7 and 12 … 15.
/// Weights and activations may have any order, as long as it is the same.
@inline(__always)
private func wholeNumbers(_ numbers: LanesPair, scale: Lanes) -> Bytes32 {
    _mm256_packs_epi32(_mm256_cvtps_epi32(numbers.a * scale), _mm256_cvtps_epi32(numbers.b * scale))
}

/// The bit patterns of the magnitudes, which order like the magnitudes themselves.
@inline(__always)
private func magnitudes(_ lanes: Lanes) -> Bytes32 {
    unsafeBitCast(lanes, to: Bytes32.self) & Bytes32(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}
#endif
