#if arch(arm64)
internal import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `smmla`; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = signedBytes(operand)
    return Float(
        vaddvq_s32(
            repeatOnTwelve(rounds, from: { vdupq_n_s32(Int32($0)) }, step: { vmmlaq_s32($0, x, x) }, join: { $0 ^ $1 }))
    )
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 32, run: loop) }
#endif
