#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Half-precision and bfloat16 weights are converted to tiles of scaled 16-bit integers, of whose products (`vpdpwssd`)
// this CPU does twice as many per cycle as of floats. Every 16 columns of a row, of weights as of activations, are
// rounded to multiples of their own step:
//
//     x ≈ step · n    step a power of two; 2¹² ≤ max |n| < 2¹³ of weights, 2¹³ ≤ max |n| ≤ 2¹⁴ of activations
//
// A half has 11 significant bits, so that integer weights stay below 8192, and the products of 16 columns fit 32 bits.
// A half within two binades of its group's largest number is exact, a bfloat16 within five.

/// Unpacks rows of half precision; see `UnpackKernel`.
let unpackTileF16: UnpackKernel = { unpackWords(($0, $1, $2, $3, $4)) { _mm512_cvtph_ps($0) } }

/// Unpacks rows of bfloat16; see `UnpackKernel`.
let unpackTileBF16: UnpackKernel = { unpackWords(($0, $1, $2, $3, $4)) { brainFloats($0) } }

/// Packs floats as scaled integers; see `PackKernel`. The last row stands in for rows beyond it.
let packWords: PackKernel = { packWords(($0, $1, $2, $3, $4)) }

@inline(__always)
private func packWords(_ operands: SlabOperands) {
    forEach32(of: operands.columns) { column, count in
        @inline(__always) func words(_ index: Int) -> Bytes64 {
            let row = operands.source + min(index, operands.rows &- 1) &* operands.stride
            let numbers = load32(row.assumingMemoryBound(to: Float.self) + column, first: count)
            let steps = (step(numbers.low), step(numbers.high))
            let place = ActivationWordTile.steps &+ column / wordGroup &* ActivationTile.step &+ 4 &* index
            (operands.tile + place).storeBytes(of: steps.0, as: Float.self)
            (operands.tile + (place &+ ActivationTile.step)).storeBytes(of: steps.1, as: Float.self)
            return wholeNumbers(
                numbers, scales: (Lanes(repeating: 1 / steps.0), Lanes(repeating: 1 / steps.1)))
        }
        let place = operands.tile + (ActivationWordTile.numbers &+ column / 2 &* ActivationTile.step)
        interleave((words(0), words(1), words(2), words(3), words(4), words(5)), count: 16) { index, mixed in
            store(mixed, to: place + 64 &* index)
        }
    }
}

/// Unpacks 16 rows by 32 columns at a time; the last row stands in for rows beyond it.
///
/// - Parameter floats: Converts 16 numbers to floats. A greater bit pattern (without sign) must give a greater float.
@inline(__always)
private func unpackWords(_ operands: SlabOperands, floats: (_ numbers: Bytes32) -> Lanes) {
    for half in 0..<2 {
        let tile = operands.tile + 64 &* half
        let first = min(16 &* half, operands.rows &- 1)
        let last = operands.rows &- 1 &- first
        let source = operands.source + first &* operands.stride
        forEach32(of: operands.columns, areWhole: last >= 15) { column, count in
            @inline(__always) func numbers(_ index: Int) -> Bytes64 {
                let place = source + 2 &* column
                guard let count else { return bytes64(place + index &* operands.stride) }
                return load32(place + min(index, last) &* operands.stride, first: count)
            }
            let largest = largestMagnitudes(numbers)
            let steps: LanesPair = (
                steps(ofLargest: floats(largest.lowHalf)), steps(ofLargest: floats(largest.highHalf))
            )
            let place = tile + (WeightWordTile.steps &+ column / wordGroup &* weightVectors)
            store(unsafeBitCast(steps.low, to: Bytes64.self), to: place)
            store(unsafeBitCast(steps.high, to: Bytes64.self), to: place + weightVectors)
            let scales = LanesPair(inverses(steps.low), inverses(steps.high))
            transpose { index in
                let numbers = numbers(index)
                return wholeNumbers(
                    (floats(numbers.lowHalf), floats(numbers.highHalf)),
                    scales: (Lanes(repeating: scales.low[index]), Lanes(repeating: scales.high[index])))
            } _: { pair, words in
                store(words, to: tile + (WeightWordTile.numbers &+ (column / 2 &+ pair) &* weightVectors))
            }
        }
    }
}

// MARK: - Largest magnitudes

