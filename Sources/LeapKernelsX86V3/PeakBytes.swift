#if arch(x86_64)
internal import LeapBlocks
import _Builtin_intrinsics.intel

/// `vpmaddubsw`, `vpmaddwd` and an addition on eight vectors that do not wait for each other; see `PeakKernels`.
///
/// One factor changes in every round: products of what stays the same would be computed once.
private let loop: PeakKernel.Loop = { operand, rounds in
    let step = Bytes32(repeating: 0x0101_0101_0101_0101)
    var (x, y) = (bytes32(operand), bytes32(operand + 32))
    let (p, q, r, s) = (x, x &+ step, y, y &+ step)
    var (a, b, c, d) = (Bytes32(repeating: 1), Bytes32(repeating: 2), Bytes32(repeating: 3), Bytes32(repeating: 4))
    var (e, f, g, h) = (Bytes32(repeating: 5), Bytes32(repeating: 6), Bytes32(repeating: 7), Bytes32(repeating: 8))
    var round = 0
    while round < rounds {
        x = x &+ step
        y = y &- step
        a = add(a, x, p)
        b = add(b, x, q)
        c = add(c, x, r)
        d = add(d, x, s)
        e = add(e, y, p)
        f = add(f, y, q)
        g = add(g, y, r)
        h = add(h, y, s)
        round &+= 1
    }
    return horizontalSum(_mm256_cvtepi32_ps(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h))
}

/// Adds the sums of four neighbouring products to 32-bit lanes.
@inline(__always)
private func add(_ sums: Bytes32, _ unsigned: Bytes32, _ signed: Bytes32) -> Bytes32 {
    _mm256_add_epi32(
        sums, _mm256_madd_epi16(_mm256_maddubs_epi16(unsigned, signed), Bytes32(repeating: 0x0001_0001_0001_0001)))
}

func peakBytes() -> PeakKernel? { PeakKernel(multiplyAddsPerRound: 8 * 32, run: loop) }
#endif
