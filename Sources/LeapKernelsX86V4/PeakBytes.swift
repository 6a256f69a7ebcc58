#if arch(x86_64)
internal import LeapBlocks

/// `vpdpbusd`; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = bytes64(operand)
    return horizontalSum(
        floats(repeatOnTwelve(rounds, from: { splat($0) }, step: { addProducts($0, x, x) }, join: { $0 ^ $1 })))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 64, run: loop) }
#endif
