#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Applies `step` `rounds` times to each of twelve independent vectors: enough to hide the latency of two execution
/// units, and few enough to fit in sixteen registers together with a factor. They start with different values, because
/// equal ones would be computed once, and are joined at the end, because unused results would be optimised away.
@inline(__always)
func repeatOnTwelve<Vector>(
    _ rounds: Int, from start: (UInt8) -> Vector, step: (Vector) -> Vector, join: (Vector, Vector) -> Vector
) -> Vector {
    var (a, b, c, d) = (start(1), start(2), start(3), start(4))
    var (e, f, g, h) = (start(5), start(6), start(7), start(8))
    var (i, j, k, l) = (start(9), start(10), start(11), start(12))
    var round = 0
    while round < rounds {
        (a, b, c, d) = (step(a), step(b), step(c), step(d))
        (e, f, g, h) = (step(e), step(f), step(g), step(h))
        (i, j, k, l) = (step(i), step(j), step(k), step(l))
        round &+= 1
    }
    let (abcd, efgh) = (join(join(a, b), join(c, d)), join(join(e, f), join(g, h)))
    return join(join(abcd, efgh), join(join(i, j), join(k, l)))
}
#endif
