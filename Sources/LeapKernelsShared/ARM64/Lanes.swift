#if arch(arm64)
import _Builtin_intrinsics.arm.neon

// The float vector type of this level; the portable level's `Lanes.swift` documents each function.

/// 4 floats: `float32x4_t`.
typealias Lanes = SIMD4<Float>

/// The bit patterns of ``Lanes``.
typealias LaneBits = SIMD4<Int32>

@inline(__always)
var hasManyRegisters: Bool { true }

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
func loadHalf(_ source: UnsafeRawPointer) -> Float {
    Float(Float16(bitPattern: source.loadUnaligned(as: UInt16.self)))
}

/// The values of four half-precision bit patterns.
@inline(__always)
func floats(halves: SIMD4<UInt16>) -> SIMD4<Float> { vcvt_f32_f16(unsafeBitCast(halves, to: SIMD4<Float16>.self)) }

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>) -> Lanes {
    floats(halves: UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt16>.self))
}

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    floats(halves: bits(source, first: count))
}

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>) -> Lanes {
    floats(upper: UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt16>.self))
}

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    floats(upper: bits(source, first: count))
}

/// Floats from their upper 16 bits.
@inline(__always)
private func floats(upper: SIMD4<UInt16>) -> Lanes {
    unsafeBitCast(vshlq_u32(vmovl_u16(upper), vdupq_n_s32(16)), to: Lanes.self)
}

/// The first `count` of 4 numbers, zeros after them.
@inline(__always)
private func bits(_ source: UnsafePointer<UInt16>, first count: Int) -> SIMD4<UInt16> {
    var bits = SIMD4<UInt16>(repeating: 0)
    for i in 0..<count { bits[i] = source[i] }
    return bits
}

@inline(__always)
func storeHalves(_ lanes: Lanes, to destination: UnsafeMutablePointer<UInt16>) {
    UnsafeMutableRawPointer(destination).storeBytes(of: vcvt_f16_f32(lanes), as: SIMD4<Float16>.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, first count: Int, to destination: UnsafeMutablePointer<UInt16>) {
    let halves = unsafeBitCast(vcvt_f16_f32(lanes), to: SIMD4<UInt16>.self)
    for i in 0..<count { destination[i] = halves[i] }
}

// MARK: - Bytes

@inline(__always)
func loadSignedBytes(_ source: UnsafePointer<Int8>) -> Lanes {
    let bytes = SIMD2<Int32>(UnsafeRawPointer(source).loadUnaligned(as: Int32.self), 0)
    return vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(unsafeBitCast(bytes, to: SIMD8<Int8>.self)))))
}

// MARK: - Arithmetic

@inline(__always)
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes { vfmaq_f32(c, a, b) }

@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { vbslq_f32(vcgtq_f32(a, b), a, b) }

@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { vbslq_f32(vcltq_f32(a, b), a, b) }

@inline(__always)
func horizontalSum(_ lanes: Lanes) -> Float { vaddvq_f32(lanes) }

@inline(__always)
func horizontalSums(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> SIMD4<Float> {
    vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d))
}

@inline(__always)
func horizontalMaximum(_ lanes: Lanes) -> Float { vmaxnmvq_f32(lanes) }
#endif
