#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Quantises activations to signed bytes: four blocks of 32 at a time, so that one vector serves the maxima, divisions and
// sums of all four, or a block of 256. The results are identical to those of other levels.

/// This level's function that quantises activations to a type.
func quantizeByVectors(to type: GGMLType) -> QuantizeKernel? {
    switch type {
    case .Q8_0: quantizeQ8_0ByQuartets
    case .Q8_1: quantizeQ8_1ByQuartets
    case .Q8_K: quantizeQ8_KByVectors
    default: nil
    }
}

/// See `quantizeQ8_0`.
private func quantizeQ8_0ByQuartets(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int
) {
    forEachQuartet(source, destination, blocks, BlockQ8_0.byteCount, otherwise: quantizeQ8_0) { quartet, target in
        let scales = halves(quartet.scales)
        _ = quartet.store(to: target + BlockQ8_0.qs, BlockQ8_0.byteCount)
        for block in 0..<4 {
            (target + block &* BlockQ8_0.byteCount)
                .storeBytes(of: scales[block], toByteOffset: BlockQ8_0.d, as: UInt16.self)
        }
    }
}

/// See `quantizeQ8_1`.
private func quantizeQ8_1ByQuartets(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int
) {
    forEachQuartet(source, destination, blocks, BlockQ8_1.byteCount, otherwise: quantizeQ8_1) { quartet, target in
        let sums = quartet.store(to: target + BlockQ8_1.qs, BlockQ8_1.byteCount)
        let (scales, products) = (halves(quartet.scales), halves(quartet.scales * sums))
        for block in 0..<4 {
            let target = target + block &* BlockQ8_1.byteCount
            target.storeBytes(of: scales[block], toByteOffset: BlockQ8_1.d, as: UInt16.self)
            target.storeBytes(of: products[block], toByteOffset: BlockQ8_1.s, as: UInt16.self)
        }
    }
}

/// See `quantizeQ8_K`.
private func quantizeQ8_KByVectors(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int
) {
    for index in 0..<blocks {
        let (source, block) = (source + 256 &* index, destination + BlockQ8_K.byteCount &* index)
        let largest = largestOf256(source)
        let inverse = 127 / largest
        // Zeros, numbers whose inverse overflows, and blocks with a number that is not finite.
        guard inverse.isFinite, largest.isFinite else {
            quantizeQ8_K(source, block, 1)
            continue
        }
        block.storeBytes(of: 1 / inverse, toByteOffset: BlockQ8_K.d, as: Float.self)
        let parts = (
            quantize64(source, inverse), quantize64(source + 64, inverse), quantize64(source + 128, inverse),
            quantize64(source + 192, inverse)
        )
        let quants = block + BlockQ8_K.qs
        store(parts.0, to: quants)
        store(parts.1, to: quants + 64)
        store(parts.2, to: quants + 128)
        store(parts.3, to: quants + 192)
        (block + BlockQ8_K.bsums).storeBytes(of: sumsOf16(parts), as: Bytes32.self)
    }
}

/// 64 numbers times a factor, rounded to the nearest integers, ties to even.
@inline(__always)
private func quantize64(_ source: UnsafePointer<Float>, _ factor: Float) -> Bytes64 {
    let factor = Lanes(repeating: factor)
    @inline(__always) func quants(_ index: Int) -> Bytes64 { _mm512_cvtps_epi32(load(source + 16 &* index) * factor) }
    // Quarter q of the packed bytes has elements 4q … 4q + 3 of each of the four vectors.
    return transposedWords(
        _mm512_packs_epi16(_mm512_packs_epi32(quants(0), quants(1)), _mm512_packs_epi32(quants(2), quants(3))))
}

/// The sums of every 16 of 256 signed bytes, as 16-bit numbers.
@inline(__always)
private func sumsOf16(_ bytes: (Bytes64, Bytes64, Bytes64, Bytes64)) -> Bytes32 {
    @inline(__always) func sumsOf4(_ bytes: Bytes64) -> Bytes64 { addProducts(Bytes64(), splat(1), bytes) }
    @inline(__always) func halve(_ a: Bytes64, _ b: Bytes64) -> Bytes64 {
        _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
    }
    let (a, b) = (halve(sumsOf4(bytes.0), sumsOf4(bytes.1)), halve(sumsOf4(bytes.2), sumsOf4(bytes.3)))
    let sums = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
    return _mm512_cvtepi32_epi16(transposedWords(sums))
}

