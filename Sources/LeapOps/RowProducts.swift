import LeapBlocks

// Rows of answers: weights are read once, in their file's layout, and multiplied with quantised activations. Matrices
// with the same input are multiplied in one pass, so that threads have to synchronise only once.

extension Compute {
    /// The bytes of weights that are worth handing to a thread: some microseconds of reading.
    private static let bytesPerTask = 32 << 10

    /// The products of one input with three matrices, as ``linear(_:_:)`` computes each.
    ///
    /// - Parameters:
    ///   - first, second, third: `[rows, columns]` of supported types.
    ///   - x: `[n, columns]`.
    /// - Returns: For each matrix `[n, rows]`.
    public func linear(
        _ first: QuantizedMatrix, _ second: QuantizedMatrix, _ third: QuantizedMatrix, _ x: inout Activations
    ) -> (Rows, Rows, Rows) {
        let kind = x.kind
        guard multipliesRows(kind, first.type), multipliesRows(kind, second.type), multipliesRows(kind, third.type)
        else {
            return (linear(first, &x), linear(second, &x), linear(third, &x))
        }
        let start = profiler.begin()
        defer { profiler.end(start, .product(first, second, third, rows: x.rows.count)) }
        observe(x.rows, first)
        observe(x.rows, second)
        observe(x.rows, third)
        let work = JointRowProducts(
            first: products(first, &x), second: products(second, &x), third: products(third, &x))
        multiply(work, count: work.byteCount, bytes: work.byteCount)
        return (work.first.output, work.second.output, work.third.output)
    }

    /// `activation(gate · x[i]) ⊙ (up · x[i])` for every row.
    ///
    /// - Parameters:
    ///   - gate, up: `[rows, columns]` of supported types.
    ///   - x: `[n, columns]`.
    ///   - unit: The activation.
    /// - Returns: `[n, rows]`.
    public func gatedLinear(
        gate: QuantizedMatrix, up: QuantizedMatrix, _ x: inout Activations, _ unit: GatedUnit = .swiGLU
    ) -> Rows {
        assert(gate.rows == up.rows)
        guard multipliesRows(x.kind, gate.type), multipliesRows(x.kind, up.type) else {
            if let output = multiplyGatedTiles(gate: gate, up: up, &x, unit) { return output }
            let output = linear(gate, &x)
            self.gate(output, linear(up, &x), unit)
            return output
        }
        let start = profiler.begin()
        defer { profiler.end(start, .product(gate, up, rows: x.rows.count)) }
        observe(x.rows, gate)
        observe(x.rows, up)
        let work = GatedRowProducts(gate: products(gate, &x), up: products(up, &x), glu: kernels.floats.glu(unit))
        multiply(work, count: gate.rows, bytes: gate.rows * (gate.rowBytes + up.rowBytes))
        return work.gate.output
    }

    /// ``linear(_:_:into:)`` by dot products with every row.
    func multiplyRows(_ weights: QuantizedMatrix, _ x: inout Activations, into output: Rows) {
        let work = products(weights, &x, into: output)
        multiply(work, count: weights.rows, bytes: weights.rows * weights.rowBytes)
    }

    /// Prepares the products of a matrix, with a newly allocated output.
    private func products(_ weights: QuantizedMatrix, _ x: inout Activations) -> RowProducts {
        products(weights, &x, into: scratch.rows(x.rows.count, width: weights.rows))
    }

    private func products(_ weights: QuantizedMatrix, _ x: inout Activations, into output: Rows) -> RowProducts {
        guard let dot = kernels[weights.type]?.dot, let activationType = weights.type.activationType else {
            preconditionFailure("no kernel for \(weights.type)")  // refused when the model is loaded
        }
        return RowProducts(dot: dot, weights: weights, x: x.rows(as: activationType, self), output: output)
    }

    /// Divides work among the threads, in ranges that are large enough.
    private func multiply(_ work: some ParallelWork, count: Int, bytes: Int) {
        parallel(count, grain: grain(rows: count, bytes: bytes), work)
    }

    /// The fewest weight rows that are worth handing to a thread, for a matrix of `rows` rows and `bytes` bytes.
    func grain(rows: Int, bytes: Int) -> Int { max(1, rows * Self.bytesPerTask / max(1, bytes)) }
}

/// Dot products of the rows of one matrix with all rows of activations.
private struct RowProducts: ParallelWork {
    let dot: DotKernel
    let weights: QuantizedMatrix
    let x: QuantizedRows
    let output: Rows

    var byteCount: Int { weights.rows * weights.rowBytes }

    func run(_ range: Range<Int>, worker: Int) {
        guard !range.isEmpty else { return }
        dot(
            weights.row(range.lowerBound), weights.rowBytes, range.count, x.base, x.rowBytes, output.count,
            weights.blocksPerRow, output.base + range.lowerBound, output.width)
    }
}

/// Three matrices one after the other, split by bytes, because their rows may differ in size.
private struct JointRowProducts: ParallelWork {
    let first: RowProducts
    let second: RowProducts
    let third: RowProducts

    var byteCount: Int { first.byteCount + second.byteCount + third.byteCount }

    func run(_ range: Range<Int>, worker: Int) {
        run(first, range, offset: 0, worker)
        run(second, range, offset: first.byteCount, worker)
        run(third, range, offset: first.byteCount + second.byteCount, worker)
    }

    /// Runs the rows of a matrix that start within the byte range; the matrix begins at `offset`.
    private func run(_ products: RowProducts, _ range: Range<Int>, offset: Int, _ worker: Int) {
        func row(_ byte: Int) -> Int {
            let rowBytes = products.weights.rowBytes
            let row = max(0, (byte - offset + rowBytes - 1) / rowBytes)
            // Kernels take 32 rows at a time where they can.
            return row < products.weights.rows ? row & ~31 : products.weights.rows
        }
        products.run(row(range.lowerBound)..<row(range.upperBound), worker: worker)
    }
}

/// Two matrices of the same shape, whose products are gated as soon as both are computed.
private struct GatedRowProducts: ParallelWork {
    let gate: RowProducts
    let up: RowProducts
    let glu: FloatKernels.GLU

    func run(_ range: Range<Int>, worker: Int) {
        gate.run(range, worker: worker)
        up.run(range, worker: worker)
        for row in 0..<gate.output.count {
            let values = gate.output[row] + range.lowerBound
            glu(values, up.output[row] + range.lowerBound, values, range.count)
        }
    }
}
