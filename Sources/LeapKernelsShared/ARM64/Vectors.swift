#if arch(arm64)
import _Builtin_intrinsics.arm.neon

/// 16 unsigned bytes: `uint8x16_t`.
typealias Bytes = SIMD16<UInt8>
/// 16 signed bytes: `int8x16_t`.
typealias SignedBytes = SIMD16<Int8>
/// 4 numbers of 32 bits: `int32x4_t`.
typealias Words = SIMD4<Int32>

@inline(__always)
func bytes(_ source: UnsafeRawPointer) -> Bytes { source.loadUnaligned(as: Bytes.self) }

@inline(__always)
func signedBytes(_ source: UnsafeRawPointer) -> SignedBytes { source.loadUnaligned(as: SignedBytes.self) }

@inline(__always)
func signed(_ bytes: Bytes) -> SignedBytes { unsafeBitCast(bytes, to: SignedBytes.self) }

/// Bytes shifted right and masked: extracts a bit field from every byte.
@inline(__always)
func field(_ bytes: Bytes, shift: Int8, mask: UInt8) -> Bytes {
    vandq_u8(vshlq_u8(bytes, vdupq_n_s8(-shift)), vdupq_n_u8(mask))
}

/// Adds `amount` to the bytes where `bits` has a bit of `mask`.
@inline(__always)
func add(_ amount: UInt8, to bytes: Bytes, where bits: Bytes, mask: UInt8) -> Bytes {
    vorrq_u8(bytes, vandq_u8(vtstq_u8(bits, vdupq_n_u8(mask)), vdupq_n_u8(amount)))
}

/// Adds the sums of four neighbouring products of signed bytes.
@inline(__always)
func addProducts(_ sums: Words, _ a: SignedBytes, _ b: SignedBytes) -> Words { vdotq_s32(sums, a, b) }

/// The sums of four vectors.
@inline(__always)
func totals(_ a: Words, _ b: Words, _ c: Words, _ d: Words) -> Words { vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)) }
#endif
