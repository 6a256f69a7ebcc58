#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
import LeapBlocks

/// Dot products of rows of 256-element blocks with `Q8_K` activations; see `DotKernel`.
///
/// - Parameters:
///   - byteCount: Bytes from one block to the next.
///   - unpack: Reads a block into registers.
///   - accumulate: Adds the dot product with the `Q8_K` block at an address, spread over the lanes, to an accumulator.
@inline(__always)
func dotSuperBlocks<Weights>(
    _ operands: DotOperands, byteCount: Int, unpack: (_ block: UnsafeRawPointer) -> Weights,
    accumulate: (_ weights: Weights, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes
) {
    if operands.columns == 1 {
        for row in 0..<operands.rows {
            dotRow(row, operands, byteCount: byteCount, unpack: unpack, accumulate: accumulate)
        }
        return
    }
    for column in stride(from: 0, to: operands.columns, by: 8) {
        let columns = column..<min(column &+ 8, operands.columns)
        for row in 0..<operands.rows {
            dotRow(row, columns, operands, byteCount: byteCount, unpack: unpack, accumulate: accumulate)
        }
    }
}

/// One row by a single column.
@inline(__always)
private func dotRow<Weights>(
    _ row: Int, _ operands: DotOperands, byteCount: Int, unpack: (UnsafeRawPointer) -> Weights,
    accumulate: (Weights, UnsafeRawPointer, Lanes) -> Lanes
) {
    var weights = operands.weights + row &* operands.weightStride
    var activations = operands.activations
    var sum = Lanes(repeating: 0)
    for _ in 0..<operands.blocks {
        prefetchAhead(of: weights, byteCount)
        sum = accumulate(unpack(weights), activations, sum)
        weights += byteCount
        activations += BlockQ8_K.byteCount
    }
    operands.output[row] = horizontalSum(sum)
}

/// One row by up to 8 columns, whose sums stay in memory: each block is unpacked once for all columns.
@inline(__always)
private func dotRow<Weights>(
    _ row: Int, _ columns: Range<Int>, _ operands: DotOperands, byteCount: Int,
    unpack: (UnsafeRawPointer) -> Weights, accumulate: (Weights, UnsafeRawPointer, Lanes) -> Lanes
) {
    let firstBlock = operands.weights + row &* operands.weightStride
    let firstColumn = operands.activations + columns.lowerBound &* operands.activationStride
    var sums = ColumnSums()
    withUnsafeMutablePointer(to: &sums) { sums in
        let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Lanes.self)
        for block in 0..<operands.blocks {
            let weights = unpack(firstBlock + block &* byteCount)
            var activations = firstColumn + block &* BlockQ8_K.byteCount
            for column in 0..<columns.count {
                sums[column] = accumulate(weights, activations, sums[column])
                activations += operands.activationStride
            }
        }
        var output = operands.output + (columns.lowerBound &* operands.outputStride &+ row)
        for column in 0..<columns.count {
            output.pointee = horizontalSum(sums[column])
            output += operands.outputStride
        }
    }
}

/// The sums of one row with up to 8 columns.
private struct ColumnSums {
    var a = Lanes(repeating: 0), b = Lanes(repeating: 0), c = Lanes(repeating: 0), d = Lanes(repeating: 0)
    var e = Lanes(repeating: 0), f = Lanes(repeating: 0), g = Lanes(repeating: 0), h = Lanes(repeating: 0)
}
#endif
