#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// `x[i] ← x[i] · Φ(x[i])`; see `FloatKernels.GELU`.
func exactGELU(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
    forEachLanes(count) { i in
        store(exactGELU(load(x + i)), to: x + i)
    } rest: { i, n in
        store(exactGELU(load(x + i, first: n)), first: n, to: x + i)
    }
}

/// `output[i] = g · Φ(g) · up[i]` of `gate[i]`; see `FloatKernels.GLU`.
func exactGEGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
    forEachLanes(count) { i in
        store(exactGELU(load(gate + i)) * load(up + i), to: output + i)
    } rest: { i, n in
        store(exactGELU(load(gate + i, first: n)) * load(up + i, first: n), first: n, to: output + i)
    }
}

/// x · Φ(x), where Φ is the cumulative distribution function of the standard normal distribution. With z = |x| this is
/// max(0, x) − z · Φ(−z), which avoids cancellation for either sign.
///
/// If one operand is NaN, minimum and maximum return the second operand, so that NaN is propagated.
@inline(__always)
private func exactGELU(_ x: Lanes) -> Lanes {
    let zero = Lanes(repeating: 0)
    // Beyond this, Φ(−z) is 0 in single precision.
    let z = minimum(Lanes(repeating: 14), maximum(zero - x, x))
    return maximum(zero, x) - z * upperTail(z)
}

/// Φ(−z) = t · e^(−z²/2) · Q(t) with t = 1 / (1 + 0.3 z), for 0 ≤ z ≤ 14; 0 from 13.3 on.
///
/// Q is the minimax polynomial of degree 9 there (relative error 3.5·10⁻⁹), in u = at + b from −1 to 1. The remaining
/// error is rounding: relative to the result up to 5·10⁻⁷ for z ≤ 3 and, as the exponent grows, 4·10⁻⁶ at the end.
@inline(__always)
private func upperTail(_ z: Lanes) -> Lanes {
    let t = Lanes(repeating: 1) / multiplyAdd(z, Lanes(repeating: 0.3), Lanes(repeating: 1))
    let u = multiplyAdd(t, Lanes(repeating: 0x1.3cf3d0p1), Lanes(repeating: -0x1.79e79ep0))
    var series = Lanes(repeating: -0x1.8b3d80p-18)
    series = multiplyAdd(series, u, Lanes(repeating: 0x1.520f10p-20))
    series = multiplyAdd(series, u, Lanes(repeating: 0x1.446acep-14))
    series = multiplyAdd(series, u, Lanes(repeating: -0x1.3e244ep-15))
    series = multiplyAdd(series, u, Lanes(repeating: -0x1.ffb1a4p-11))
    series = multiplyAdd(series, u, Lanes(repeating: -0x1.50aacap-12))
    series = multiplyAdd(series, u, Lanes(repeating: 0x1.e6ccbap-7))
    series = multiplyAdd(series, u, Lanes(repeating: 0x1.12a74ep-4))
    series = multiplyAdd(series, u, Lanes(repeating: 0x1.4c748ap-3))
    series = multiplyAdd(series, u, Lanes(repeating: 0x1.073066p-2))
    return t * series * exponential(z * z * Lanes(repeating: -0.5))
}
#endif
