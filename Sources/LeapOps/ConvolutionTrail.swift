/// The inputs of a short convolution in one pass of a few rows, so that the last of them can be rolled back: the state
/// itself holds only the inputs of the last `taps − 1` rows.
public struct ConvolutionTrail: Sendable {
    /// The state before the pass, then the gated inputs of its rows: `[taps − 1 + rows, channels]`.
    private var values: [Float]
    private let stateCount: Int
    private let capacity: Int
    /// Values of the pass's rows.
    private var rowValues = 0

    /// A trail of up to `rows` rows.
    public init(of state: ShortConvolutionState, rows: Int) {
        stateCount = state.values.count
        capacity = rows
        values = state.values
    }

    /// Records the inputs of a pass. Records nothing if the pass has more rows than the trail has room for.
    ///
    /// - Parameter gates: `[n, 3 · channels]`, a row is `[b | c | x]`; the input of the convolution is `b ⊙ x`.
    public mutating func record(_ gates: Rows, after state: ShortConvolutionState) {
        let channels = gates.width / 3
        rowValues = 0
        guard gates.count <= capacity else { return }
        if values.count < stateCount + capacity * channels {
            values = [Float](repeating: 0, count: stateCount + capacity * channels)
        }
        for index in 0..<stateCount { values[index] = state.values[index] }
        for row in 0..<gates.count {
            let (b, x) = (gates[row], gates[row] + 2 * channels)
            for channel in 0..<channels {
                values[stateCount + row * channels + channel] = b[channel] * x[channel]
            }
        }
        rowValues = gates.count * channels
    }

    /// The state after all rows of the pass except for the last `count`.
    ///
    /// - Parameter channels: Values per row.
    fileprivate func state(before count: Int, channels: Int) -> ArraySlice<Float> {
        let start = rowValues - count * channels
        precondition(start >= 0, "the last pass had fewer than \(count) rows, or more than the trail's capacity")
        return values[start..<start + stateCount]
    }
}

extension ShortConvolutionState {
    /// Rolls back the last `count` rows of the pass that a trail recorded.
    public mutating func rollBack(_ count: Int, along trail: ConvolutionTrail) {
        values.withUnsafeMutableBufferPointer { values in
            _ = values.update(fromContentsOf: trail.state(before: count, channels: channels))
        }
    }
}
