import LeapBlocks

// Operations that treat every row, or every element, by itself.

extension Compute {
    /// Rows from which a pointwise operation is worth a thread.
    private static let rowGrain = 8

    /// `output[i] = rmsNorm(x[i]) · weight`. `output` may be `x`.
    ///
    /// - Parameter weight: `x.width` floats.
    public func rmsNorm(_ x: Rows, _ weight: UnsafePointer<Float>, epsilon: Float, into output: Rows) {
        assert(output.width == x.width && output.count == x.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.norm, x, streams: 2)) }
        let norm = Normalization(
            norm: kernels.floats.rmsNorm, x: x, weight: weight, epsilon: epsilon, output: output)
        parallel(x.count, grain: Self.rowGrain, norm)
    }

    /// Normalises every head of every row by itself, in place.
    ///
    /// - Parameters:
    ///   - x: `[n, heads · headDimension]`.
    ///   - weight: `headDimension` floats.
    public func rmsNormHeads(_ x: Rows, headDimension: Int, _ weight: UnsafePointer<Float>, epsilon: Float) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.norm, x, streams: 2)) }
        let heads = Rows(base: x.base, count: x.count * (x.width / headDimension), width: headDimension)
        let norm = Normalization(
            norm: kernels.floats.rmsNorm, x: heads, weight: weight, epsilon: epsilon, output: heads)
        parallel(heads.count, grain: Self.rowGrain * 8, norm)
    }

    /// `x[i] += y[i]`: the residual connection.
    public func add(_ y: Rows, to x: Rows) {
        assert(y.width == x.width && y.count == x.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 3)) }
        parallel(x.count, grain: Self.rowGrain, Addition(add: kernels.floats.add, x: x, y: y))
    }

    /// `gate[i] = SiLU(gate[i]) ⊙ up[i]`, in place.
    public func swiGLU(_ gate: Rows, _ up: Rows) {
        assert(gate.width == up.width && gate.count == up.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.gating, gate, streams: 3)) }
        parallel(gate.count, grain: 2, Gating(swiGLU: kernels.floats.swiGLU, gate: gate, up: up))
    }
}

private struct Normalization: ParallelWork {
    let norm: FloatKernels.RMSNorm
    let x: Rows
    let weight: UnsafePointer<Float>
    let epsilon: Float
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { norm(x[row], weight, output[row], x.width, epsilon) }
    }
}

private struct Addition: ParallelWork {
    let add: FloatKernels.Add
    let x: Rows
    let y: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { add(x[row], y[row], x.width) }
    }
}

private struct Gating: ParallelWork {
    let swiGLU: FloatKernels.SwiGLU
    let gate: Rows
    let up: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { swiGLU(gate[row], up[row], gate[row], gate.width) }
    }
}
