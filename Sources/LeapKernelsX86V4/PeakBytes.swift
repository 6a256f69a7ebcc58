#if arch(x86_64)
internal import LeapBlocks

/// `vpdpbusd` on twelve vectors that do not wait for each other; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = bytes64(operand)
    var (a, b, c, d) = (splat(1), splat(2), splat(3), splat(4))
    var (e, f, g, h) = (splat(5), splat(6), splat(7), splat(8))
    var (i, j, k, l) = (splat(9), splat(10), splat(11), splat(12))
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
    return horizontalSum(floats(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 64, run: loop) }
#endif
