#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// `x[i] += y[i]`; see `FloatKernels.Add`.
func add(_ x: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int) {
    forEachLanes(count) { i in
        store(load(x + i) + load(y + i), to: x + i)
    } rest: { i, n in
        store(load(x + i, first: n) + load(y + i, first: n), first: n, to: x + i)
    }
}

/// `x[i] += factor · y[i]`; see `FloatKernels.AddScaled`.
func addScaled(_ x: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ factor: Float, _ count: Int) {
    let factors = Lanes(repeating: factor)
    forEachLanes(count) { i in
        store(multiplyAdd(factors, load(y + i), load(x + i)), to: x + i)
    } rest: { i, n in
        store(multiplyAdd(factors, load(y + i, first: n), load(x + i, first: n)), first: n, to: x + i)
    }
}

/// `x[i] = cap · tanh(x[i] / cap)`; see `FloatKernels.SoftCap`.
func softCap(_ x: UnsafeMutablePointer<Float>, _ cap: Float, _ count: Int) {
    let caps = Lanes(repeating: cap)
    forEachLanes(count) { i in
        store(caps * hyperbolicTangent(load(x + i) / caps), to: x + i)
    } rest: { i, n in
        store(caps * hyperbolicTangent(load(x + i, first: n) / caps), first: n, to: x + i)
    }
}

/// `output[i] = SiLU(gate[i]) · up[i]`; see `FloatKernels.GLU`.
func swiGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
    forEachLanes(count) { i in
        store(silu(load(gate + i)) * load(up + i), to: output + i)
    } rest: { i, n in
        store(silu(load(gate + i, first: n)) * load(up + i, first: n), first: n, to: output + i)
    }
}

/// `output[i] = GELU(gate[i]) · up[i]`; see `FloatKernels.GLU`.
func geGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
    forEachLanes(count) { i in
        store(gelu(load(gate + i)) * load(up + i), to: output + i)
    } rest: { i, n in
        store(gelu(load(gate + i, first: n)) * load(up + i, first: n), first: n, to: output + i)
    }
}

/// `output[i] = x · σ(1.702 · x) · (u + 1)` of bounded `gate[i]` and `up[i]`; see `FloatKernels.GLU`.
func boundedSwiGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
    forEachLanes(count) { i in
        store(boundedSwiGLU(load(gate + i), load(up + i)), to: output + i)
    } rest: { i, n in
        store(boundedSwiGLU(load(gate + i, first: n), load(up + i, first: n)), first: n, to: output + i)
    }
}

/// If one operand is NaN, minimum and maximum return the second operand; with the bound first, NaN is propagated.
@inline(__always)
private func boundedSwiGLU(_ gate: Lanes, _ up: Lanes) -> Lanes {
    let bound = Lanes(repeating: 7)
    let x = minimum(bound, gate)
    let u = minimum(bound, maximum(Lanes(repeating: -7), up))
    let exponent = x * Lanes(repeating: -1.702)
    return x / (exponential(exponent) + Lanes(repeating: 1)) * (u + Lanes(repeating: 1))
}

/// `output[i] = σ(gate[i]) · up[i]`; see `FloatKernels.GLU`.
func sigmoidGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
    forEachLanes(count) { i in
        store(gated(load(up + i), by: load(gate + i)), to: output + i)
    } rest: { i, n in
        store(gated(load(up + i, first: n), by: load(gate + i, first: n)), first: n, to: output + i)
    }
}

/// σ(gate) · x = x / (1 + e⁻ᵍᵃᵗᵉ)
@inline(__always)
private func gated(_ x: Lanes, by gate: Lanes) -> Lanes {
    x / (exponential(Lanes(repeating: 0) - gate) + Lanes(repeating: 1))
}

/// x · σ(x) = x / (1 + e⁻ˣ), which tends to −0 where e⁻ˣ overflows.
@inline(__always)
func silu(_ x: Lanes) -> Lanes {
    x / (exponential(Lanes(repeating: 0) - x) + Lanes(repeating: 1))
}

/// `x[i] ← x[i] / 2 · (1 + tanh(…))`; see `FloatKernels.GELU`.
func gelu(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
    forEachLanes(count) { i in
        store(gelu(load(x + i)), to: x + i)
    } rest: { i, n in
        store(gelu(load(x + i, first: n)), first: n, to: x + i)
    }
}

/// ½ · x · (1 + tanh u) = x · σ(2u) with u = √(2/π) · (x + 0.044715 · x³).
@inline(__always)
private func gelu(_ x: Lanes) -> Lanes {
    let twice = x * multiplyAdd(Lanes(repeating: 0.071_354_816), x * x, Lanes(repeating: 1.595_769_1))
    return x / (exponential(Lanes(repeating: 0) - twice) + Lanes(repeating: 1))
}

/// tanh x = 1 − 2 / (1 + e²ˣ): absolute error below 4·10⁻⁷; the relative error grows where x is small.
@inline(__always)
private func hyperbolicTangent(_ x: Lanes) -> Lanes {
    Lanes(repeating: 1) - Lanes(repeating: 2) / (exponential(x + x) + Lanes(repeating: 1))
}

/// Rounds to nearest even half precision; see `FloatKernels.ToHalf`.
func toHalf(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<UInt16>, _ count: Int) {
    forEachLanes(count) { i in
        storeHalves(load(source + i), to: destination + i)
    } rest: { i, n in
        storeHalves(load(source + i, first: n), first: n, to: destination + i)
    }
}
#endif
