#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// The sum over a filter's taps for one vector of channels, from `i` on; moves the newest values into the state.
///
/// - Parameter history: Values that the state holds per channel: one fewer than the filter has taps.
@inline(__always)
func convolutionSum(
    _ newest: Lanes, _ i: Int, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>, _ channels: Int,
    history: Int, read: (UnsafePointer<Float>) -> Lanes, write: (Lanes, UnsafeMutablePointer<Float>) -> Void
) -> Lanes {
    var sum = read(filter + history * channels + i) * newest
    for t in 0..<history {
        let past = read(UnsafePointer(state) + t * channels + i)
        sum = multiplyAdd(read(filter + t * channels + i), past, sum)
        // Drops the oldest value and shifts the others back by one.
        if t > 0 { write(past, state + (t - 1) * channels + i) }
    }
    if history > 0 { write(newest, state + (history - 1) * channels + i) }
    return sum
}
#endif
