#if arch(x86_64)
internal import LeapBlocks
import _Builtin_intrinsics.intel

/// `vpdpbusd` on twelve vectors that do not wait for each other; see `PeakKernels`.
private let loop: PeakKernel.Loop = { operand, rounds in
    let x = bytes32(operand)
    var (a, b, c, d) = (splat(1), splat(2), splat(3), splat(4))
    var (e, f, g, h) = (splat(5), splat(6), splat(7), splat(8))
    var (i, j, k, l) = (splat(9), splat(10), splat(11), splat(12))
    var round = 0
    while round < rounds {
        a = addByteProducts(a, x, x)
        b = addByteProducts(b, x, x)
        c = addByteProducts(c, x, x)
        d = addByteProducts(d, x, x)
        e = addByteProducts(e, x, x)
        f = addByteProducts(f, x, x)
        g = addByteProducts(g, x, x)
        h = addByteProducts(h, x, x)
        i = addByteProducts(i, x, x)
        j = addByteProducts(j, x, x)
        k = addByteProducts(k, x, x)
        l = addByteProducts(l, x, x)
        round &+= 1
    }
    return horizontalSum(floats(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 12 * 32, run: loop) }
#endif
