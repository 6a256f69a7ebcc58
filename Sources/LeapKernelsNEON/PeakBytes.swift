#if arch(arm64)
internal import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `sdot`; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = signedBytes(operand)
    return Float(
        vaddvq_s32(
            repeatOnTwelve(rounds, from: { vdupq_n_s32(Int32($0)) }, step: { addProducts($0, x, x) }, join: { $0 ^ $1 })
        ))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 16, run: loop) }
#endif
