/// Numbers of four groups, which are searched in parallel: no lane depends on another.
typealias Lanes = SIMD4<Float>

/// Added to a number of magnitude below 2²², this leaves the nearest integer, ties to even, in the lowest bits.
private let integerUnit: Float = 0x1.8p23

@inline(__always)
func lanes(_ value: Float) -> Lanes { Lanes(repeating: value) }

/// The first number where a mask is set, otherwise the second.
@inline(__always)
func select(_ mask: SIMDMask<SIMD4<Int32>>, _ a: Lanes, _ b: Lanes) -> Lanes { b.replacing(with: a, where: mask) }

@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { select(a .< b, a, b) }

@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { select(a .> b, a, b) }

@inline(__always)
func clamped(_ x: Lanes, _ low: Float, _ high: Float) -> Lanes { maximum(lanes(low), minimum(lanes(high), x)) }

@inline(__always)
func rounded(_ x: Lanes) -> Lanes { (x + lanes(integerUnit)) - lanes(integerUnit) }

/// The integers nearest to numbers between 0 and 2²².
@inline(__always)
func integers(_ x: Lanes) -> SIMD4<UInt32> {
    unsafeBitCast(x + lanes(integerUnit), to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x3F_FFFF)
}

@inline(__always)
func magnitude(_ x: Lanes) -> Lanes {
    unsafeBitCast(unsafeBitCast(x, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x7FFF_FFFF), to: Lanes.self)
}

/// Reciprocals, and zero for zero.
@inline(__always)
func reciprocal(_ x: Lanes) -> Lanes { select(x .== lanes(0), x, lanes(1) / x) }

@inline(__always)
func total(_ x: Lanes) -> Float {
    let two = x.lowHalf + x.highHalf
    return two[0] + two[1]
}

/// Numbers rounded to half precision, saturating at the largest finite one.
@inline(__always)
func half(_ x: Lanes) -> Lanes { Halves(x).floats }

/// Four half-precision numbers, rounded with ties to even and saturating at the largest finite one.
struct Halves {
    /// The bit pattern, in the lower half of each lane.
    let bits: SIMD4<UInt32>

    @inline(__always)
    init(_ x: Lanes) {
        let all = unsafeBitCast(x, to: SIMD4<UInt32>.self)
        let magnitude = minimum(LeapQuantize.magnitude(x), lanes(65_504))
        let pattern = unsafeBitCast(magnitude, to: SIMD4<UInt32>.self)
        // In 0.5 + x the last bit is worth 2⁻²⁴, a subnormal's unit, so that the addition rounds.
        let small =
            unsafeBitCast(magnitude + lanes(0.5), to: SIMD4<UInt32>.self) &- SIMD4(repeating: Float(0.5).bitPattern)
        let odd = (pattern &>> 13) & SIMD4(repeating: 1)
        let offset = SIMD4<UInt32>(repeating: 0xFFF &- (112 << 23))
        let large = (pattern &+ offset &+ odd) &>> 13
        let isSmall = magnitude .< lanes(0x1p-14)
        let rounded = select(isSmall, unsafeBitCast(small, to: Lanes.self), unsafeBitCast(large, to: Lanes.self))
        bits = unsafeBitCast(rounded, to: SIMD4<UInt32>.self) | (all &>> 16) & SIMD4(repeating: 0x8000)
    }

    /// The same numbers in single precision.
    @inline(__always)
    var floats: Lanes {
        let magnitude = bits & SIMD4(repeating: 0x7FFF)
        let normal = unsafeBitCast((magnitude &<< 13) &+ SIMD4(repeating: 112 << 23), to: Lanes.self)
        // A subnormal number is an integer, in units of 2⁻²⁴.
        let small =
            (unsafeBitCast(magnitude | SIMD4(repeating: 0x4B00_0000), to: Lanes.self) - lanes(0x1p23)) * lanes(0x1p-24)
        let isSmall = normal .< lanes(0x1p-14)
        let sign = (bits & SIMD4(repeating: 0x8000)) &<< 16
        let value = select(isSmall, small, normal)
        return unsafeBitCast(unsafeBitCast(value, to: SIMD4<UInt32>.self) | sign, to: Lanes.self)
    }
}
