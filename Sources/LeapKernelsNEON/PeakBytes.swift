#if arch(arm64)
internal import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `sdot` on twelve vectors that do not wait for each other; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = signedBytes(operand)
    var (a, b, c, d) = (start(1), start(2), start(3), start(4))
    var (e, f, g, h) = (start(5), start(6), start(7), start(8))
    var (i, j, k, l) = (start(9), start(10), start(11), start(12))
    var round = 0
    while round < rounds {
        a = addProducts(a, x, x)
        b = addProducts(b, x, x)
        c = addProducts(c, x, x)
        d = addProducts(d, x, x)
        e = addProducts(e, x, x)
        f = addProducts(f, x, x)
        g = addProducts(g, x, x)
        h = addProducts(h, x, x)
        i = addProducts(i, x, x)
        j = addProducts(j, x, x)
        k = addProducts(k, x, x)
        l = addProducts(l, x, x)
        round &+= 1
    }
    return Float(vaddvq_s32(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l))
}

@inline(__always)
private func start(_ number: Int32) -> Words { vdupq_n_s32(number) }

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 16, run: loop) }
#endif
