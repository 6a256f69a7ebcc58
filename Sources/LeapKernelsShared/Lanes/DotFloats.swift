#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

// Float weights are multiplied with single-precision activations four rows at a time: each loaded activation is used
// for all four rows.

let dotF32: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, count, output, outputStride in
    forEachFourDots(
        weights, weightStride, rows, activations, activationStride, columns, output, outputStride
    ) { rows, x in
        fourDots(rows, x, count, byteCount: 4) {
            load(($0 + 4 * $1).assumingMemoryBound(to: Float.self))
        } rest: {
            load(($0 + 4 * $1).assumingMemoryBound(to: Float.self), first: $2)
        }
    }
}

let dotF16: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, count, output, outputStride in
    forEachFourDots(
        weights, weightStride, rows, activations, activationStride, columns, output, outputStride
    ) { rows, x in
        fourDots(rows, x, count, byteCount: 2) {
            loadHalves(($0 + 2 * $1).assumingMemoryBound(to: UInt16.self))
        } rest: {
            loadHalves(($0 + 2 * $1).assumingMemoryBound(to: UInt16.self), first: $2)
        }
    }
}

let dotBF16: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, count, output, outputStride in
    forEachFourDots(
        weights, weightStride, rows, activations, activationStride, columns, output, outputStride
    ) { rows, x in
        fourDots(rows, x, count, byteCount: 2) {
            loadBrainFloats(($0 + 2 * $1).assumingMemoryBound(to: UInt16.self))
        } rest: {
            loadBrainFloats(($0 + 2 * $1).assumingMemoryBound(to: UInt16.self), first: $2)
        }
    }
}

/// Four rows of weights.
private typealias FourRows = (a: UnsafeRawPointer, b: UnsafeRawPointer, c: UnsafeRawPointer, d: UnsafeRawPointer)

/// Writes the results of `dots` for every four rows and every column; the parameters are those of `DotKernel`, in
/// order.
///
/// The four rows are a quarter of all rows apart, so that each is a long sequential stream. The last row stands in for
/// rows beyond it.
@inline(__always)
private func forEachFourDots(
    _ weights: UnsafeRawPointer, _ weightStride: Int, _ rows: Int,
    _ activations: UnsafeRawPointer, _ activationStride: Int, _ columns: Int,
    _ output: UnsafeMutablePointer<Float>, _ outputStride: Int,
    dots: (_ rows: FourRows, _ activations: UnsafePointer<Float>) -> SIMD4<Float>
) {
    let step = (rows + 3) / 4
    func row(_ index: Int) -> UnsafeRawPointer { weights + min(index, rows - 1) * weightStride }
    for first in 0..<step {
        let four = (row(first), row(first + step), row(first + 2 * step), row(first + 3 * step))
        for column in 0..<columns {
            let x = (activations + column * activationStride).assumingMemoryBound(to: Float.self)
            let dots = dots(four, x)
            let output = output + (column * outputStride + first)
            for i in 0..<4 where first + i * step < rows { output[i * step] = dots[i] }
        }
    }
}

/// The dot products of four rows with one column.
///
/// - Parameters:
///   - byteCount: Bytes per weight.
///   - weights: Loads a vector of weights from an index of a row on.
///   - rest: The same for the last, partial vector of a row.
@inline(__always)
private func fourDots(
    _ rows: FourRows, _ x: UnsafePointer<Float>, _ count: Int, byteCount: Int,
    weights: (_ row: UnsafeRawPointer, _ i: Int) -> Lanes,
    rest: (_ row: UnsafeRawPointer, _ i: Int, _ n: Int) -> Lanes
) -> SIMD4<Float> {
    let zero = Lanes(repeating: 0)
    let width = Lanes.scalarCount
    // Two accumulators per row, so that additions do not depend on the previous one.
    var (even, odd) = ((zero, zero, zero, zero), (zero, zero, zero, zero))
    let whole = count - count % (2 * width)
    for i in stride(from: 0, to: whole, by: 2 * width) {
        let bytes = 2 * width * byteCount
        prefetchAhead(of: rows.a + i * byteCount, bytes)
        prefetchAhead(of: rows.b + i * byteCount, bytes)
        prefetchAhead(of: rows.c + i * byteCount, bytes)
        prefetchAhead(of: rows.d + i * byteCount, bytes)
        add(rows, load(x + i), to: &even) { weights($0, i) }
        add(rows, load(x + i + width), to: &odd) { weights($0, i + width) }
    }
    forEachLanes(count - whole) { i in
        add(rows, load(x + whole + i), to: &even) { weights($0, whole + i) }
    } rest: { i, n in
        add(rows, load(x + whole + i, first: n), to: &odd) { rest($0, whole + i, n) }
    }
    return SIMD4(
        horizontalSum(even.0 + odd.0), horizontalSum(even.1 + odd.1),
        horizontalSum(even.2 + odd.2), horizontalSum(even.3 + odd.3))
}

/// Accumulates the products of a vector of activations with the weights of four rows.
@inline(__always)
private func add(
    _ rows: FourRows, _ x: Lanes, to sums: inout (Lanes, Lanes, Lanes, Lanes),
    weights: (_ row: UnsafeRawPointer) -> Lanes
) {
    sums.0 = multiplyAdd(weights(rows.a), x, sums.0)
    sums.1 = multiplyAdd(weights(rows.b), x, sums.1)
    sums.2 = multiplyAdd(weights(rows.c), x, sums.2)
    sums.3 = multiplyAdd(weights(rows.d), x, sums.3)
}
#endif
