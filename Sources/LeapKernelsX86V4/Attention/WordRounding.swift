#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Halves rounded to 16-bit integers, in the layout of their products.

/// The largest integer value: 32 · 32,767 · 2047 < 2³¹.
@inline(__always)
var valueLimit: Float { 2047 }

/// The positions of weights in pairs: packing two vectors of 16 interleaves them by quarters, two pairs from each.
@inline(__always)
func placeOfPair(_ pair: Int) -> Int { pair & ~15 | (pair & 6) &<< 1 | (pair & 8) &>> 2 | pair & 1 }

/// Rounds a `[rows, columns]` matrix of halves to multiples of one step per column: `[rows / 2, stride, 2]`, with pairs
/// of rows at their usual index, zeros in place of a missing last row, and columns padded with zeros to whole vectors.
@inline(__always)
func convertColumns(
    _ source: Matrix<UnsafePointer<UInt16>>, rows: Int, columns: Int, limit: Float,
    to target: Matrix<UnsafeMutableRawPointer>, steps: UnsafeMutablePointer<Float>, place: (_ pair: Int) -> Int
) {
    for column in stride(from: 0, to: columns & ~15, by: 16) {
        convertVector(source, rows, column, limit, to: target, steps, place) { bytes32($0) }
    }
    guard columns & 15 != 0 else { return }
    let mask = UInt16(truncatingIfNeeded: (1 &<< (columns & 15)) &- 1)
    convertVector(source, rows, columns & ~15, limit, to: target, steps, place) { _mm256_maskz_loadu_epi16(mask, $0) }
}

/// ``convertColumns`` for 16 columns.
@inline(__always)
private func convertVector(
    _ source: Matrix<UnsafePointer<UInt16>>, _ rows: Int, _ column: Int, _ limit: Float,
    to target: Matrix<UnsafeMutableRawPointer>, _ steps: UnsafeMutablePointer<Float>, _ place: (_ pair: Int) -> Int,
    halves: (UnsafePointer<UInt16>) -> Bytes32
) {
    let magnitude = Bytes32(repeating: 0x7FFF_7FFF_7FFF_7FFF)
    let top = source.base + column
    var largest = Bytes32(repeating: 0)
    for row in 0..<rows { largest = _mm256_max_epu16(largest, halves(top + row &* source.stride) & magnitude) }
    let size = _mm512_cvtph_ps(largest)
    store(size / Lanes(repeating: limit), to: steps + column)

    // If all are zero, so is the product with any scale.
    let scale = Lanes(repeating: limit) / maximum(size, Lanes(repeating: 1e-30))
    for pair in 0..<rows / 2 {
        let two = top + 2 &* pair &* source.stride
        let words = pairs(
            _mm512_cvtph_ps(halves(two)) * scale, _mm512_cvtph_ps(halves(two + source.stride)) * scale)
        (target.base + 4 &* (place(pair) &* target.stride &+ column)).storeBytes(of: words, as: Bytes64.self)
    }
    if rows & 1 == 1 {
        let last = _mm512_cvtph_ps(halves(top + (rows &- 1) &* source.stride))
        (target.base + 4 &* (place(rows / 2) &* target.stride &+ column))
            .storeBytes(of: pairs(last * scale, Lanes(repeating: 0)), as: Bytes64.self)
    }
}

/// Two vectors, rounded to 16-bit numbers and interleaved in every lane.
@inline(__always)
private func pairs(_ low: Lanes, _ high: Lanes) -> Bytes64 {
    let lower = _mm512_cvtps_epi32(low) & Bytes64(repeating: 0x0000_FFFF_0000_FFFF)
    return lower | _mm512_slli_epi32(_mm512_cvtps_epi32(high), 16)
}

func areFinite(_ numbers: UnsafePointer<Float>, _ count: Int) -> Bool {
    magnitude(of: numbers, count) < .infinity
}

/// The largest magnitude of some numbers; infinity or NaN if one of them is not finite.
@inline(__always)
func magnitude(of numbers: UnsafePointer<Float>, _ count: Int) -> Float {
    var largest = Bytes64(repeating: 0)
    for i in stride(from: 0, to: count & ~15, by: 16) {
        largest = _mm512_max_epi32(largest, magnitudeBits(load(numbers + i)))
    }
    if count & 15 != 0 {
        let rest = load(numbers + (count & ~15), first: count & 15)
        largest = _mm512_max_epi32(largest, magnitudeBits(rest))
    }
    return Float(bitPattern: UInt32(bitPattern: _mm512_reduce_max_epi32(largest)))
}
#endif
