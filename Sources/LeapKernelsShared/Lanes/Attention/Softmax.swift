#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// The running maximum and sum of an online softmax with base 2, for one query.
typealias RunningSoftmax = UnsafeMutablePointer<Float>

/// `row[i] ← 2^(row[i] − m′)` for the `visible` scores, where `m′` is the maximum so far, and 0 for those outside; adds
/// the powers to the running sum.
///
/// - Parameter running: The maximum and the sum over the earlier tiles, initially `(−∞, 0)`.
/// - Returns: `2^(m − m′)`, the factor by which the results of earlier tiles are rescaled.
@inline(__always)
func softmax(
    _ row: UnsafeMutablePointer<Float>, _ count: Int, visible: Range<Int>, _ running: RunningSoftmax
) -> Float {
    for i in 0..<visible.lowerBound { row[i] = 0 }
    for i in visible.upperBound..<count { row[i] = 0 }
    guard visible.lowerBound < visible.upperBound else { return 1 }

    let (seen, seenCount) = (row + visible.lowerBound, visible.upperBound - visible.lowerBound)
    let newMaximum = largest(seen, seenCount, running[0])
    let correction =
        running[0] == newMaximum ? 1 : exponential2(Lanes(repeating: running[0] - newMaximum))[0]
    running[0] = newMaximum
    running[1] = running[1] * correction + raise(seen, seenCount, newMaximum)
    return correction
}

/// `x[i] ← exp(factor · x[i]) / Σ exp(factor · x[j])`; see `FloatKernels.Softmax`.
func softmax(_ x: UnsafeMutablePointer<Float>, _ factor: Float, _ count: Int) {
    // Converted to base 2, in which exponentials are cheaper.
    let factors = Lanes(repeating: factor * 1.442_695)
    forEachLanes(count) { i in
        store(load(x + i) * factors, to: x + i)
    } rest: { i, n in
        store(load(x + i, first: n) * factors, first: n, to: x + i)
    }
    let sums = Lanes(repeating: raise(x, count, largest(x, count, -.infinity)))
    forEachLanes(count) { i in
        store(load(x + i) / sums, to: x + i)
    } rest: { i, n in
        store(load(x + i, first: n) / sums, first: n, to: x + i)
    }
}

/// The largest of a row's scores and the previous maximum.
@inline(__always)
private func largest(_ row: UnsafePointer<Float>, _ count: Int, _ first: Float) -> Float {
    var largest = Lanes(repeating: first)
    forEachLanes(count) { i in
        largest = maximum(load(row + i), largest)
    } rest: { i, n in
        for j in i..<i + n { largest = maximum(Lanes(repeating: row[j]), largest) }
    }
    return horizontalMaximum(largest)
}

/// `row[i] ← 2^(row[i] − maximum)`; returns their sum.
@inline(__always)
private func raise(_ row: UnsafeMutablePointer<Float>, _ count: Int, _ maximum: Float) -> Float {
    let shift = Lanes(repeating: maximum)
    var sum = Lanes(repeating: 0)
    var sumOfRest: Float = 0
    forEachLanes(count) { i in
        let power = exponential2(load(row + i) - shift)
        store(power, to: row + i)
        sum = sum + power
    } rest: { i, n in
        store(exponential2(load(row + i, first: n) - shift), first: n, to: row + i)
        for j in i..<i + n { sumOfRest += row[j] }
    }
    return horizontalSum(sum) + sumOfRest
}
#endif
