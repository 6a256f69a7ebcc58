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
        parallel(x.count, grain: Self.rowGrain) { [norm = kernels.floats.rmsNorm] range, _ in
            for row in range { norm(x[row], weight, output[row], x.width, epsilon) }
        }
    }

    /// Normalises every head of every row by itself, in place.
    ///
    /// - Parameters:
    ///   - x: `[n, heads · headDimension]`.
    ///   - weight: `headDimension` floats.
    public func rmsNormHeads(_ x: Rows, headDimension: Int, _ weight: UnsafePointer<Float>, epsilon: Float) {
        let heads = Rows(base: x.base, count: x.count * (x.width / headDimension), width: headDimension)
        parallel(heads.count, grain: Self.rowGrain * 8) { [norm = kernels.floats.rmsNorm] range, _ in
            for head in range { norm(heads[head], weight, heads[head], headDimension, epsilon) }
        }
    }

    /// `x[i] += y[i]`: the residual connection.
    public func add(_ y: Rows, to x: Rows) {
        assert(y.width == x.width && y.count == x.count)
        parallel(x.count, grain: Self.rowGrain) { [add = kernels.floats.add] range, _ in
            for row in range { add(x[row], y[row], x.width) }
        }
    }

    /// `gate[i] = SiLU(gate[i]) ⊙ up[i]`, in place.
    public func swiGLU(_ gate: Rows, _ up: Rows) {
        assert(gate.width == up.width && gate.count == up.count)
        parallel(gate.count, grain: 2) { [swiGLU = kernels.floats.swiGLU] range, _ in
            for row in range { swiGLU(gate[row], up[row], gate[row], gate.width) }
        }
    }
}
