import LeapOps

/// LFM2's operator for layers without attention: a short causal convolution between two gates.
///
///     b, c, u = split(Win · x);   y = Wout · (c ⊙ convolve(b ⊙ u))
///
/// Source: LFM2 technical report (Liquid AI 2025), "gated short convolution block".
struct GatedShortConvolution: Sendable {
    /// `[3 · channels, embeddingLength]`
    let input: QuantizedMatrix
    /// `[channels, taps]`
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
        let convolving = compute.beginOperation()
        // Rows of one sequence follow each other, because each changes the state that the next one sees.
        for row in 0..<gates.count {
            let sequence = pass.batch.sequences[pass.batch.sequenceOfRow[row]]
            compute.shortConvolution(
                gates[row], &sequence.convolutions[state], filter: filter.base, channels: channels, taps: taps,
                into: convolved[row])
        }
        compute.endOperation(convolving, .pointwise(.convolution, convolved, streams: 4))
        var result = Activations(convolved)
        return compute.linear(output, &result)
    }
}
