#if arch(arm64)
internal import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `smmla` on twelve vectors that do not wait for each other; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = signedBytes(operand)
    var (a, b, c, d) = (start(1), start(2), start(3), start(4))
    var (e, f, g, h) = (start(5), start(6), start(7), start(8))
    var (i, j, k, l) = (start(9), start(10), start(11), start(12))
    var round = 0
    while round < rounds {
        a = vmmlaq_s32(a, x, x)
        b = vmmlaq_s32(b, x, x)
        c = vmmlaq_s32(c, x, x)
        d = vmmlaq_s32(d, x, x)
        e = vmmlaq_s32(e, x, x)
        f = vmmlaq_s32(f, x, x)
        g = vmmlaq_s32(g, x, x)
        h = vmmlaq_s32(h, x, x)
        i = vmmlaq_s32(i, x, x)
        j = vmmlaq_s32(j, x, x)
        k = vmmlaq_s32(k, x, x)
        l = vmmlaq_s32(l, x, x)
        round &+= 1
    }
    return Float(vaddvq_s32(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l))
}

@inline(__always)
private func start(_ number: Int32) -> Words { vdupq_n_s32(number) }

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 32, run: loop) }
#endif
