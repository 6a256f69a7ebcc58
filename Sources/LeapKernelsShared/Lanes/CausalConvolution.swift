#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Steps of a causal convolution with SiLU after it; see `FloatKernels.CausalConvolution`.
func causalConvolution(
    _ x: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
    _ bias: UnsafePointer<Float>?, _ output: UnsafeMutablePointer<Float>, _ stride: Int, _ rows: Int, _ channels: Int,
    _ taps: Int, _ count: Int
) {
    for row in 0..<rows {
        let step = CausalStep(
            x: x + row * stride, state: state, filter: filter, bias: bias, output: output + row * stride,
            channels: channels, history: taps - 1)
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
private struct CausalStep {
    let x: UnsafePointer<Float>
    let state: UnsafeMutablePointer<Float>
    let filter: UnsafePointer<Float>
    let bias: UnsafePointer<Float>?
    let output: UnsafeMutablePointer<Float>
    let channels: Int
    let history: Int

    /// One vector of channels, from `i` on.
    @inline(__always)
    func run(
        _ i: Int, read: (UnsafePointer<Float>) -> Lanes, write: (Lanes, UnsafeMutablePointer<Float>) -> Void
    ) {
        var sum = convolutionSum(
            read(x + i), i, state, filter, channels, history: history, read: read, write: write)
        if let bias { sum = sum + read(bias + i) }
        write(silu(sum), output + i)
    }
}
#endif
