import LeapBlocks

/// The rolling state of one short-convolution layer of one sequence: the last `taps − 1` gated inputs, oldest first,
/// `[taps − 1, channels]`.
///
/// A value type: a copy is a checkpoint.
public struct ShortConvolutionState: Sendable {
    /// The values, zero at the beginning of a sequence.
    public internal(set) var values: [Float]

    /// Values per row.
    let channels: Int

    /// The state before the first token.
    public init(channels: Int, taps: Int) {
        values = [Float](repeating: 0, count: (taps - 1) * channels)
        self.channels = channels
    }

    /// Bytes of the values.
    public var byteCount: Int { values.count * MemoryLayout<Float>.stride }

    /// Reads the state's values from bytes.
    public mutating func load(_ bytes: UnsafeRawBufferPointer) {
        for index in values.indices {
            values[index] = bytes.loadUnaligned(
                fromByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
        }
    }

    /// Copies the values of another state of the same layer into existing memory.
    ///
    /// - Parameter other: Does not change; `inout` only because passing it by value would retain its storage.
    public mutating func copy(_ other: inout ShortConvolutionState) {
        other.values.withUnsafeMutableBufferPointer { source in
            values.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: source) }
        }
    }

    /// Resets to the state before the first token.
    public mutating func reset() {
        for index in values.indices { values[index] = 0 }
    }
}

extension Compute {
    /// The number of channels that is worth a thread: whole cache lines, so that threads do not share any. A thread takes as
    /// many as there are for it: those of a row are contiguous, while the next row is far away.
    private static let channelGrain = 256
    /// The number of channels times rows from which waking other threads pays.
    private static let parallelWork = 32_768

    /// LFM2's gated short convolution of consecutive rows of one sequence; advances the state past them.
    ///
    /// - Parameters:
    ///   - gates: `[n, 3 · channels]`, a row is `[b | c | x]`.
    ///   - filter: `[taps, channels]`.
    ///   - output: `[n, channels]`.
    public func shortConvolution(
        _ gates: Rows, _ state: inout ShortConvolutionState, filter: UnsafePointer<Float>, taps: Int,
        into output: Rows
    ) {
        let channels = output.width
        state.values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            let work = ConvolutionWork(
                convolve: kernels.floats.shortConvolution, gates: gates, state: base, filter: filter, taps: taps,
                output: output, grain: Self.channelGrain)
            let pieces = (channels + Self.channelGrain - 1) / Self.channelGrain
            let tasks = gates.count * channels < Self.parallelWork ? 1 : min(pieces, pool.active)
            pool.run(work, count: pieces, tasks: tasks)
        }
    }
}

/// Pieces of the channels, each for all rows.
private struct ConvolutionWork: ParallelWork {
    let convolve: FloatKernels.ShortConvolution
    let gates: Rows
    let state: UnsafeMutablePointer<Float>
    let filter: UnsafePointer<Float>
    let taps: Int
    let output: Rows
    let grain: Int

    func run(_ range: Range<Int>, worker: Int) {
        let first = range.lowerBound * grain
        let count = min(range.upperBound * grain, output.width) - first
        convolve(gates.base, state, filter, output.base, gates.count, output.width, taps, first, count)
    }
}

extension Compute {
    /// The gated short convolution of a whole text at once, centred on each row; rows outside the text are zeros.
    ///
    ///     output[t] = c[t] ⊙ Σ_k filter[k] ⊙ b[t + k − (taps − 1) / 2] ⊙ x[t + k − (taps − 1) / 2]
    ///
    /// - Parameters:
    ///   - gates: `[n, 3 · channels]`, all rows of one text; a row is `[b | c | x]`.
    ///   - filter: `[taps, channels]`.
    ///   - taps: An odd number.
    ///   - output: `[n, channels]`.
    public func centredShortConvolution(
        _ gates: Rows, filter: UnsafePointer<Float>, taps: Int, into output: Rows
    ) {
        assert(!taps.isMultiple(of: 2) && gates.width == 3 * output.width && gates.count == output.count)
        parallel(
            output.count, grain: 8, CentredConvolution(gates: gates, filter: filter, taps: taps, output: output))
    }
}

/// Rows of a centred convolution. No kernel, because models for texts are small and read each text once.
private struct CentredConvolution: ParallelWork {
    let gates: Rows
    let filter: UnsafePointer<Float>
    let taps: Int
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            let sum = output[row]
            sum.update(repeating: 0, count: output.width)
            for tap in 0..<taps {
                let source = row + tap - (taps - 1) / 2
                if (0..<gates.count).contains(source) { add(tap, of: gates[source], to: sum) }
            }
            let gate = gates[row] + output.width
            for channel in 0..<output.width { sum[channel] *= gate[channel] }
        }
    }

    private func add(_ tap: Int, of row: UnsafeMutablePointer<Float>, to sum: UnsafeMutablePointer<Float>) {
        let (weights, x) = (filter + tap * output.width, row + 2 * output.width)
        for channel in 0..<output.width { sum[channel] += weights[channel] * row[channel] * x[channel] }
    }
}
