import Foundation
import LeapBlocks

// Operations that treat every row, or every element, independently.

extension Compute {
    /// The number of rows from which a pointwise operation is worth a thread.
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

    /// Normalises each of `count` equal parts of every row by itself, in place.
    ///
    /// - Parameters:
    ///   - x: `[n, count · m]`.
    ///   - weight: `x.width` floats.
    public func rmsNormGroups(_ x: Rows, count: Int, _ weight: UnsafePointer<Float>, epsilon: Float) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.norm, x, streams: 2)) }
        let groups = Rows(base: x.base, count: x.count * count, width: x.width / count)
        let norm = Normalization(
            norm: kernels.floats.rmsNorm, x: groups, weight: weight, epsilon: epsilon, output: groups,
            weightPeriod: count)
        parallel(groups.count, grain: Self.rowGrain, norm)
    }

    /// `output[i] = layerNorm(x[i]) · weight + bias`. `output` may be `x`.
    ///
    /// - Parameters:
    ///   - weight: `x.width` floats.
    ///   - bias: `x.width` floats.
    public func layerNorm(
        _ x: Rows, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, epsilon: Float, into output: Rows
    ) {
        assert(output.width == x.width && output.count == x.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.norm, x, streams: 2)) }
        let norm = Standardization(
            norm: kernels.floats.layerNorm, x: x, weight: weight, bias: bias, epsilon: epsilon, output: output)
        parallel(x.count, grain: Self.rowGrain, norm)
    }

    /// `x[i] ← GELU(x[i])`, in place.
    public func gelu(_ x: Rows, _ form: GELUForm) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.gating, x, streams: 2)) }
        switch form {
        case .tanh: parallel(x.count, grain: 2, Activating(activate: kernels.floats.gelu, x: x))
        case .exact: parallel(x.count, grain: 2, Activating(activate: kernels.floats.exactGELU, x: x))
        }
    }

    /// `x[i] ← σ(x[i])`, in place, for few numbers.
    public func sigmoid(_ x: Rows) {
        guard !isCounting else { return }
        for index in 0..<x.count * x.width { x.base[index] = 1 / (1 + exp(-x.base[index])) }
    }

    /// `x[i] += y[i]`: the residual connection.
    public func add(_ y: Rows, to x: Rows) {
        assert(y.width == x.width && y.count == x.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 3)) }
        parallel(x.count, grain: Self.rowGrain, Addition(add: kernels.floats.add, x: x, y: y))
    }

    /// `x[i] += factor · y[i]`: the residual connection of models that scale it.
    public func add(_ y: Rows, scaledBy factor: Float, to x: Rows) {
        assert(y.width == x.width && y.count == x.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 3)) }
        let addition = ScaledAddition(add: kernels.floats.addScaled, x: x, y: y, factor: factor)
        parallel(x.count, grain: Self.rowGrain, addition)
    }

    /// `x[i] += factors[i] · factor · y[i]`; a row whose factor is 0 stays as it is, to the last bit.
    ///
    /// - Parameter factors: One for each row.
    public func add(_ y: Rows, scaledBy factors: UnsafePointer<Float>, times factor: Float, to x: Rows) {
        assert(y.width == x.width && y.count == x.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 3)) }
        let addition = RowScaledAddition(
            add: kernels.floats.addScaled, x: x, y: y, factors: factors, factor: factor)
        parallel(x.count, grain: Self.rowGrain, addition)
    }

    /// `x[i] = cap · tanh(x[i] / cap)`, in place.
    public func softCap(_ x: Rows, _ cap: Float) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.addition, x, streams: 2)) }
        // Split by elements, because a single row of logits is long.
        let count = x.count * x.width
        parallel(count, grain: 1 << 14, Capping(softCap: kernels.floats.softCap, base: x.base, cap: cap))
    }

    /// `gate[i] = activation(gate[i]) ⊙ up[i]`, or the unit's variant of it, in place.
    public func gate(_ gate: Rows, _ up: Rows, _ unit: GatedUnit) {
        assert(gate.width == up.width && gate.count == up.count)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.gating, gate, streams: 3)) }
        parallel(gate.count, grain: 2, Gating(glu: kernels.floats.glu(unit), gate: gate, up: up))
    }
}

/// The activation of a gated linear unit.
public enum GatedUnit: Sendable {
    /// SiLU.
    case swiGLU
    /// GELU, in the form with tanh.
    case geGLU
    /// SiLU with a factor, between bounds, as in gpt-oss; see `FloatKernels.GLU`.
    case boundedSwiGLU
    /// The sigmoid alone.
    case sigmoid
    /// GELU by the error function.
    case exactGEGLU
}

extension FloatKernels {
    /// The function of a unit.
    func glu(_ unit: GatedUnit) -> GLU {
        switch unit {
        case .swiGLU: swiGLU
        case .geGLU: geGLU
        case .boundedSwiGLU: boundedSwiGLU
        case .sigmoid: sigmoidGLU
        case .exactGEGLU: exactGEGLU
        }
    }
}

private struct Normalization: ParallelWork {
    let norm: FloatKernels.RMSNorm
    let x: Rows
    let weight: UnsafePointer<Float>
    let epsilon: Float
    let output: Rows
    /// The number of weight rows, which the rows use in turn.
    var weightPeriod = 1

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { norm(x[row], weight + row % weightPeriod * x.width, output[row], x.width, epsilon) }
    }
}

private struct Standardization: ParallelWork {
    let norm: FloatKernels.LayerNorm
    let x: Rows
    let weight: UnsafePointer<Float>
    let bias: UnsafePointer<Float>
    let epsilon: Float
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { norm(x[row], weight, bias, output[row], x.width, epsilon) }
    }
}

private struct Activating: ParallelWork {
    let activate: FloatKernels.GELU
    let x: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { activate(x[row], x.width) }
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

private struct ScaledAddition: ParallelWork {
    let add: FloatKernels.AddScaled
    let x: Rows
    let y: Rows
    let factor: Float

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { add(x[row], y[row], factor, x.width) }
    }
}

private struct RowScaledAddition: ParallelWork {
    let add: FloatKernels.AddScaled
    let x: Rows
    let y: Rows
    let factors: UnsafePointer<Float>
    let factor: Float

    func run(_ range: Range<Int>, worker: Int) {
        for row in range where factors[row] != 0 { add(x[row], y[row], factors[row] * factor, x.width) }
    }
}

private struct Capping: ParallelWork {
    let softCap: FloatKernels.SoftCap
    let base: UnsafeMutablePointer<Float>
    let cap: Float

    func run(_ range: Range<Int>, worker: Int) { softCap(base + range.lowerBound, cap, range.count) }
}

private struct Gating: ParallelWork {
    let glu: FloatKernels.GLU
    let gate: Rows
    let up: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { glu(gate[row], up[row], gate[row], gate.width) }
    }
}
