import LeapBlocks

/// The rolling state of one short-convolution layer of one sequence: the last `taps − 1` gated inputs, oldest first,
/// `[taps − 1, channels]`.
///
/// A value: a copy is a checkpoint.
public struct ShortConvolutionState: Sendable {
    /// The values, zero at the beginning of a sequence.
    public fileprivate(set) var values: [Float]

    /// The state before the first token.
    public init(channels: Int, taps: Int) { values = [Float](repeating: 0, count: (taps - 1) * channels) }

    /// Back to the state before the first token.
    public mutating func reset() {
        for index in values.indices { values[index] = 0 }
    }
}

extension Compute {
    /// One row of LFM2's gated short convolution; advances the state by one position.
    ///
    /// - Parameters:
    ///   - gates: `[b | c | x]`, `3 · channels` floats.
    ///   - filter: `[channels, taps]`.
    ///   - output: `channels` floats.
    public func shortConvolution(
        _ gates: UnsafePointer<Float>, _ state: inout ShortConvolutionState, filter: UnsafePointer<Float>,
        channels: Int, taps: Int, into output: UnsafeMutablePointer<Float>
    ) {
        state.values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            kernels.floats.shortConvolution(gates, base, filter, output, channels, taps)
        }
    }
}
