#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Steps of the gated short convolution; see `FloatKernels.ShortConvolution`.
func shortConvolution(
    _ gates: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ rows: Int, _ channels: Int, _ taps: Int, _ first: Int, _ count: Int
) {
    for row in 0..<rows {
        let b = gates + row * 3 * channels + first
        let step = ConvolutionStep(
            b: b, c: b + channels, x: b + 2 * channels, state: state + first, filter: filter + first,
            output: output + row * channels + first, channels: channels, history: taps - 1)
        forEachLanes(count) { i in
            step.run(i) {
                load($0)
            } write: {
                store($0, to: $1)
            }
        } rest: { i, n in
            step.run(i) {
                load($0, first: n)
            } write: {
                store($0, first: n, to: $1)
            }
        }
    }
}

/// One position of some channels.
private struct ConvolutionStep {
    let b: UnsafePointer<Float>
    let c: UnsafePointer<Float>
    let x: UnsafePointer<Float>
    let state: UnsafeMutablePointer<Float>
    let filter: UnsafePointer<Float>
    let output: UnsafeMutablePointer<Float>
    let channels: Int
    /// Values that the state holds per channel: one fewer than the filter has taps.
    let history: Int

    /// One vector of channels, from `i` on.
    @inline(__always)
    func run(
        _ i: Int, read: (UnsafePointer<Float>) -> Lanes, write: (Lanes, UnsafeMutablePointer<Float>) -> Void
    ) {
        let newest = read(b + i) * read(x + i)
        var sum = read(filter + history * channels + i) * newest
        for t in 0..<history {
            let past = read(UnsafePointer(state) + t * channels + i)
            sum = multiplyAdd(read(filter + t * channels + i), past, sum)
            // Drops the oldest value and shifts the others back by one.
            if t > 0 { write(past, state + (t - 1) * channels + i) }
        }
        if history > 0 { write(newest, state + (history - 1) * channels + i) }
        write(read(c + i) * sum, output + i)
    }
}
#endif
