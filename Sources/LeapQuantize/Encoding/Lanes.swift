/// Sixteen numbers that are searched side by side.
typealias Lanes = SIMD16<Float>

/// A number whose unit is in the last bit: added to one whose magnitude is below 2²², it leaves the nearest integer there,
/// ties to even.
private let integerUnit: Float = 0x1.8p23

@inline(__always)
func load(_ address: UnsafePointer<Float>) -> Lanes { UnsafeRawPointer(address).loadUnaligned(as: Lanes.self) }

@inline(__always)
func clamped(_ x: Lanes, _ low: Float, _ high: Float) -> Lanes {
    let (low, high) = (Lanes(repeating: low), Lanes(repeating: high))
    let capped = x.replacing(with: high, where: x .> high)
    return capped.replacing(with: low, where: capped .< low)
}

@inline(__always)
func rounded(_ x: Lanes) -> Lanes { (x + Lanes(repeating: integerUnit)) - Lanes(repeating: integerUnit) }

/// The integers nearest to numbers from 0 to 2²², as they are.
@inline(__always)
func integers(_ x: Lanes) -> SIMD16<UInt32> {
    let bits = unsafeBitCast(x + Lanes(repeating: integerUnit), to: SIMD16<UInt32>.self)
    return bits & SIMD16(repeating: 0x3F_FFFF)
}

@inline(__always)
func total(_ x: Lanes) -> Float {
    let eight = x.lowHalf + x.highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two[0] + two[1]
}
