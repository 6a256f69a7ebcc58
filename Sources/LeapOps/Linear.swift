import LeapBlocks

// Products of activations with weight matrices: y[i][j] = Σ_k x[i][k] · W[j][k], W (columns → rows).

extension Compute {
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
        observe(x.rows, weights)
        if multipliesRows(x.kind, weights.type) { return multiplyRows(weights, &x, into: output) }
        guard let kernels = kernels[weights.type] else {
            preconditionFailure("no kernel for \(weights.type)")  // refused when the model is loaded
        }
        if let tiles = kernels.tiles {
            multiplyTiles(weights, &x, tiles, into: output)
        } else if let blockRows = BLAS.blockRows {
            multiplyPanels(weights, x.rows, kernels.dequantize, blockRows: blockRows, into: output)
        }
    }

    /// Whether rows of a kind are multiplied with weights of a type by dot products instead of tiles.
    func multipliesRows(_ kind: RowKind, _ type: GGMLType) -> Bool {
        switch kind {
        case .answer: true
        case .prompt: kernels[type]?.tiles == nil && BLAS.blockRows == nil
        }
    }

    /// Allocates the output of ``linear(_:_:into:)``.
    public func linear(_ weights: QuantizedMatrix, _ x: inout Activations) -> Rows {
        let output = scratch.rows(x.rows.count, width: weights.rows)
        linear(weights, &x, into: output)
        return output
    }
}

extension Compute {
    /// Adds a bias of `width` floats to every row.
    public func addBias(_ bias: UnsafePointer<Float>, to x: Rows) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 2)) }
        guard !isCounting else { return }
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
