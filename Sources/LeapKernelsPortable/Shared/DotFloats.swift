internal import LeapBlocks

// Weights that are floats meet activations as they are, in single precision.

let dotF32: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, count, output, outputStride in
    forEachDot(weights, weightStride, rows, activations, activationStride, columns, output, outputStride) { row, x in
        let row = row.assumingMemoryBound(to: Float.self)
        return dot(x, count) {
            load(row + $0)
        } rest: {
            load(row + $0, first: $1)
        }
    }
}

let dotF16: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, count, output, outputStride in
    forEachDot(weights, weightStride, rows, activations, activationStride, columns, output, outputStride) { row, x in
        let row = row.assumingMemoryBound(to: UInt16.self)
        return dot(x, count) {
            loadHalves(row + $0)
        } rest: {
            loadHalves(row + $0, first: $1)
        }
    }
}

let dotBF16: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, count, output, outputStride in
    forEachDot(weights, weightStride, rows, activations, activationStride, columns, output, outputStride) { row, x in
        let row = row.assumingMemoryBound(to: UInt16.self)
        return dot(x, count) {
            loadBrainFloats(row + $0)
        } rest: {
            loadBrainFloats(row + $0, first: $1)
        }
    }
}

/// One dot product of weights that are read a vector at a time, in four independent sums, so that no addition waits
/// for the one before.
@inline(__always)
private func dot(
    _ x: UnsafeRawPointer, _ count: Int, weights: (_ i: Int) -> Lanes, rest: (_ i: Int, _ n: Int) -> Lanes
) -> Float {
    let x = x.assumingMemoryBound(to: Float.self)
    let zero = Lanes(repeating: 0)
    let width = Lanes.scalarCount
    var (a, b, c, d) = (zero, zero, zero, zero)
    let whole = count - count % (4 * width)
    for i in stride(from: 0, to: whole, by: 4 * width) {
        a = multiplyAdd(weights(i), load(x + i), a)
        b = multiplyAdd(weights(i + width), load(x + i + width), b)
        c = multiplyAdd(weights(i + 2 * width), load(x + i + 2 * width), c)
        d = multiplyAdd(weights(i + 3 * width), load(x + i + 3 * width), d)
    }
    forEachLanes(count - whole) { i in
        a = multiplyAdd(weights(whole + i), load(x + whole + i), a)
    } rest: { i, n in
        b = multiplyAdd(rest(whole + i, n), load(x + whole + i, first: n), b)
    }
    return horizontalSum((a + b) + (c + d))
}
