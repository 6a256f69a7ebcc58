#if arch(x86_64)
private import Builtin
import _Builtin_intrinsics.intel

// The float vector type of this level; the portable level's `Lanes.swift` documents each function.

/// 16 floats: `__m512`.
typealias Lanes = SIMD16<Float>

/// The bit patterns of ``Lanes``.
typealias LaneBits = SIMD16<Int32>

@inline(__always)
var hasManyRegisters: Bool { true }

// MARK: - Memory

@inline(__always)
func load(_ source: UnsafePointer<Float>) -> Lanes { UnsafeRawPointer(source).loadUnaligned(as: Lanes.self) }

@inline(__always)
func load(_ source: UnsafePointer<Float>, first count: Int) -> Lanes { _mm512_maskz_loadu_ps(mask(count), source) }

@inline(__always)
func store(_ lanes: Lanes, to destination: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(destination).storeBytes(of: lanes, as: Lanes.self)
}

@inline(__always)
func store(_ lanes: Lanes, first count: Int, to destination: UnsafeMutablePointer<Float>) {
    _mm512_mask_storeu_ps(destination, mask(count), lanes)
}

/// The mask of the first `count` of 16 lanes.
@inline(__always)
private func mask(_ count: Int) -> UInt16 { UInt16(truncatingIfNeeded: (1 &<< count) &- 1) }

// MARK: - Half precision

@inline(__always)
func loadHalf(_ source: UnsafeRawPointer) -> Float { _cvtsh_ss(source.loadUnaligned(as: UInt16.self)) }

/// The values of four half-precision bit patterns.
@inline(__always)
func floats(halves: SIMD4<UInt16>) -> SIMD4<Float> {
    _mm_cvtph_ps(Bytes16(unsafeBitCast(halves, to: Int64.self), 0))
}

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>) -> Lanes { _mm512_cvtph_ps(bytes32(source)) }

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask(count), source))
}

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>) -> Lanes { brainFloats(bytes32(source)) }

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    brainFloats(_mm256_maskz_loadu_epi16(mask(count), source))
}

/// Converts bfloat16 numbers, which are the upper halves of floats, to single precision.
@inline(__always)
func brainFloats(_ upper: Bytes32) -> Lanes {
    unsafeBitCast(_mm512_slli_epi32(_mm512_cvtepu16_epi32(upper), 16), to: Lanes.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, to destination: UnsafeMutablePointer<UInt16>) {
    UnsafeMutableRawPointer(destination).storeBytes(of: halves(lanes), as: Bytes32.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, first count: Int, to destination: UnsafeMutablePointer<UInt16>) {
    _mm256_mask_storeu_epi16(destination, mask(count), halves(lanes))
}

/// Converts floats to half precision, rounding to nearest even.
///
/// The instruction takes its rounding mode as an immediate, and such intrinsics are macros, which Swift does not
/// import. The compiler's own cast compiles to that instruction; the type `Float16` is not available on every platform.
@inline(__always)
private func halves(_ lanes: Lanes) -> Bytes32 {
    var bits = SIMD16<UInt16>()
    bits._storage._value = Builtin.bitcast_Vec16xFPIEEE16_Vec16xInt16(
        Builtin.fptrunc_Vec16xFPIEEE32_Vec16xFPIEEE16(lanes._storage._value))
    return unsafeBitCast(bits, to: Bytes32.self)
}

/// Converts four floats to half precision, rounding to nearest even.
@inline(__always)
func halves(_ floats: SIMD4<Float>) -> SIMD4<UInt16> {
    var bits = SIMD4<UInt16>()
    bits._storage._value = Builtin.bitcast_Vec4xFPIEEE16_Vec4xInt16(
        Builtin.fptrunc_Vec4xFPIEEE32_Vec4xFPIEEE16(floats._storage._value))
    return bits
}

/// The bit patterns of 16 magnitudes, which order like the magnitudes; infinity and NaN come after all finite numbers.
@inline(__always)
func magnitudeBits(_ lanes: Lanes) -> Bytes64 {
    unsafeBitCast(lanes, to: Bytes64.self) & Bytes64(repeating: 0x7FFF_FFFF_7FFF_FFFF)
}

// MARK: - Bytes

@inline(__always)
func loadSignedBytes(_ source: UnsafePointer<Int8>) -> Lanes { floats(_mm512_cvtepi8_epi32(bytes16(source))) }

// MARK: - Arithmetic

@inline(__always)
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes { _mm512_fmadd_ps(a, b, c) }

@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_max_ps(a, b) }

@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_min_ps(a, b) }

@inline(__always)
func horizontalSum(_ lanes: Lanes) -> Float { _mm512_reduce_add_ps(lanes) }

/// Adds the quarters of each vector, then reduces all four vectors together: cheaper than two separate sums.
@inline(__always)
func horizontalSums(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> SIMD4<Float> {
    let ab = _mm_hadd_ps(sumOfQuarters(a), sumOfQuarters(b))
    let cd = _mm_hadd_ps(sumOfQuarters(c), sumOfQuarters(d))
    return _mm_hadd_ps(ab, cd)
}

/// The four quarters of a vector.
typealias Quarters = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

@inline(__always)
func sumOfQuarters(_ lanes: Lanes) -> SIMD4<Float> {
    let quarters = unsafeBitCast(lanes, to: Quarters.self)
    return (quarters.0 + quarters.1) + (quarters.2 + quarters.3)
}

@inline(__always)
func horizontalMaximum(_ lanes: Lanes) -> Float { _mm512_reduce_max_ps(lanes) }
#endif
