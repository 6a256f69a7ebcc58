import LeapBlocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How the angles of a rotary position embedding are scaled for positions beyond those that a model was trained on.
public enum RotaryScaling: Sendable, Hashable {
    /// Unscaled angles.
    case none
    /// Every angle divided by `factor`. Source: Chen et al. 2023, "Extending Context Window … Positional Interpolation".
    case linear(factor: Float)
    /// Slow angles divided by `factor`, fast ones unchanged, with a ramp in between. Source: Peng et al. 2023, "YaRN",
    /// section 3.
    ///
    /// - `originalContextLength`: positions of the training run, in tokens.
    /// - `betaFast`, `betaSlow`: turns within the original context at the ends of the ramp; 32 and 1.
    /// - `extrapolation`: how much of the ramp applies; 1.
    /// - `logMultiplier`: if it is not 0, how much of YaRN's temperature, 1 + 0.1 · ln `factor`, is undone: the
    ///   temperature is divided by 1 + 0.1 · `logMultiplier` · ln `factor`.
    /// - `temperature`: the factor on rotated values instead, if a model specifies it.
    /// - `roundsRamp`: whether the ends of the ramp are rounded to whole pairs, as in nearly all models.
    case yarn(
        factor: Float, originalContextLength: Int, betaFast: Float, betaSlow: Float, extrapolation: Float,
        logMultiplier: Float, temperature: Float? = nil, roundsRamp: Bool = true)

    /// The same scaling, but the ends of YaRN's ramp are not rounded to whole pairs; some models were trained so.
    public var withExactRamp: RotaryScaling {
        guard
            case .yarn(
                let factor, let context, let fast, let slow, let extrapolation, let multiplier, let temperature, _) =
                self
        else { return self }
        return .yarn(
            factor: factor, originalContextLength: context, betaFast: fast, betaSlow: slow,
            extrapolation: extrapolation, logMultiplier: multiplier, temperature: temperature, roundsRamp: false)
    }
}

/// Which elements of a head form a rotated pair.
public enum RotaryOrder: Sendable {
    /// `(x[2i], x[2i + 1])`, as Llama's converted weights have it.
    case interleaved
    /// `(x[i], x[i + pairs])`, as GPT-NeoX and LFM2 have it.
    case neoX
}

/// The angles of a rotary position embedding: pair `i` of a head turns by `position · frequencies[i]`.
/// Source: Su et al. 2021, "RoFormer", section 3.4.
public struct RotaryEmbedding: Sendable {
    /// Which elements form a pair.
    public let order: RotaryOrder
    /// Radians per position, one per pair.
    public let frequencies: [Double]
    /// A factor on the rotated values: 1 except with scaling methods that sharpen attention, such as YaRN.
    public let magnitude: Double

    /// Computes the frequencies `base^(−2i / dimensions)`, divided by `factors` where given and scaled.
    ///
    /// - Parameters:
    ///   - dimensions: Rotated elements of a head; even.
    ///   - factors: One divisor per pair (`rope_freqs.weight`), or empty.
    ///   - magnitude: A factor on the rotated values, in addition to that of `scaling`.
    public init(
        order: RotaryOrder, dimensions: Int, base: Float, scaling: RotaryScaling, factors: [Float] = [],
        magnitude: Float = 1
    ) {
        let pairs = dimensions / 2
        let trained = (0..<pairs).map { pair in
            pow(Double(base), -2 * Double(pair) / Double(dimensions))
                / (factors.isEmpty ? 1 : Double(factors[pair]))
        }
        self.order = order
        switch scaling {
        case .none:
            frequencies = trained
            self.magnitude = Double(magnitude)
        case .linear(let factor):
            frequencies = trained.map { $0 / Double(factor) }
            self.magnitude = Double(magnitude)
        case .yarn(
            let factor, let context, let betaFast, let betaSlow, let extrapolation, let logMultiplier, let temperature,
            let rounds):
            let ramp = YaRNRamp(
                dimensions: dimensions, base: Double(base), context: Double(context), betaFast: Double(betaFast),
                betaSlow: Double(betaSlow), rounds: rounds)
            frequencies = trained.enumerated().map { pair, frequency in
                let kept = ramp.kept(pair: pair) * Double(extrapolation)
                return frequency / Double(factor) * (1 - kept) + frequency * kept
            }
            let stretch = extrapolation == 0 ? 0 : 0.1 * log(max(Double(factor), 1))
            let computed = (1 + stretch) / (1 + stretch * Double(logMultiplier))
            self.magnitude = Double(magnitude) * (temperature.map(Double.init) ?? computed)
        }
    }
}

