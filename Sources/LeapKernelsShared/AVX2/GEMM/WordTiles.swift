#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights in half precision and bfloat16 are converted to tiles of 16-bit integers, by the rule described in the file
// of this name of `x86-v4`. The CPU multiplies twice as many of these per cycle (`vpmaddwd`) as floats.
//
// The tiles are those of quants of 16 bits with a scale for every 16 columns.

/// Unpacks rows of half precision; see `UnpackKernel`.
let unpackTileF16: UnpackKernel = { unpackWords(($0, $1, $2, $3, $4)) { _mm256_cvtph_ps($0) } }

/// Unpacks rows of brain floats; see `UnpackKernel`.
let unpackTileBF16: UnpackKernel = { unpackWords(($0, $1, $2, $3, $4)) { brainFloats($0) } }

/// Packs floats as whole numbers; see `PackKernel`.
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
/// - Parameter floats: Makes floats of 8 numbers. A greater magnitude, as the file has it, must be a greater float.
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

/// The largest magnitudes of 8 rows of 16 numbers of 16 bits.
///
/// What lies side by side is compared, and makes room for other rows: numbers in words of two rows, words in pairs of four,
/// pairs in halves of eight, and halves.
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

/// The larger of the two numbers in every word, of the first row in the lower half and of the second in the upper.
@inline(__always)
private func largestOfWords(_ first: Bytes32, _ second: Bytes32) -> Bytes32 {
    let upper = _mm256_set1_epi32(-65_536)
    return _mm256_max_epu16(
        _mm256_blendv_epi8(first, _mm256_slli_epi32(second, 16), upper),
        _mm256_blendv_epi8(_mm256_srli_epi32(first, 16), second, upper))
}

/// Numbers of 16 bits without their signs.
@inline(__always)
private func magnitudes16(_ numbers: Bytes32) -> Bytes32 { numbers & splat16(0x7FFF) }

/// What 8 groups of weights become multiples of, by the largest of each; see `wordStep`.
@inline(__always)
private func steps(ofLargest largest: Lanes) -> Lanes {
    let exponents = _mm256_srli_epi32(unsafeBitCast(largest, to: Bytes32.self), 23)
    let lowered = _mm256_sub_epi32(exponents, _mm256_set1_epi32(12))
    let steps = _mm256_slli_epi32(_mm256_max_epi32(lowered, _mm256_set1_epi32(1)), 23)
    // Zero, or not a number where the largest is none.
    let fault = largest * Lanes(repeating: 0)
    return unsafeBitCast(steps, to: Lanes.self) + fault
}

/// The inverses of powers of two, whose exponents mirror theirs. A division would be one for each lane: the compiler sees that
/// lanes are taken out one by one.
@inline(__always)
private func inverses(_ powers: Lanes) -> Lanes {
    unsafeBitCast(
        _mm256_sub_epi32(_mm256_set1_epi32(254 &<< 23), unsafeBitCast(powers, to: Bytes32.self)), to: Lanes.self)
}

// MARK: - Rounding

/// Calls `body` for every 16 columns, and for those after the last up to a multiple of 32, since two groups are multiplied
/// together; with how many there are if they are fewer than 16.
@inline(__always)
private func forEach16(of columns: Int, _ body: (_ column: Int, _ count: Int?) -> Void) {
    let whole = columns & ~15
    for column in stride(from: 0, to: whole, by: 16) { body(column, nil) }
    for column in stride(from: whole, to: (columns &+ 31) & ~31, by: 16) { body(column, max(columns &- column, 0)) }
}

/// The numbers of 16 bits at a place, at most 16; zeros after them.
@inline(__always)
private func load16(_ source: UnsafeRawPointer, first count: Int?) -> Bytes32 {
    guard let count else { return bytes32(source) }
    let source = source.assumingMemoryBound(to: UInt16.self)
    return unsafeBitCast(
        (halves(source, first: min(count, 8)), halves(source + 8, first: max(count &- 8, 0))), to: Bytes32.self)
}

/// The floats at a place, at most 16; zeros after them.
@inline(__always)
private func load16(_ source: UnsafePointer<Float>, first count: Int?) -> LanesPair {
    guard let count else { return (load(source), load(source + 8)) }
    return (load(source, first: min(count, 8)), load(source + 8, first: max(count &- 8, 0)))
}

/// 16 numbers as multiples of a step, by its inverse: those of columns 0 … 3, 8 … 11, 4 … 7 and 12 … 15. Weights and
/// activations may have any order as long as it is the same.
@inline(__always)
private func wholeNumbers(_ numbers: LanesPair, scale: Lanes) -> Bytes32 {
    _mm256_packs_epi32(_mm256_cvtps_epi32(numbers.a * scale), _mm256_cvtps_epi32(numbers.b * scale))
}

/// The bits of numbers without their signs, which are in the order of the numbers.
@inline(__always)
private func magnitudes(_ lanes: Lanes) -> Bytes32 {
    unsafeBitCast(lanes, to: Bytes32.self) & Bytes32(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}
#endif
