#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// `x[i] += y[i]`; see `FloatKernels.Add`.
func add(_ x: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int) {
    forEachLanes(count) { i in
        store(load(x + i) + load(y + i), to: x + i)
    } rest: { i, n in
        store(load(x + i, first: n) + load(y + i, first: n), first: n, to: x + i)
    }
}

/// `output[i] = gate[i] · σ(gate[i]) · up[i]`; see `FloatKernels.SwiGLU`.
func swiGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ count: Int
) {
    forEachLanes(count) { i in
        store(silu(load(gate + i)) * load(up + i), to: output + i)
    } rest: { i, n in
        store(silu(load(gate + i, first: n)) * load(up + i, first: n), first: n, to: output + i)
    }
}

/// x · σ(x) = x / (1 + e⁻ˣ), which tends to −0 where e⁻ˣ overflows.
@inline(__always)
private func silu(_ x: Lanes) -> Lanes {
    x / (exponential(Lanes(repeating: 0) - x) + Lanes(repeating: 1))
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
