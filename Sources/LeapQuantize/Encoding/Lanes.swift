/// Numbers of four groups, which are searched side by side: no lane depends on another.
typealias Lanes = SIMD4<Float>

/// Added to a number whose magnitude is below 2²², it leaves the nearest integer in the lowest bits, ties to even.
private let integerUnit: Float = 0x1.8p23

@inline(__always)
func lanes(_ value: Float) -> Lanes { Lanes(repeating: value) }

/// The first number where a mask is set, the second elsewhere.
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

/// The integers nearest to numbers from 0 to 2²².
@inline(__always)
func integers(_ x: Lanes) -> SIMD4<UInt32> {
    unsafeBitCast(x + lanes(integerUnit), to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x3F_FFFF)
}

@inline(__always)
func magnitude(_ x: Lanes) -> Lanes {
    unsafeBitCast(unsafeBitCast(x, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x7FFF_FFFF), to: Lanes.self)
}

/// Reciprocals, and zeros of what is zero.
@inline(__always)
func reciprocal(_ x: Lanes) -> Lanes { select(x .== lanes(0), x, lanes(1) / x) }

@inline(__always)
func total(_ x: Lanes) -> Float {
    let two = x.lowHalf + x.highHalf
    return two[0] + two[1]
}

/// Numbers as half precision has them, and the largest finite one in the place of what is beyond.
@inline(__always)
func half(_ x: Lanes) -> Lanes {
    var result = x
    for i in 0..<4 { result[i] = half(x[i]) }
    return result
}
