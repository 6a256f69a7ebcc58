#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Steps of the gated short convolution; see `FloatKernels.ShortConvolution`.
func shortConvolution(
    _ gates: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ rows: Int, _ channels: Int, _ taps: Int, _ first: Int, _ count: Int
) {
    for row in 0..<rows {
        let b = gates + row * 3 * channels + first
        let step = GatedStep(
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
private struct GatedStep {
    let b: UnsafePointer<Float>
    let c: UnsafePointer<Float>
    let x: UnsafePointer<Float>
    let state: UnsafeMutablePointer<Float>
    let filter: UnsafePointer<Float>
    let output: UnsafeMutablePointer<Float>
    let channels: Int
    let history: Int

    /// One vector of channels, from `i` on.
    @inline(__always)
    func run(
        _ i: Int, read: (UnsafePointer<Float>) -> Lanes, write: (Lanes, UnsafeMutablePointer<Float>) -> Void
    ) {
        let sum = convolutionSum(
            read(b + i) * read(x + i), i, state, filter, channels, history: history, read: read, write: write)
        write(read(c + i) * sum, output + i)
    }
}
#endif
