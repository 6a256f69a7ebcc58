import LeapOps

/// LFM2's operator for layers without attention: a short causal convolution between two gates.
///
///     b, c, u = split(Win · x);   y = Wout · (c ⊙ convolve(b ⊙ u))
///
/// Source: LFM2 technical report (Liquid AI 2025), "gated short convolution block".
struct GatedShortConvolution: Sendable {
    /// `[3 · channels, embeddingLength]`
    let input: QuantizedMatrix
    /// `[taps, channels]`
    let filter: FloatVector
    /// `[embeddingLength, channels]`
    let output: QuantizedMatrix

    let channels: Int
    let taps: Int
    /// Index of the layer's rolling state in a sequence's state.
    let state: Int

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass) -> Rows {
        let compute = pass.compute
        var x = Activations(x)
        let gates = compute.linear(input, &x)
        let convolved = compute.scratch.rows(gates.count, width: channels)
        pass.forEachRun { rows, sequence in
            compute.shortConvolution(
                gates[rows], &sequence.convolutions[state], filter: filter.base, taps: taps, into: convolved[rows])
        }
        var result = Activations(convolved)
        return compute.linear(output, &result)
    }
}

extension ForwardPass {
    /// Calls `body` for the rows that follow each other in one sequence.
    fileprivate func forEachRun(_ body: (_ rows: Range<Int>, _ sequence: SequenceState) -> Void) {
        var start = 0
        while start < batch.count {
            let sequence = batch.sequenceOfRow[start]
            var end = start + 1
            while end < batch.count, batch.sequenceOfRow[end] == sequence { end += 1 }
            body(start..<end, batch.sequences[sequence])
            start = end
        }
    }
}
