#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// `output[i] = x[i] · weight[i] / √(mean(x²) + epsilon)`; see `FloatKernels.RMSNorm`.
func rmsNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
    _ count: Int, _ epsilon: Float
) {
    let mean = sumOfSquares(x, count) / Float(count)
    let scale = Lanes(repeating: 1 / (mean + epsilon).squareRoot())
    forEachLanes(count) { i in
        store(load(x + i) * scale * load(weight + i), to: output + i)
    } rest: { i, n in
        store(load(x + i, first: n) * scale * load(weight + i, first: n), first: n, to: output + i)
    }
}

@inline(__always)
private func sumOfSquares(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
    var sum = Lanes(repeating: 0)
    forEachLanes(count) { i in
        let value = load(x + i)
        sum = multiplyAdd(value, value, sum)
    } rest: { i, n in
        let value = load(x + i, first: n)
        sum = multiplyAdd(value, value, sum)
    }
    return horizontalSum(sum)
}
#endif
