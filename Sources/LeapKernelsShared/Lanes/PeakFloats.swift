#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Multiply-adds, fused where the level supports it; see `PeakKernels`.
let peakFloats: PeakKernel.Loop = { operand, rounds in
    let x = load(operand.assumingMemoryBound(to: Float.self))
    return horizontalSum(
        repeatOnTwelve(
            rounds, from: { Lanes(repeating: Float($0)) }, step: { multiplyAdd($0, x, x) }, join: { $0 + $1 }))
}

/// This level's peak-rate loops.
func peakKernels() -> PeakKernels {
    PeakKernels(
        floats: PeakKernel(multiplyAddsPerRound: 12 * Lanes.scalarCount, run: peakFloats), bytes: peakBytes())
}
#endif
