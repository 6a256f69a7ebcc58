#if arch(x86_64)
private import Builtin
import _Builtin_intrinsics.intel

// The float vector type of this level; the portable level's `Lanes.swift` documents each function.

/// 8 floats: `__m256`.
typealias Lanes = SIMD8<Float>

/// The bit patterns of ``Lanes``.
typealias LaneBits = SIMD8<Int32>

@inline(__always)
var hasManyRegisters: Bool { false }

// MARK: - Memory

@inline(__always)
func load(_ source: UnsafePointer<Float>) -> Lanes { UnsafeRawPointer(source).loadUnaligned(as: Lanes.self) }

@inline(__always)
func load(_ source: UnsafePointer<Float>, first count: Int) -> Lanes {
    var lanes = Lanes(repeating: 0)
    for i in 0..<count { lanes[i] = source[i] }
    return lanes
}

@inline(__always)
func store(_ lanes: Lanes, to destination: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(destination).storeBytes(of: lanes, as: Lanes.self)
}

@inline(__always)
func store(_ lanes: Lanes, first count: Int, to destination: UnsafeMutablePointer<Float>) {
    for i in 0..<count { destination[i] = lanes[i] }
}

// MARK: - Half precision

@inline(__always)
func loadHalf(_ source: UnsafeRawPointer) -> Float { _cvtsh_ss(source.loadUnaligned(as: UInt16.self)) }

/// The values of four half-precision bit patterns.
@inline(__always)
func floats(halves: SIMD4<UInt16>) -> SIMD4<Float> {
    _mm_cvtph_ps(Bytes16(unsafeBitCast(halves, to: Int64.self), 0))
}

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>) -> Lanes { _mm256_cvtph_ps(bytes16(source)) }

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    _mm256_cvtph_ps(halves(source, first: count))
}

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>) -> Lanes { brainFloats(bytes16(source)) }

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    brainFloats(halves(source, first: count))
}

@inline(__always)
func brainFloats(_ upper: Bytes16) -> Lanes {
    unsafeBitCast(_mm256_slli_epi32(_mm256_cvtepu16_epi32(upper), 16), to: Lanes.self)
}

/// The first `count` of 8 numbers of 16 bits, zeros after them.
@inline(__always)
func halves(_ source: UnsafePointer<UInt16>, first count: Int) -> Bytes16 {
    var halves = SIMD8<UInt16>(repeating: 0)
    for i in 0..<count { halves[i] = source[i] }
    return unsafeBitCast(halves, to: Bytes16.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, to destination: UnsafeMutablePointer<UInt16>) {
    UnsafeMutableRawPointer(destination).storeBytes(of: halves(lanes), as: SIMD8<UInt16>.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, first count: Int, to destination: UnsafeMutablePointer<UInt16>) {
    let halves = halves(lanes)
    for i in 0..<count { destination[i] = halves[i] }
}

/// Converts floats to half precision, rounding to nearest even.
///
/// The instruction takes its rounding mode as an immediate, and such intrinsics are macros, which Swift does not
/// import. The compiler's own cast compiles to that instruction; the type `Float16` is not available on every platform.
@inline(__always)
private func halves(_ lanes: Lanes) -> SIMD8<UInt16> {
    var bits = SIMD8<UInt16>()
    bits._storage._value = Builtin.bitcast_Vec8xFPIEEE16_Vec8xInt16(
        Builtin.fptrunc_Vec8xFPIEEE32_Vec8xFPIEEE16(lanes._storage._value))
    return bits
}

// MARK: - Bytes

@inline(__always)
func loadSignedBytes(_ source: UnsafePointer<Int8>) -> Lanes {
    let bytes = Bytes16(UnsafeRawPointer(source).loadUnaligned(as: Int64.self), 0)
    return floats(_mm256_cvtepi8_epi32(bytes))
}

// MARK: - Arithmetic

@inline(__always)
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes { _mm256_fmadd_ps(a, b, c) }

@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { _mm256_max_ps(a, b) }

@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { _mm256_min_ps(a, b) }

@inline(__always)
func horizontalSum(_ lanes: Lanes) -> Float {
    let quarters = sumOfHalves(lanes)
    return (quarters[0] + quarters[2]) + (quarters[1] + quarters[3])
}

/// Adds the halves of each vector, then reduces all four vectors together: cheaper than two separate sums.
@inline(__always)
func horizontalSums(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> SIMD4<Float> {
    let ab = _mm_hadd_ps(sumOfHalves(a), sumOfHalves(b))
    let cd = _mm_hadd_ps(sumOfHalves(c), sumOfHalves(d))
    return _mm_hadd_ps(ab, cd)
}

@inline(__always)
private func sumOfHalves(_ lanes: Lanes) -> SIMD4<Float> {
    let halves = unsafeBitCast(lanes, to: (SIMD4<Float>, SIMD4<Float>).self)
    return halves.0 + halves.1
}

@inline(__always)
func horizontalMaximum(_ lanes: Lanes) -> Float {
    let halves = unsafeBitCast(lanes, to: (SIMD4<Float>, SIMD4<Float>).self)
    let four = _mm_max_ps(halves.0, halves.1)
    let two = _mm_max_ps(four, SIMD4(four[2], four[3], four[0], four[1]))
    return _mm_max_ps(two, SIMD4(two[1], two[0], two[3], two[2]))[0]
}
#endif