/// Word `j` of quarter `i` becomes word `i` of quarter `j`.
@inline(__always)
private func transposedWords(_ words: Bytes64) -> Bytes64 {
    let places = LaneBits(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
    return _mm512_permutexvar_epi32(unsafeBitCast(places, to: Bytes64.self), words)
}

/// The largest magnitude of 256 numbers; not finite if one of them is not.
@inline(__always)
private func largestOf256(_ source: UnsafePointer<Float>) -> Float {
    var largest = largestBits(source)
    for index in 1..<8 { largest = _mm512_max_epi32(largest, largestBits(source + 32 &* index)) }
    return Float(bitPattern: UInt32(bitPattern: _mm512_reduce_max_epi32(largest)))
}

/// Visits blocks four at a time. The last four may overlap earlier ones, which are then rewritten with the same values.
///
/// - Parameter otherwise: Handles fewer than four blocks, and four of which one is zero or not finite.
@inline(__always)
private func forEachQuartet(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int, _ byteCount: Int,
    otherwise: (UnsafePointer<Float>, UnsafeMutableRawPointer, Int) -> Void,
    _ body: (Quartet, UnsafeMutableRawPointer) -> Void
) {
    guard blocks >= 4 else { return otherwise(source, destination, blocks) }
    for first in stride(from: 0, to: blocks, by: 4) {
        let first = min(first, blocks &- 4)
        let (source, target) = (source + 32 &* first, destination + byteCount &* first)
        let quartet = Quartet(source)
        if quartet.isNormal { body(quartet, target) } else { otherwise(source, target, 4) }
    }
}

/// Four blocks of 32 numbers.
private struct Quartet {
    private let source: UnsafePointer<Float>
    /// The largest magnitude of each block, repeated in the lanes of the block's quarter.
    private let largest: Lanes

    @inline(__always)
    init(_ source: UnsafePointer<Float>) {
        self.source = source
        let bits = combine(
            largestBits(source), largestBits(source + 32), largestBits(source + 64), largestBits(source + 96)
        ) { _mm512_max_epi32($0, $1) }
        largest = unsafeBitCast(bits, to: Lanes.self)
    }

    /// Each block's d, the factor of its quants, repeated in the lanes of the block's quarter.
    @inline(__always)
    private var steps: Lanes { largest / Lanes(repeating: 127) }

    @inline(__always)
    var scales: SIMD4<Float> { firsts(unsafeBitCast(steps, to: Bytes64.self), as: SIMD4<Float>.self) }

    /// Whether all scales are normal numbers, and all magnitudes finite.
    @inline(__always)
    var isNormal: Bool {
        let (steps, largest) = (unsafeBitCast(steps, to: LaneBits.self), unsafeBitCast(largest, to: LaneBits.self))
        // Negative if not.
        let tests = (steps &- 0x0080_0000) | (0x7F7F_FFFF &- largest)
        return _mm512_movepi32_mask(unsafeBitCast(tests, to: Bytes64.self)) == 0
    }

    /// Writes the quants of each block; returns their sums.
    @inline(__always)
    func store(to target: UnsafeMutableRawPointer, _ byteCount: Int) -> SIMD4<Float> {
        let inverses = Lanes(repeating: 1) / steps
        let sums = combine(
            quantize(0, inverses, target), quantize(1, inverses, target + byteCount),
            quantize(2, inverses, target + 2 &* byteCount), quantize(3, inverses, target + 3 &* byteCount)
        ) { _mm512_add_epi32($0, $1) }
        return SIMD4<Float>(firsts(sums, as: SIMD4<Int32>.self))
    }

    /// Writes a block's quants; returns 16 partial sums of them.
    @inline(__always)
    private func quantize(_ block: Int, _ inverses: Lanes, _ quants: UnsafeMutableRawPointer) -> Bytes64 {
        let lanes = LaneBits(repeating: 4 &* Int32(truncatingIfNeeded: block))
        let inverse = _mm512_permutexvar_ps(unsafeBitCast(lanes, to: Bytes64.self), inverses)
        let low = roundedHalfAway(load(source + 32 &* block) * inverse)
        let high = roundedHalfAway(load(source + (32 &* block &+ 16)) * inverse)
        quants.storeBytes(of: _mm512_cvtepi32_epi8(low), as: Bytes16.self)
        (quants + 16).storeBytes(of: _mm512_cvtepi32_epi8(high), as: Bytes16.self)
        return _mm512_add_epi32(low, high)
    }
}

/// The bit patterns of the magnitudes of 32 numbers, reduced to 16 by the maximum of the two halves.
@inline(__always)
private func largestBits(_ source: UnsafePointer<Float>) -> Bytes64 {
    _mm512_max_epi32(magnitudeBits(load(source)), magnitudeBits(load(source + 16)))
}

/// Vector version of `roundedHalfAway`.
@inline(__always)
private func roundedHalfAway(_ x: Lanes) -> Bytes64 {
    let sign = unsafeBitCast(x, to: LaneBits.self) & LaneBits(repeating: Int32.min)
    return _mm512_cvttps_epi32(x + unsafeBitCast(sign | LaneBits(repeating: 0x3EFF_FFFF), to: Lanes.self))
}

/// Reduces each of four vectors across its lanes; the i-th result fills quarter i.
@inline(__always)
private func combine(
    _ a: Bytes64, _ b: Bytes64, _ c: Bytes64, _ d: Bytes64, _ operation: (Bytes64, Bytes64) -> Bytes64
) -> Bytes64 {
    let halves: (Bytes64, Bytes64) = (SIMD8(0, 1, 2, 3, 8, 9, 10, 11), SIMD8(4, 5, 6, 7, 12, 13, 14, 15))
    let quarters: (Bytes64, Bytes64) = (SIMD8(0, 1, 4, 5, 8, 9, 12, 13), SIMD8(2, 3, 6, 7, 10, 11, 14, 15))
    let ab = operation(_mm512_permutex2var_epi64(a, halves.0, b), _mm512_permutex2var_epi64(a, halves.1, b))
    let cd = operation(_mm512_permutex2var_epi64(c, halves.0, d), _mm512_permutex2var_epi64(c, halves.1, d))
    let all = operation(
        _mm512_permutex2var_epi64(ab, quarters.0, cd), _mm512_permutex2var_epi64(ab, quarters.1, cd))
    let two = operation(all, _mm512_permutexvar_epi64(SIMD8(1, 0, 3, 2, 5, 4, 7, 6), all))
    return operation(two, _mm512_rorv_epi64(two, Bytes64(repeating: 32)))
}

/// The first lane of each quarter.
@inline(__always)
private func firsts<Four>(_ quarters: Bytes64, as type: Four.Type) -> Four {
    let places = unsafeBitCast(LaneBits(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), to: Bytes64.self)
    return unsafeBitCast(_mm512_permutexvar_epi32(places, quarters).lowHalf.lowHalf, to: type)
}
#endif
