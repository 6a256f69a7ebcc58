import LeapBlocks

// Convolutions of audio encoders. They have no kernels because they compute little beside the products around them.

/// Part of an image whose rows are times and whose columns are frequencies, with several channels per position.
public struct ImageRows {
    /// `[times · frequencies, channels]`, time-major.
    public let rows: Rows
    /// Columns of the image.
    public let frequencies: Int
    /// The times of the image that are present.
    public let times: Range<Int>

    /// Takes scratch memory for some times of an image.
    public init(times: Range<Int>, frequencies: Int, channels: Int, _ compute: Compute) {
        self.init(
            compute.scratch.rows(times.count * frequencies, width: channels), times: times, frequencies: frequencies)
    }

    /// An image of existing rows, one per position.
    public init(_ rows: Rows, times: Range<Int>, frequencies: Int) {
        (self.rows, self.times, self.frequencies) = (rows, times, frequencies)
    }

    /// The image whose one channel is a spectrogram, `[times, frequencies]`.
    public init(spectrogram frames: Rows) {
        self.init(
            Rows(base: frames.base, count: frames.count * frames.width, width: 1), times: 0..<frames.count,
            frequencies: frames.width)
    }

    /// The channels at a position.
    func place(_ time: Int, _ frequency: Int) -> UnsafeMutablePointer<Float> {
        rows[(time - times.lowerBound) * frequencies + frequency]
    }

    /// Positions in one direction that remain of `count` after a stride of two.
    public static func halved(_ count: Int) -> Int { (count + 1) / 2 }

    /// The input times that a convolution needs for some output times, within `count` input times.
    public static func sources(of times: Range<Int>, within count: Int) -> Range<Int> {
        max(0, 2 * times.lowerBound - 1)..<min(count, 2 * times.upperBound)
    }
}

/// The weights of a 3 × 3 convolution.
public struct ImageFilter {
    /// `[9, channels]`, time-major.
    public let weights: UnsafePointer<Float>
    /// `channels` floats.
    public let bias: UnsafePointer<Float>

    /// Groups weights.
    public init(weights: UnsafePointer<Float>, bias: UnsafePointer<Float>) {
        (self.weights, self.bias) = (weights, bias)
    }
}

extension Compute {
    /// A 3 × 3 convolution with a stride of two in both directions, and zero padding:
    ///
    ///     target[t, f, c] = bias[c] + Σ_(i, j) weights[i, j, c] · source[2t + i − 1, 2f + j − 1, c]
    ///
    /// - Parameters:
    ///   - source: The times that ``ImageRows/sources(of:within:)`` returns. If it has one channel, every target
    ///     channel reads that one.
    ///   - target: Is written.
    public func halve(_ source: ImageRows, _ filter: ImageFilter, into target: ImageRows) {
        let start = beginOperation()
        defer { endOperation(start, .pointwise(.convolution, target.rows, streams: 9)) }
        parallel(
            target.times.count, grain: 1, Halving(source: source, filter: filter, target: target))
    }

    /// `x[i] ← max(0, x[i])`, in place.
    public func relu(_ x: Rows) {
        let start = beginOperation()
        defer { endOperation(start, .pointwise(.gating, x, streams: 2)) }
        parallel(x.count, grain: 16, Rectifying(x: x))
    }

    /// `x[i] ← x[i] · σ(x[i])`, in place.
    public func silu(_ x: Rows) {
        let start = beginOperation()
        defer { endOperation(start, .pointwise(.gating, x, streams: 2)) }
        scratch.scope {
            let ones = scratch.rows(1, width: x.width)
            if !isCounting { ones.base.update(repeating: 1, count: x.width) }
            parallel(x.count, grain: 2, SelfGating(swiGLU: kernels.floats.swiGLU, x: x, ones: ones.base))
        }
    }

    /// A depthwise convolution over all rows of a recording, centred on each row; rows outside the recording are zeros.
    ///
    ///     output[t] = bias + Σ_k filter[k] ⊙ x[t + k − (taps − 1) / 2]
    ///
    /// - Parameters:
    ///   - x: `[n, channels]`.
    ///   - filter: `[taps, channels]`.
    ///   - bias: `channels` floats.
    ///   - taps: An odd number.
    ///   - output: `[n, channels]`; not `x`.
    public func centredConvolution(
        _ x: Rows, filter: UnsafePointer<Float>, bias: UnsafePointer<Float>, taps: Int, into output: Rows
    ) {
        let start = beginOperation()
        defer { endOperation(start, .pointwise(.convolution, x, streams: taps)) }
        parallel(x.count, grain: 8, Centring(x: x, filter: filter, bias: bias, taps: taps, output: output))
    }
}

private struct Halving: ParallelWork {
    let source: ImageRows
    let filter: ImageFilter
    let target: ImageRows

    func run(_ range: Range<Int>, worker: Int) {
        for time in range {
            for frequency in 0..<target.frequencies { write(time + target.times.lowerBound, frequency) }
        }
    }

    private func write(_ time: Int, _ frequency: Int) {
        let (sum, channels) = (target.place(time, frequency), target.rows.width)
        sum.update(from: filter.bias, count: channels)
        for tap in 0..<9 {
            let (t, f) = (2 * time + tap / 3 - 1, 2 * frequency + tap % 3 - 1)
            guard source.times.contains(t), (0..<source.frequencies).contains(f) else { continue }
            let (weights, x) = (filter.weights + tap * channels, source.place(t, f))
            if source.rows.width == 1 {
                let value = x[0]
                for channel in 0..<channels { sum[channel] += weights[channel] * value }
            } else {
                for channel in 0..<channels { sum[channel] += weights[channel] * x[channel] }
            }
        }
    }
}

private struct Rectifying: ParallelWork {
    let x: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            // NaN is preserved.
            for index in 0..<x.width where x[row][index] < 0 { x[row][index] = 0 }
        }
    }
}

private struct SelfGating: ParallelWork {
    let swiGLU: FloatKernels.GLU
    let x: Rows
    let ones: UnsafePointer<Float>

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { swiGLU(x[row], ones, x[row], x.width) }
    }
}

private struct Centring: ParallelWork {
    let x: Rows
    let filter: UnsafePointer<Float>
    let bias: UnsafePointer<Float>
    let taps: Int
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            let sum = output[row]
            sum.update(from: bias, count: x.width)
            for tap in 0..<taps {
                let source = row + tap - (taps - 1) / 2
                guard (0..<x.count).contains(source) else { continue }
                let (weights, values) = (filter + tap * x.width, x[source])
                for channel in 0..<x.width { sum[channel] += weights[channel] * values[channel] }
            }
        }
    }
}
