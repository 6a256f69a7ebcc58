import LeapBlocks

// Convolutions of encoders of sound. No kernels, because what they compute is little beside the products around them.

/// Part of an image whose rows are times and whose columns are frequencies, with some channels at every place.
public struct ImageRows {
    /// `[times · frequencies, channels]`, time by time.
    public let rows: Rows
    /// Columns of the image.
    public let frequencies: Int
    /// The times of the image that are there.
    public let times: Range<Int>

    /// Takes scratch memory for some times of an image.
    public init(times: Range<Int>, frequencies: Int, channels: Int, _ compute: Compute) {
        self.init(
            compute.scratch.rows(times.count * frequencies, width: channels), times: times, frequencies: frequencies)
    }

    /// An image of rows that are there: one for every place.
    public init(_ rows: Rows, times: Range<Int>, frequencies: Int) {
        (self.rows, self.times, self.frequencies) = (rows, times, frequencies)
    }

    /// The image whose one channel is a spectrogram, `[times, frequencies]`.
    public init(spectrogram frames: Rows) {
        self.init(
            Rows(base: frames.base, count: frames.count * frames.width, width: 1), times: 0..<frames.count,
            frequencies: frames.width)
    }

    /// The channels of a place.
    func place(_ time: Int, _ frequency: Int) -> UnsafeMutablePointer<Float> {
        rows[(time - times.lowerBound) * frequencies + frequency]
    }

    /// Places in one direction that a stride of two leaves of `count`.
    public static func halved(_ count: Int) -> Int { (count + 1) / 2 }

    /// The times that a convolution reads for some of its own, of `count` in all.
    public static func sources(of times: Range<Int>, within count: Int) -> Range<Int> {
        max(0, 2 * times.lowerBound - 1)..<min(count, 2 * times.upperBound)
    }
}

/// The weights of a convolution of three by three places.
public struct ImageFilter {
    /// `[9, channels]`, time by time.
    public let weights: UnsafePointer<Float>
    /// `channels` floats.
    public let bias: UnsafePointer<Float>

    /// Groups weights.
    public init(weights: UnsafePointer<Float>, bias: UnsafePointer<Float>) {
        (self.weights, self.bias) = (weights, bias)
    }
}

extension Compute {
    /// A convolution of three by three places with a stride of two both ways, and zeros around the image:
    ///
    ///     target[t, f, c] = bias[c] + Σ_(i, j) weights[i, j, c] · source[2t + i − 1, 2f + j − 1, c]
    ///
    /// - Parameters:
    ///   - source: The times that ``ImageRows/sources(of:within:)`` tells. Of one channel, every channel of the target reads that.
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

    /// A convolution over all rows of a recording, every channel by itself, in which a row meets as many rows after it as before
    /// it; outside are zeros.
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
            // NaN stays what it is.
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
