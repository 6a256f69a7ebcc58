#if arch(x86_64)
internal import LeapBlocks

/// `vpmaddubsw` and a 16-bit addition, because tiles accumulate many products before widening the sums; see
/// `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = bytes32(operand)
    // Products of constants would be computed once, so one factor is the sums.
    return horizontalSum(
        floats(repeatOnTwelve(rounds, from: { splat($0) }, step: { addByteProducts($0, $0, x) }, join: { $0 ^ $1 })))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 32, run: loop) }
#endif