/// The share of each angle that YaRN leaves unscaled.
private struct YaRNRamp {
    let low: Double
    let high: Double

    /// The ramp runs from the pair that turns `betaFast` times within the original context to the one that turns
    /// `betaSlow` times; these are rounded outwards in most models.
    init(dimensions: Int, base: Double, context: Double, betaFast: Double, betaSlow: Double, rounds: Bool) {
        func pair(turning turns: Double) -> Double {
            Double(dimensions) * log(context / (turns * 2 * .pi)) / (2 * log(base))
        }
        let (first, last) = (pair(turning: betaFast), pair(turning: betaSlow))
        low = max(0, rounds ? floor(first) : first)
        high = min(Double(dimensions - 1), rounds ? ceil(last) : last)
    }

    /// 1 for fast pairs, 0 for slow ones.
    func kept(pair: Int) -> Double {
        1 - min(1, max(0, (Double(pair) - low) / max(0.001, high - low)))
    }
}

/// Cosines and sines for the rows of one batch.
public struct RotaryAngles {
    let order: RotaryOrder
    let cosines: Rows
    let sines: Rows

    /// The angles of some of the rows.
    public subscript(rows: Range<Int>) -> RotaryAngles {
        RotaryAngles(order: order, cosines: cosines[rows], sines: sines[rows])
    }
}

extension Compute {
    /// Computes the angles of rows at the given positions, once per pass for all layers.
    public func angles(_ embedding: RotaryEmbedding, positions: UnsafeBufferPointer<Int>) -> RotaryAngles {
        let pairs = embedding.frequencies.count
        let angles = RotaryAngles(
            order: embedding.order, cosines: scratch.rows(positions.count, width: pairs),
            sines: scratch.rows(positions.count, width: pairs))
        set(angles, embedding, positions: positions)
        return angles
    }

    /// Overwrites existing angles of the same number of rows and pairs.
    public func set(_ angles: RotaryAngles, _ embedding: RotaryEmbedding, positions: UnsafeBufferPointer<Int>) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.rotation, angles.cosines, streams: 2)) }
        embedding.frequencies.withUnsafeBufferPointer { frequencies in
            let work = AngleWork(
                frequencies: frequencies, magnitude: embedding.magnitude, positions: positions,
                cosines: angles.cosines, sines: angles.sines)
            parallel(positions.count, grain: 8, work)
        }
    }

    /// Rotates every head of every row, in place.
    ///
    /// - Parameter x: `[n, heads · headDimension]`.
    public func rotate(_ x: Rows, headDimension: Int, by angles: RotaryAngles) {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.rotation, x, streams: 2)) }
        let kernel = angles.order == .neoX ? kernels.floats.ropeNeoX : kernels.floats.ropeInterleaved
        parallel(x.count, grain: 4, Rotation(rotate: kernel, x: x, headDimension: headDimension, angles: angles))
    }
}

private struct AngleWork: ParallelWork {
    let frequencies: UnsafeBufferPointer<Double>
    let magnitude: Double
    let positions: UnsafeBufferPointer<Int>
    let cosines: Rows
    let sines: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            for (pair, frequency) in frequencies.enumerated() {
                let angle = Double(positions[row]) * frequency
                cosines[row][pair] = Float(cos(angle) * magnitude)
                sines[row][pair] = Float(sin(angle) * magnitude)
            }
        }
    }
}

private struct Rotation: ParallelWork {
    let rotate: FloatKernels.RoPE
    let x: Rows
    let headDimension: Int
    let angles: RotaryAngles

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            rotate(
                x[row], x.width / headDimension, headDimension, angles.cosines[row], angles.sines[row],
                angles.cosines.width)
        }
    }
}