/// The largest magnitudes of 16 rows of 32 16-bit numbers: of each row's first 16, then of its last 16.
///
/// Every step takes the maximum of neighbours and interleaves the results of different rows in the freed lanes: 16-bit
/// numbers into words of two rows, words into pairs of four rows, pairs into lanes of eight rows, and finally lanes.
@inline(__always)
private func largestMagnitudes(_ row: (_ index: Int) -> Bytes64) -> Bytes64 {
    @inline(__always) func ofTwo(_ first: Int) -> Bytes64 {
        largestOfWords(magnitudes16(row(first)), magnitudes16(row(first &+ 1)))
    }
    @inline(__always) func ofFour(_ first: Int) -> Bytes64 {
        let (a, b) = (ofTwo(first), ofTwo(first &+ 2))
        return _mm512_max_epu16(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
    }
    @inline(__always) func ofEight(_ first: Int) -> Bytes64 {
        let (a, b) = (ofFour(first), ofFour(first &+ 4))
        return _mm512_max_epu16(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
    }
    let (a, b) = (ofEight(0), ofEight(8))
    return _mm512_max_epu16(
        _mm512_permutex2var_epi64(a, Bytes64(0, 1, 8, 9, 4, 5, 12, 13), b),
        _mm512_permutex2var_epi64(a, Bytes64(2, 3, 10, 11, 6, 7, 14, 15), b))
}

/// The larger of the two numbers in every word: the first row's in the word's lower half, the second row's in its upper
/// half.
@inline(__always)
private func largestOfWords(_ first: Bytes64, _ second: Bytes64) -> Bytes64 {
    _mm512_max_epu16(
        _mm512_mask_mov_epi16(first, 0xAAAA_AAAA, _mm512_slli_epi32(second, 16)),
        _mm512_mask_mov_epi16(_mm512_srli_epi32(first, 16), 0xAAAA_AAAA, second))
}

/// 16-bit numbers with their sign bits cleared.
@inline(__always)
private func magnitudes16(_ numbers: Bytes64) -> Bytes64 { numbers & splat16(0x7FFF) }

// MARK: - Rounding

/// Calls `body` for every 32 columns, with the number of columns for the last, partial ones.
///
/// - Parameter areWhole: Whether their rows all exist. If not, `body` always gets the number of columns.
@inline(__always)
private func forEach32(of columns: Int, areWhole: Bool = true, _ body: (_ column: Int, _ count: Int?) -> Void) {
    let whole = areWhole ? columns & ~31 : 0
    for column in stride(from: 0, to: whole, by: 32) { body(column, nil) }
    for column in stride(from: whole, to: columns, by: 32) { body(column, min(32, columns &- column)) }
}

/// 32 numbers: two groups.
private typealias LanesPair = (low: Lanes, high: Lanes)

/// At most 32 floats from an address, padded with zeros.
@inline(__always)
private func load32(_ source: UnsafePointer<Float>, first count: Int?) -> LanesPair {
    guard let count else { return (load(source), load(source + 16)) }
    return (load(source, first: min(count, 16)), load(source + 16, first: max(count &- 16, 0)))
}

/// At most 32 16-bit numbers from an address, padded with zeros.
@inline(__always)
private func load32(_ source: UnsafeRawPointer, first count: Int?) -> Bytes64 {
    guard let count else { return bytes64(source) }
    return _mm512_maskz_loadu_epi16(UInt32(truncatingIfNeeded: (1 &<< count) &- 1), source)
}

/// The step of a group of activations.
@inline(__always)
private func step(_ group: Lanes) -> Float {
    wordStep(largest: _mm512_reduce_max_epi32(magnitudes(group)), bits: activationBits)
}

/// The steps of 16 groups of weights, from the largest magnitude of each; see `wordStep`.
@inline(__always)
private func steps(ofLargest largest: Lanes) -> Lanes {
    let exponents = _mm512_srli_epi32(unsafeBitCast(largest, to: Bytes64.self), 23)
    let lowered = _mm512_sub_epi32(exponents, splat32(weightBits &- 1, weightBits &- 1))
    let steps = _mm512_slli_epi32(_mm512_max_epi32(lowered, splat32(1, 1)), 23)
    // Zero, or NaN where the largest magnitude is infinite or NaN.
    let fault = largest * Lanes(repeating: 0)
    return unsafeBitCast(steps, to: Lanes.self) + fault
}

/// The bits of the largest integer in a group of activations.
@inline(__always)
private var activationBits: Int32 { 14 }

/// The bits of the largest integer in a group of weights.
@inline(__always)
private var weightBits: Int64 { 13 }

/// The bit patterns of the magnitudes, which order like the magnitudes themselves.
@inline(__always)
private func magnitudes(_ lanes: Lanes) -> Bytes64 {
    unsafeBitCast(lanes, to: Bytes64.self) & Bytes64(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}

/// The inverses of numbers.
///
/// They pass through an identity permutation that the compiler cannot recognise; otherwise it would divide lane by
/// lane.
@inline(__always)
private func inverses(_ numbers: Lanes) -> Lanes {
    let places = Bytes64(
        0x1_0000_0000, 0x3_0000_0002, 0x5_0000_0004, 0x7_0000_0006,
        0x9_0000_0008, 0xB_0000_000A, 0xD_0000_000C, 0xF_0000_000E)
    return _mm512_permutexvar_ps(places &+ unknownZeros, 1 / numbers)
}

/// 32 numbers of a row as multiples of their groups' steps, given the inverses `scales`: columns 0 … 3, 16 … 19, 4 … 7,
/// 20 … 23 and so on.
@inline(__always)
private func wholeNumbers(_ numbers: LanesPair, scales: LanesPair) -> Bytes64 {
    let (low, high) = (numbers.low * scales.low, numbers.high * scales.high)
    return _mm512_packs_epi32(_mm512_cvtps_epi32(low), _mm512_cvtps_epi32(high))
}
#endif
