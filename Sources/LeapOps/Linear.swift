import LeapBlocks

// Products of activations with weight matrices: y[i][j] = Σ_k x[i][k] · W[j][k], W (columns → rows).

extension Compute {
    /// Rows from which unpacking the weights into tiles costs less than a dot product per row.
    static let tileThreshold = 9

    /// Rows from which dequantising the weights for BLAS costs less than a dot product per row.
    static let blasThreshold = 24

    /// Bytes of a dequantised panel of weights: it stays in the second-level cache between being written and read.
    static let panelBytes = 512 << 10

    /// `output[i] = weights · x[i]` for every row.
    ///
    /// - Parameters:
    ///   - weights: `[rows, columns]` of a supported type.
    ///   - x: `[n, columns]`.
    ///   - output: `[n, rows]`.
    public func linear(_ weights: QuantizedMatrix, _ x: inout Activations, into output: Rows) {
        assert(x.rows.width == weights.columns && output.width == weights.rows && output.count == x.rows.count)
        let start = profiler.begin()
        defer { profiler.end(start, .product(weights, rows: x.rows.count)) }
        if multipliesRows(x.rows.count, weights.type) { return multiplyRows(weights, &x, into: output) }
        guard let kernels = kernels[weights.type] else {
            preconditionFailure("no kernel for \(weights.type)")  // refused when the model is loaded
        }
        if let tiles = kernels.tiles {
            multiplyTiles(weights, &x, tiles, into: output)
        } else {
            multiplyPanels(weights, x.rows, kernels.dequantize, into: output)
        }
    }

    /// Whether so few rows meet weights of a type by dot products.
    func multipliesRows(_ count: Int, _ type: GGMLType) -> Bool {
        kernels[type]?.tiles != nil
            ? count < Self.tileThreshold : count < Self.blasThreshold || !BLAS.isAvailable
    }

    /// Allocates the output of ``linear(_:_:into:)``.
    public func linear(_ weights: QuantizedMatrix, _ x: inout Activations) -> Rows {
        let output = scratch.rows(x.rows.count, width: weights.rows)
        linear(weights, &x, into: output)
        return output
    }

    /// Counts what ``linear(_:_:)`` takes of scratch memory.
    public func addLinear(_ weights: QuantizedMatrix, _ x: inout ActivationsSize, to size: inout ScratchSize) {
        size.rows(x.rows, width: weights.rows)
        guard let kernels = kernels[weights.type] else { return }
        if multipliesRows(x.rows, weights.type) {
            addRowProducts(weights, &x, to: &size)
        } else if let tiles = kernels.tiles {
            addTiles(weights, &x, tiles, to: &size)
        } else {
            size.rows(threads, width: panelRows(of: weights) * weights.columns)
        }
    }

    /// Rows of the panels that become floats at one time.
    private func panelRows(of weights: QuantizedMatrix) -> Int {
        max(16, min(weights.rows, Self.panelBytes / (weights.columns * MemoryLayout<Float>.size)))
    }

    /// Many rows: panels of weight rows become floats, one per thread at a time, and meet BLAS.
    private func multiplyPanels(
        _ weights: QuantizedMatrix, _ x: Rows, _ dequantize: DequantizeKernel, into output: Rows
    ) {
        let columns = weights.columns
        let panelRows = panelRows(of: weights)
        let work = PanelProducts(
            dequantize: dequantize, weights: weights, x: x, output: output, panelRows: panelRows,
            panels: scratch.rows(threads, width: panelRows * columns))
        let panels = (weights.rows + panelRows - 1) / panelRows
        pool.run(work, count: panels, tasks: panels)
    }
}

/// Products of all activation rows with panels of weight rows.
private struct PanelProducts: ParallelWork {
    let dequantize: DequantizeKernel
    let weights: QuantizedMatrix
    let x: Rows
    let output: Rows
    let panelRows: Int
    /// For every worker room for a panel.
    let panels: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for panel in range {
            let first = panel * panelRows
            let count = min(panelRows, weights.rows - first)
            BLAS.multiply(
                x.base, rows: x.count, byTransposed: floats(of: first, count: count, worker: worker), columns: count,
                depth: weights.columns, into: output.base + first, outputStride: output.width)
        }
    }

    /// Weight rows as floats: where they lie, if they are, or dequantised.
    private func floats(of first: Int, count: Int, worker: Int) -> UnsafePointer<Float> {
        if weights.type == .F32, let floats = weights.row(first).alignedFloats { return floats }
        dequantize(weights.row(first), panels[worker], count * weights.blocksPerRow)
        return UnsafePointer(panels[worker])
    }
}

extension UnsafeRawPointer {
    /// The same address as floats. Tensors of a GGUF file are aligned to at least 8 bytes.
    fileprivate var alignedFloats: UnsafePointer<Float>? {
        UInt(bitPattern: self) % UInt(MemoryLayout<Float>.alignment) == 0 ? assumingMemoryBound(to: Float.self) : nil
    }
}

extension Compute {
    /// Adds a bias of `width` floats to every row.
    public func addBias(_ bias: UnsafePointer<Float>, to x: Rows) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 2)) }
        for row in 0..<x.count { kernels.floats.add(x[row], bias, x.width) }
    }

    /// Writes one row of an embedding table as floats.
    ///
    /// - Parameters:
    ///   - token: Less than `table.rows`.
    ///   - output: `table.columns` floats.
    public func embed(_ token: Int32, from table: QuantizedMatrix, into output: UnsafeMutablePointer<Float>) {
        guard let dequantize = kernels[table.type]?.dequantize else {
            preconditionFailure("no kernel for \(table.type)")  // refused when the model is loaded
        }
        dequantize(table.row(Int(token)), output, table.blocksPerRow)
    }
}
