#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Joins the splits of one query's attention; see `FloatKernels.CombineAttention`.
func combineAttention(
    _ outputs: UnsafePointer<Float>, _ outputStride: Int, _ running: UnsafePointer<Float>, _ runningStride: Int,
    _ splits: Int, _ headDimension: Int, _ target: UnsafeMutablePointer<Float>
) {
    var largest = running[0]
    for split in 1..<max(splits, 1) where running[split * runningStride] > largest {
        largest = running[split * runningStride]
    }
    var sum: Float = 0
    for split in 0..<splits {
        sum += share(running + split * runningStride, largest) * running[split * runningStride + 1]
    }
    for split in 0..<splits {
        let factor = Lanes(repeating: share(running + split * runningStride, largest) / sum)
        let output = outputs + split * outputStride
        forEachLanes(headDimension) { i in
            let before = split == 0 ? Lanes(repeating: 0) : load(target + i)
            store(multiplyAdd(factor, load(output + i), before), to: target + i)
        } rest: { i, n in
            let before = split == 0 ? Lanes(repeating: 0) : load(target + i, first: n)
            store(multiplyAdd(factor, load(output + i, first: n), before), first: n, to: target + i)
        }
    }
}

/// The factor that rescales from a split's own maximum to the overall maximum.
@inline(__always)
private func share(_ running: UnsafePointer<Float>, _ largest: Float) -> Float {
    running[0] == largest ? 1 : exponential2(Lanes(repeating: running[0] - largest))[0]
}
#endif
