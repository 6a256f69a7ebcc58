#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Multiplications and additions, fused where the level can, on twelve vectors that do not wait for each other; see
/// `PeakKernels`. Twelve cover the latency of two units, and fit with their factor into sixteen registers. All begin
/// with numbers of their own: equal ones would be computed once.
let peakFloats: PeakKernel.Loop = { operand, rounds in
    let factor = load(operand.assumingMemoryBound(to: Float.self))
    var (a, b, c, d) = (start(1), start(2), start(3), start(4))
    var (e, f, g, h) = (start(5), start(6), start(7), start(8))
    var (i, j, k, l) = (start(9), start(10), start(11), start(12))
    var round = 0
    while round < rounds {
        a = multiplyAdd(a, factor, factor)
        b = multiplyAdd(b, factor, factor)
        c = multiplyAdd(c, factor, factor)
        d = multiplyAdd(d, factor, factor)
        e = multiplyAdd(e, factor, factor)
        f = multiplyAdd(f, factor, factor)
        g = multiplyAdd(g, factor, factor)
        h = multiplyAdd(h, factor, factor)
        i = multiplyAdd(i, factor, factor)
        j = multiplyAdd(j, factor, factor)
        k = multiplyAdd(k, factor, factor)
        l = multiplyAdd(l, factor, factor)
        round &+= 1
    }
    return horizontalSum(a + b + c + d + e + f + g + h + i + j + k + l)
}

@inline(__always)
private func start(_ number: Float) -> Lanes { Lanes(repeating: number) }

/// This level's loops.
func peakKernels() -> PeakKernels {
    PeakKernels(
        floats: PeakKernel(multiplyAddsPerRound: 12 * Lanes.scalarCount, run: peakFloats), bytes: peakBytes())
}
#endif
