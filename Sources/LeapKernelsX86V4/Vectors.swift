#if arch(x86_64)
import _Builtin_intrinsics.intel

// Integer vectors of any lane width, as Clang's intrinsics take them; the lane width is part of the intrinsic's name.

/// 64 bytes: `__m512i`.
typealias Bytes64 = SIMD8<Int64>
/// 32 bytes: `__m256i`.
typealias Bytes32 = SIMD4<Int64>
/// 16 bytes: `__m128i`.
typealias Bytes16 = SIMD2<Int64>

// MARK: - Memory

@inline(__always)
func bytes64(_ source: UnsafeRawPointer) -> Bytes64 { source.loadUnaligned(as: Bytes64.self) }

@inline(__always)
func bytes32(_ source: UnsafeRawPointer) -> Bytes32 { source.loadUnaligned(as: Bytes32.self) }

@inline(__always)
func bytes16(_ source: UnsafeRawPointer) -> Bytes16 { source.loadUnaligned(as: Bytes16.self) }

/// Two contiguous 32-byte pieces, `low` in the lower half.
@inline(__always)
func bytes64(_ low: UnsafeRawPointer, _ high: UnsafeRawPointer) -> Bytes64 { join(bytes32(low), bytes32(high)) }

/// The same 32 bytes in both halves.
@inline(__always)
func twice32(_ source: UnsafeRawPointer) -> Bytes64 { _mm512_broadcast_i64x4(bytes32(source)) }

// MARK: - Lanes

/// A vector of two halves.
@inline(__always)
func join(_ low: Bytes32, _ high: Bytes32) -> Bytes64 {
    _mm512_mask_broadcast_i64x4(_mm512_castsi256_si512(low), 0xF0, high)
}

/// Broadcasts a byte to all 64 lanes.
@inline(__always)
func splat(_ byte: UInt8) -> Bytes64 { Bytes64(repeating: Int64(bitPattern: UInt64(byte) &* 0x0101_0101_0101_0101)) }

/// Broadcasts a byte to the lower 32 lanes and another to the upper 32.
@inline(__always)
func splat(_ low: UInt8, _ high: UInt8) -> Bytes64 {
    let low = Int64(bitPattern: UInt64(low) &* 0x0101_0101_0101_0101)
    let high = Int64(bitPattern: UInt64(high) &* 0x0101_0101_0101_0101)
    return Bytes64(low, low, low, low, high, high, high, high)
}

/// Broadcasts a 16-bit number to all 32 lanes.
@inline(__always)
func splat16(_ number: Int64) -> Bytes64 { Bytes64(repeating: number &* 0x0001_0001_0001_0001) }

/// Broadcasts a 16-bit number to the lower 16 lanes and another to the upper 16.
@inline(__always)
func splat16(_ low: Int64, _ high: Int64) -> Bytes64 {
    Bytes64(low, low, low, low, high, high, high, high) &* Bytes64(repeating: 0x0001_0001_0001_0001)
}

/// Broadcasts a 32-bit number to the lower 8 lanes and another to the upper 8.
@inline(__always)
func splat32(_ low: Int64, _ high: Int64) -> Bytes64 {
    Bytes64(low, low, low, low, high, high, high, high) &* Bytes64(repeating: 0x1_0000_0001)
}

/// Broadcasts each of eight 16-bit numbers to four neighbouring lanes.
@inline(__always)
func quadruple(
    _ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64, _ e: Int64, _ f: Int64, _ g: Int64, _ h: Int64
) -> Bytes64 {
    Bytes64(a, b, c, d, e, f, g, h) &* Bytes64(repeating: 0x0001_0001_0001_0001)
}

/// Bytes shifted right, by one count in the lower half and another in the upper, and masked: extracts a bit field from
/// every byte. The shift works on 16-bit lanes; the mask drops the bits that come from the neighbouring byte.
@inline(__always)
func field(_ bytes: Bytes64, shifts: (low: Int64, high: Int64), mask: UInt8) -> Bytes64 {
    _mm512_srlv_epi16(bytes, splat16(shifts.low, shifts.high)) & splat(mask)
}

/// Sums of four neighbouring products of unsigned and signed bytes, added to 32-bit lanes.
@inline(__always)
func addProducts(_ sums: Bytes64, _ unsigned: Bytes64, _ signed: Bytes64) -> Bytes64 {
    _mm512_dpbusd_epi32(sums, unsigned, signed)
}

/// 32-bit lanes as floats.
@inline(__always)
func floats(_ integers: Bytes64) -> SIMD16<Float> { _mm512_cvtepi32_ps(integers) }
#endif
