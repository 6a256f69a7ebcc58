#if arch(x86_64)
import _Builtin_intrinsics.intel

// Integer vectors of any lane width, as Clang's intrinsics take them; the lane width is part of the intrinsic's name.

/// 32 bytes: `__m256i`.
typealias Bytes32 = SIMD4<Int64>
/// 16 bytes: `__m128i`.
typealias Bytes16 = SIMD2<Int64>

// MARK: - Memory

@inline(__always)
func bytes32(_ source: UnsafeRawPointer) -> Bytes32 { source.loadUnaligned(as: Bytes32.self) }

@inline(__always)
func bytes16(_ source: UnsafeRawPointer) -> Bytes16 { source.loadUnaligned(as: Bytes16.self) }

/// Two contiguous 16-byte pieces, `low` in the lower half.
@inline(__always)
func join(_ low: UnsafeRawPointer, _ high: UnsafeRawPointer) -> Bytes32 {
    _mm256_set_m128i(bytes16(high), bytes16(low))
}

// MARK: - Lanes

/// Broadcasts a byte to all 32 lanes.
@inline(__always)
func splat(_ byte: UInt8) -> Bytes32 { Bytes32(repeating: Int64(bitPattern: UInt64(byte) &* 0x0101_0101_0101_0101)) }

/// Broadcasts a 16-bit number to all 16 lanes.
@inline(__always)
func splat16(_ number: Int64) -> Bytes32 { Bytes32(repeating: number &* 0x0001_0001_0001_0001) }

/// The same 16 bytes in both halves.
@inline(__always)
func twice(_ bytes: Bytes16) -> Bytes32 { _mm256_broadcastsi128_si256(bytes) }

/// Bytes shifted right and masked: extracts a bit field from every byte. The shift works on 16-bit lanes; the mask
/// drops the bits that come from the neighbouring byte.
@inline(__always)
func field(_ bytes: Bytes32, shift: Int32, mask: UInt8) -> Bytes32 { _mm256_srli_epi16(bytes, shift) & splat(mask) }

/// Moves one bit of every byte to another position in it; bits from the neighbouring byte are dropped.
@inline(__always)
func bit(_ place: Int32, of bytes: Bytes32, movedTo other: Int32) -> Bytes32 {
    let mask: UInt8 = 1 &<< UInt8(truncatingIfNeeded: other)
    guard place < other else { return field(bytes, shift: place &- other, mask: mask) }
    return _mm256_slli_epi16(bytes, other &- place) & splat(mask)
}

/// Sums of four neighbouring products of unsigned and signed bytes, in 32-bit lanes.
///
/// The intermediate sums of two fit 16 bits as long as no unsigned byte exceeds 127 (127 · 128 · 2 < 2¹⁵).
@inline(__always)
func products(_ unsigned: Bytes32, _ signed: Bytes32) -> Bytes32 {
    _mm256_madd_epi16(_mm256_maddubs_epi16(unsigned, signed), splat16(1))
}

/// 32-bit lanes as floats.
@inline(__always)
func floats(_ integers: Bytes32) -> Lanes { _mm256_cvtepi32_ps(integers) }

/// Sums of two neighbouring products of signed bytes, in 16-bit lanes: the magnitude of one factor times the other,
/// which takes the sign of the first. They fit for factors from −127 to 127; the first may also be −128.
@inline(__always)
func signedProductsOfTwo(_ a: Bytes32, _ b: Bytes32) -> Bytes32 {
    _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a))
}

/// Sums of four neighbouring products of signed bytes, in 32-bit lanes.
@inline(__always)
func signedProducts(_ a: Bytes32, _ b: Bytes32) -> Bytes32 {
    _mm256_madd_epi16(signedProductsOfTwo(a, b), splat16(1))
}
#endif
