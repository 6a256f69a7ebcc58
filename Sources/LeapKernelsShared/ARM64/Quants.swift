#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// What unpacking a block returns: quants in element order, 16 to a vector, with their scales and minima.

/// 32 quants, in element order.
typealias Quants32 = (SignedBytes, SignedBytes)

/// The quants of four groups of 16 elements.
typealias Quants64 = (SignedBytes, SignedBytes, SignedBytes, SignedBytes)

/// The quants of a block of 256, in element order.
typealias Quants256 = (Quants64, Quants64, Quants64, Quants64)

/// A block of weights `d · scale · (q − zero)`; scales are signed bytes, one per group of 16.
typealias OffsetSuperBlock = (quants: Quants256, scales: SignedBytes, d: Float)

/// A block of weights `d · scale · q − dmin · min`; scales and minima are bytes, one per group of 16.
typealias MinimumSuperBlock = (quants: Quants256, scales: SignedBytes, minima: SignedBytes, d: Float, dmin: Float)

/// 32 signed bytes.
@inline(__always)
func quants(_ source: UnsafeRawPointer) -> Quants32 { (signedBytes(source), signedBytes(source + 16)) }

/// Quants minus their zero point.
@inline(__always)
func subtract(_ zero: Int8, from quants: Quants32) -> Quants32 {
    (vsubq_s8(quants.0, vdupq_n_s8(zero)), vsubq_s8(quants.1, vdupq_n_s8(zero)))
}

/// Quants minus their zero point.
@inline(__always)
func subtract(_ zero: Int8, from quants: Quants64) -> Quants64 {
    let zero = vdupq_n_s8(zero)
    return (
        vsubq_s8(quants.0, zero), vsubq_s8(quants.1, zero), vsubq_s8(quants.2, zero), vsubq_s8(quants.3, zero)
    )
}

/// Quants minus their zero point.
@inline(__always)
func subtract(_ zero: Int8, from quants: Quants256) -> Quants256 {
    (
        subtract(zero, from: quants.0), subtract(zero, from: quants.1), subtract(zero, from: quants.2),
        subtract(zero, from: quants.3)
    )
}
#endif
