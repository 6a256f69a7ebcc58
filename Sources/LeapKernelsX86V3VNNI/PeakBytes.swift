#if arch(x86_64)
internal import LeapBlocks
import _Builtin_intrinsics.intel

/// `vpdpbusd` on 256 bits; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = bytes32(operand)
    return horizontalSum(
        floats(repeatOnTwelve(rounds, from: { splat($0) }, step: { addByteProducts($0, x, x) }, join: { $0 ^ $1 })))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 32, run: loop) }
#endif
