import LeapBlocks

// Rows of prompts at a kernel level without tiles: each thread dequantises a panel of weight rows at a time and
// multiplies it with BLAS.

extension Compute {
    /// Bytes of a dequantised panel of weights, small enough to stay in the L2 cache until it is multiplied.
    private static let panelBytes = 512 << 10

    /// The fewest rows of a panel, even if these take more bytes. The library repacks the activations for every panel,
    /// which costs as much as about twenty rows.
    private static let fewestPanelRows = 64

    /// Rows of the panels that are dequantised at a time.
    private func panelRows(of weights: QuantizedMatrix) -> Int {
        let rows = Self.panelBytes / (weights.columns * MemoryLayout<Float>.size)
        return min(weights.rows, max(Self.fewestPanelRows, rows))
    }

    /// ``linear(_:_:into:)`` by panels.
    ///
    /// - Parameter blockRows: The number of activation rows in every BLAS call, so that a row's result does not depend
    ///   on the others. The last block is padded with zeros.
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

    /// The last, partial block of rows, padded.
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
    /// For every worker, memory for a panel.
    let panels: Rows
    /// For every worker, memory for the products of a panel and a block, `[weight row, activation row]`.
    let sums: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for panel in range {
            let rows = panel * panelRows..<min((panel + 1) * panelRows, weights.rows)
            multiply(floats(of: rows, worker: worker), rows, sums[worker])
        }
    }

    private func multiply(_ panel: UnsafePointer<Float>, _ rows: Range<Int>, _ sums: UnsafeMutablePointer<Float>) {
        for first in stride(from: 0, to: x.count, by: lastBlock.count) {
            let count = min(lastBlock.count, x.count - first)
            // With the weights as the first operand, results are independent of a row's place in the call for more
            // activation rows than the other way round.
            BLAS.multiply(
                panel, rows: rows.count, byTransposed: count == lastBlock.count ? x[first] : lastBlock.base,
                columns: lastBlock.count, depth: weights.columns, into: sums)
            for row in 0..<count {
                let output = output[first + row] + rows.lowerBound
                for i in 0..<rows.count { output[i] = sums[i * lastBlock.count + row] }
            }
        }
    }

    /// Weight rows as floats: in place if they are floats, otherwise dequantised.
    private func floats(of rows: Range<Int>, worker: Int) -> UnsafePointer<Float> {
        if weights.type == .F32, let floats = weights.row(rows.lowerBound).alignedFloats { return floats }
        dequantize(weights.row(rows.lowerBound), panels[worker], rows.count * weights.blocksPerRow)
        return UnsafePointer(panels[worker])
    }
}

extension UnsafeRawPointer {
    /// The same address as a float pointer. Tensors of a GGUF file are aligned to at least 8 bytes.
    fileprivate var alignedFloats: UnsafePointer<Float>? {
        UInt(bitPattern: self) % UInt(MemoryLayout<Float>.alignment) == 0 ? assumingMemoryBound(to: Float.self) : nil
    }
}
