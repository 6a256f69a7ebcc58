#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Calls `full(i)` for every whole vector of a row of `count` elements, then `rest(i, n)` for the remaining `n`
/// elements, if any.
@inline(__always)
func forEachLanes(_ count: Int, full: (_ i: Int) -> Void, rest: (_ i: Int, _ n: Int) -> Void) {
    var i = 0
    while i <= count - Lanes.scalarCount {
        full(i)
        i += Lanes.scalarCount
    }
    if i < count { rest(i, count - i) }
}
#endif
