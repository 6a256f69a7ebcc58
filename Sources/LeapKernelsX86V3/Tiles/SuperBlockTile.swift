import LeapBlocks

/// A format of 256-element blocks, which meet `Q8_K` activations.
protocol SuperBlockFormat {
    /// An unpacked block, in registers.
    associatedtype Weights

    /// Bytes from one block to the next.
    static var byteCount: Int { get }

    /// Unpacks the block that starts at `block`.
    static func unpack(_ block: UnsafeRawPointer) -> Weights

    /// Adds the dot product with the `Q8_K` block at `activations`, spread over the lanes, to `sum`.
    static func accumulate(_ weights: Weights, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes
}

/// Dot products of rows of 256-element blocks; see `DotKernel`.
@inline(__always)
func dotSuperBlocks<Format: SuperBlockFormat>(_: Format.Type, _ operands: DotOperands) {
    let walk = SuperBlockWalk<Format>(operands: operands)
    if operands.columns == 1 {
        for row in 0..<operands.rows { operands.output[row] = walk.dot(row) }
        return
    }
    for column in stride(from: 0, to: operands.columns, by: 8) {
        let columns = column..<min(column &+ 8, operands.columns)
        for row in 0..<operands.rows { walk.dot(row, columns) }
    }
}

private struct SuperBlockWalk<Format: SuperBlockFormat> {
    let operands: DotOperands

    /// One row with one column.
    @inline(__always)
    func dot(_ row: Int) -> Float {
        var weights = operands.weights + row &* operands.weightStride
        var activations = operands.activations
        var sum = Lanes(repeating: 0)
        for _ in 0..<operands.blocks {
            sum = Format.accumulate(Format.unpack(weights), activations, sum)
            weights += Format.byteCount
            activations += BlockQ8_K.byteCount
        }
        return horizontalSum(sum)
    }

    /// One row with up to 8 columns, whose sums stay in memory: each block is unpacked once for all of them.
    @inline(__always)
    func dot(_ row: Int, _ columns: Range<Int>) {
        let firstBlock = operands.weights + row &* operands.weightStride
        let firstColumn = operands.activations + columns.lowerBound &* operands.activationStride
        var sums = ColumnSums()
        withUnsafeMutablePointer(to: &sums) { sums in
            let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Lanes.self)
            for block in 0..<operands.blocks {
                let weights = Format.unpack(firstBlock + block &* Format.byteCount)
                var activations = firstColumn + block &* BlockQ8_K.byteCount
                for column in 0..<columns.count {
                    sums[column] = Format.accumulate(weights, activations, sums[column])
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
}

/// The sums of one row with up to 8 columns.
private struct ColumnSums {
    var a = Lanes(repeating: 0), b = Lanes(repeating: 0), c = Lanes(repeating: 0), d = Lanes(repeating: 0)
    var e = Lanes(repeating: 0), f = Lanes(repeating: 0), g = Lanes(repeating: 0), h = Lanes(repeating: 0)
}
