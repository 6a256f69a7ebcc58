import LeapBlocks

// Rows of prompts where a level has no tiles: panels of weight rows become floats, one per thread at a time, and meet BLAS.

extension Compute {
    /// Bytes of a dequantised panel of weights: it stays in the second-level cache between being written and read.
    private static let panelBytes = 512 << 10

    /// Rows of the panels that become floats at one time.
    private func panelRows(of weights: QuantizedMatrix) -> Int {
        max(16, min(weights.rows, Self.panelBytes / (weights.columns * MemoryLayout<Float>.size)))
    }

    /// ``linear(_:_:into:)`` by panels.
    ///
    /// - Parameter blockRows: Rows of activations in every call of BLAS, so that a row gets the same numbers in any company.
    ///   The last rows are filled up with zeros.
    func multiplyPanels(
        _ weights: QuantizedMatrix, _ x: Rows, _ dequantize: DequantizeKernel, blockRows: Int, into output: Rows
    ) {
        let panelRows = panelRows(of: weights)
        let work = PanelProducts(
            dequantize: dequantize, weights: weights, x: x, lastBlock: lastBlock(of: x, blockRows),
            output: output, panelRows: panelRows, panels: scratch.rows(threads, width: panelRows * weights.columns),
            sums: scratch.rows(threads, width: blockRows * panelRows))
        let panels = (weights.rows + panelRows - 1) / panelRows
        pool.run(work, count: panels, tasks: panels)
    }

    /// The last, unfinished block of rows, filled up.
    private func lastBlock(of x: Rows, _ blockRows: Int) -> Rows {
        let block = scratch.rows(blockRows, width: x.width)
        guard !isCounting else { return block }
        let count = x.count % blockRows
        block.base.update(from: x.base + (x.count - count) * x.width, count: count * x.width)
        block[count..<block.count].base.update(repeating: 0, count: (block.count - count) * x.width)
        return block
    }
}

/// Products of all activation rows with panels of weight rows.
private struct PanelProducts: ParallelWork {
    let dequantize: DequantizeKernel
    let weights: QuantizedMatrix
    let x: Rows
    let lastBlock: Rows
    let output: Rows
    let panelRows: Int
    /// For every worker room for a panel.
    let panels: Rows
    /// For every worker room for the products of the last block.
    let sums: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for panel in range {
            let rows = panel * panelRows..<min((panel + 1) * panelRows, weights.rows)
            multiply(floats(of: rows, worker: worker), rows, sums[worker])
        }
    }

    private func multiply(_ panel: UnsafePointer<Float>, _ rows: Range<Int>, _ sums: UnsafeMutablePointer<Float>) {
        let whole = x.count / lastBlock.count * lastBlock.count
        for first in stride(from: 0, to: whole, by: lastBlock.count) {
            multiply(x[first], panel, rows.count, into: output[first] + rows.lowerBound, stride: output.width)
        }
        guard whole < x.count else { return }
        multiply(lastBlock.base, panel, rows.count, into: sums, stride: rows.count)
        for row in whole..<x.count {
            (output[row] + rows.lowerBound).update(from: sums + (row - whole) * rows.count, count: rows.count)
        }
    }

    private func multiply(
        _ block: UnsafePointer<Float>, _ panel: UnsafePointer<Float>, _ columns: Int,
        into output: UnsafeMutablePointer<Float>, stride: Int
    ) {
        BLAS.multiply(
            block, rows: lastBlock.count, byTransposed: panel, columns: columns, depth: weights.columns,
            into: output, outputStride: stride)
    }

    /// Weight rows as floats: where they lie, if they are, or dequantised.
    private func floats(of rows: Range<Int>, worker: Int) -> UnsafePointer<Float> {
        if weights.type == .F32, let floats = weights.row(rows.lowerBound).alignedFloats { return floats }
        dequantize(weights.row(rows.lowerBound), panels[worker], rows.count * weights.blocksPerRow)
        return UnsafePointer(panels[worker])
    }
}

extension UnsafeRawPointer {
    /// The same address as floats. Tensors of a GGUF file are aligned to at least 8 bytes.
    fileprivate var alignedFloats: UnsafePointer<Float>? {
        UInt(bitPattern: self) % UInt(MemoryLayout<Float>.alignment) == 0 ? assumingMemoryBound(to: Float.self) : nil
    }
}
