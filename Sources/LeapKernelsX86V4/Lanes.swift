#if arch(x86_64)
import _Builtin_intrinsics.intel

// The vector of floats that this level computes with; the portable level's `Lanes.swift` says what each function does.

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

@inline(__always)
private func brainFloats(_ upper: Bytes32) -> Lanes {
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

/// Floats to half precision, to nearest even.
///
/// The instruction that does this takes its rounding mode as an immediate, and such intrinsics are macros, which Swift
/// does not see. A float's bits are rounded instead: a normal number by adding just under half a unit, and the unit's
/// own bit, after its exponent is rebased; a subnormal one by adding it to 0.5, whose last bit is worth 2⁻²⁴.
@inline(__always)
private func halves(_ lanes: Lanes) -> Bytes32 {
    let bits = unsafeBitCast(lanes, to: LaneBits.self)
    let magnitude = bits & LaneBits(repeating: 0x7FFF_FFFF)

    let odd = (magnitude &>> LaneBits(repeating: 13)) & LaneBits(repeating: 1)
    let normal = (magnitude &+ odd &- LaneBits(repeating: 112 << 23 - 0xFFF)) &>> LaneBits(repeating: 13)
    let shifted = unsafeBitCast(magnitude, to: Lanes.self) + Lanes(repeating: 0.5)
    let subnormal = unsafeBitCast(shifted, to: LaneBits.self) &- LaneBits(repeating: 0x3F00_0000)

    // From 65,520 on the nearest is infinity; NaN keeps one bit of fraction.
    let infinity = LaneBits(repeating: 0x7C00)
    var result = select(normal, subnormal, where: isLess(magnitude, than: 0x3880_0000))
    result = select(infinity, result, where: isLess(magnitude, than: 0x477F_F000))
    result = select(infinity | 0x0200, result, where: isLess(magnitude, than: 0x7F80_0001))
    let sign = (bits &>> LaneBits(repeating: 16)) & LaneBits(repeating: 0x8000)
    return _mm512_cvtepi32_epi16(unsafeBitCast(result | sign, to: Bytes64.self))
}

/// All bits of the lanes that are less than a number; both are non-negative. A comparison would leave a mask register
/// bit by bit.
@inline(__always)
private func isLess(_ lanes: LaneBits, than limit: Int32) -> LaneBits {
    (lanes &- LaneBits(repeating: limit)) &>> LaneBits(repeating: 31)
}

/// `b` in the lanes of `mask`, `a` in the others.
@inline(__always)
private func select(_ a: LaneBits, _ b: LaneBits, where mask: LaneBits) -> LaneBits { (a & ~mask) | (b & mask) }

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

/// Adds the quarters of each vector, then transposes what is left: four sums for less than the price of two.
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
