internal import LeapBlocks

/// The float vector type of this CPU level, and the few operations on it that differ between levels.
///
/// The files in `LeapKernelsShared/Lanes` are compiled into every level and are written in terms of this vocabulary
/// alone, plus the transparent operators and members of SIMD types (`+ - * /`, `&+ &- &* & | &<< &>>`,
/// `Lanes(repeating:)`, subscripts). A level's `Lanes.swift` defines
///
///     typealias Lanes, LaneBits            SIMDn<Float> and SIMDn<Int32>
///     hasManyRegisters                     32 vector registers instead of 16
///     load(p), load(p, first: n)           n < count floats, the rest zero; reads nothing beyond them
///     store(v, to: p), store(v, first: n, to: p)
///     loadHalves, storeHalves              the same, converted from and to half precision (nearest even)
///     loadBrainFloats                      the same, converted from bfloat16 (the upper half of a float)
///     loadHalf(p)                          one half-precision number at any address
///     loadSignedBytes(p)                   signed bytes as floats
///     multiplyAdd(a, b, c)                 a · b + c, fused where the level has it
///     maximum(a, b), minimum(a, b)         b where either is NaN
///     horizontalSum(v), horizontalMaximum(v)
///     horizontalSums(a, b, c, d)           the four sums as SIMD4<Float>
///
/// Comparisons need vectors with explicit types on both sides: with inferred types they compile to a loop over lanes.
/// No standard library generic that the optimiser may leave out of line appears here (`sum()`, `max()`,
/// `pointwiseMax`): such a function becomes a weak symbol with the same name in every level's object file, and the
/// linker keeps only one of them.
typealias Lanes = SIMD4<Float>

/// The bit patterns of ``Lanes``.
typealias LaneBits = SIMD4<Int32>

/// Whether the CPU has 32 vector registers instead of 16, which decides how large a block of sums a loop can hold.
@inline(__always)
var hasManyRegisters: Bool { false }

// MARK: - Memory

@inline(__always)
func load(_ source: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(source).loadUnaligned(as: Lanes.self)
}

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
func loadHalf(_ source: UnsafeRawPointer) -> Float { Float(halfBits: source.loadUnaligned(as: UInt16.self)) }

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>) -> Lanes {
    let halves = UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt16>.self)
    return floats(halves: LaneBits(truncatingIfNeeded: halves))
}

@inline(__always)
func loadHalves(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    var halves = LaneBits(repeating: 0)
    for i in 0..<count { halves[i] = Int32(source[i]) }
    return floats(halves: halves)
}

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>) -> Lanes {
    let upper = UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt16>.self)
    return unsafeBitCast(LaneBits(truncatingIfNeeded: upper) &<< 16, to: Lanes.self)
}

@inline(__always)
func loadBrainFloats(_ source: UnsafePointer<UInt16>, first count: Int) -> Lanes {
    var upper = LaneBits(repeating: 0)
    for i in 0..<count { upper[i] = Int32(source[i]) }
    return unsafeBitCast(upper &<< 16, to: Lanes.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, to destination: UnsafeMutablePointer<UInt16>) {
    let halves = SIMD4<UInt16>(truncatingIfNeeded: halfBits(lanes))
    UnsafeMutableRawPointer(destination).storeBytes(of: halves, as: SIMD4<UInt16>.self)
}

@inline(__always)
func storeHalves(_ lanes: Lanes, first count: Int, to destination: UnsafeMutablePointer<UInt16>) {
    let halves = halfBits(lanes)
    for i in 0..<count { destination[i] = UInt16(truncatingIfNeeded: halves[i]) }
}

/// Half-precision bit patterns to floats.
///
/// With its bits shifted to a float's exponent and fraction, the pattern means 2⁻¹¹² times the value, subnormal numbers
/// included. Infinity and NaN, whose exponent bits are all set, get a float's maximum exponent.
@inline(__always)
private func floats(halves: LaneBits) -> Lanes {
    // The sign is shifted to the top first, and the arithmetic shift back keeps it there.
    let moved = ((halves &<< 16) &>> 3) & LaneBits(repeating: ~0x7000_0000)
    let scaled = unsafeBitCast(moved, to: Lanes.self) * 0x1p112
    let exponent = LaneBits(repeating: 0x7C00)
    let special = mask(halves & exponent .== exponent) & LaneBits(repeating: 0x7F80_0000)
    return unsafeBitCast(unsafeBitCast(scaled, to: LaneBits.self) | special, to: Lanes.self)
}

/// Floats to half-precision bit patterns, to nearest even.
@inline(__always)
private func halfBits(_ lanes: Lanes) -> LaneBits {
    let bits = unsafeBitCast(lanes, to: LaneBits.self)
    let magnitude = bits & 0x7FFF_FFFF

    // Normal: exponent rebased by 112; adding just under half a unit, and the unit's own bit, rounds ties to even.
    let odd = (magnitude &>> 13) & 1
    let normal = (magnitude &- (112 << 23) &+ 0xFFF &+ odd) &>> 13
    // Subnormal: in 0.5 + x the last bit is worth 2⁻²⁴, a subnormal's unit, so that the addition rounds.
    let shifted = unsafeBitCast(magnitude, to: Lanes.self) + 0.5
    let subnormal = unsafeBitCast(shifted, to: LaneBits.self) &- 0x3F00_0000
    // From 65,520 on the nearest is infinity; NaN keeps one bit of fraction.
    let isNaN = mask(magnitude .> LaneBits(repeating: 0x7F80_0000)) & 0x0200
    let special = isNaN | 0x7C00

    let isSubnormal = mask(magnitude .< LaneBits(repeating: 0x3880_0000))
    let isSpecial = mask(magnitude .>= LaneBits(repeating: 0x477F_F000))
    let finite = (subnormal & isSubnormal) | (normal & ~isSubnormal)
    return (special & isSpecial) | (finite & ~isSpecial) | ((bits &>> 16) & 0x8000)
}

/// A mask of the lanes where a comparison holds.
@inline(__always)
private func mask(_ comparison: SIMDMask<LaneBits>) -> LaneBits {
    unsafeBitCast(comparison, to: LaneBits.self)
}

// MARK: - Bytes

/// A byte plus 128 becomes the lowest fraction bits of a float with the exponent of 2²³, whose last bit is worth 1.
@inline(__always)
func loadSignedBytes(_ source: UnsafePointer<Int8>) -> Lanes {
    let bytes = UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt8>.self)
    let raised = (LaneBits(truncatingIfNeeded: bytes) ^ 0x80) | 0x4B00_0000
    return unsafeBitCast(raised, to: Lanes.self) - 8_388_736
}

// MARK: - Arithmetic

@inline(__always)
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
    // Not addingProduct: without FMA hardware that is a library call per lane.
    a * b + c
}

@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: a .> b) }

@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: a .< b) }

@inline(__always)
func horizontalSum(_ lanes: Lanes) -> Float { (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) }

@inline(__always)
func horizontalSums(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> SIMD4<Float> {
    SIMD4(horizontalSum(a), horizontalSum(b), horizontalSum(c), horizontalSum(d))
}

@inline(__always)
func horizontalMaximum(_ lanes: Lanes) -> Float {
    let pairs = maximum(lanes, Lanes(lanes[2], lanes[3], lanes[0], lanes[1]))
    return maximum(pairs, Lanes(pairs[1], pairs[0], pairs[3], pairs[2]))[0]
}
