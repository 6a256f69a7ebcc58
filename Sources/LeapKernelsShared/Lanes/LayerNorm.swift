#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// `output[i] = (x[i] − mean) / √(variance + epsilon) · weight[i] + bias[i]`; see `FloatKernels.LayerNorm`.
func layerNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ count: Int, _ epsilon: Float
) {
    let mean = sum(x, count) / Float(count)
    let variance = sumOfSquares(x, count, around: mean) / Float(count)
    let (center, scale) = (Lanes(repeating: mean), Lanes(repeating: 1 / (variance + epsilon).squareRoot()))
    forEachLanes(count) { i in
        let normal = (load(x + i) - center) * scale
        store(multiplyAdd(normal, load(weight + i), load(bias + i)), to: output + i)
    } rest: { i, n in
        let normal = (load(x + i, first: n) - center) * scale
        store(multiplyAdd(normal, load(weight + i, first: n), load(bias + i, first: n)), first: n, to: output + i)
    }
}

@inline(__always)
private func sum(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
    var sum = Lanes(repeating: 0)
    forEachLanes(count) { i in
        sum = sum + load(x + i)
    } rest: { i, n in
        sum = sum + load(x + i, first: n)
    }
    return horizontalSum(sum)
}

/// `Σᵢ (x[i] − center)²`; not from the sum of squares, which cancels when values are far from 0.
@inline(__always)
private func sumOfSquares(_ x: UnsafePointer<Float>, _ count: Int, around center: Float) -> Float {
    let center = Lanes(repeating: center)
    var sum = Lanes(repeating: 0)
    forEachLanes(count) { i in
        let value = load(x + i) - center
        sum = multiplyAdd(value, value, sum)
    } rest: { i, n in
        // The padding lanes are not zero after the subtraction, so they must be excluded.
        for j in i..<i + n {
            let value = x[j] - center[0]
            sum[0] += value * value
        }
    }
    return horizontalSum(sum)
}
#endif
