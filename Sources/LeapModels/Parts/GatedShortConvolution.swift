import LeapOps

/// LFM2's operator for layers without attention: a short causal convolution between two gates.
///
///     b, c, u = split(Win · x);   y = Wout · (c ⊙ convolve(b ⊙ u))
///
/// Source: LFM2 technical report (Liquid AI 2025), "gated short convolution block".
struct GatedShortConvolution: Sendable {
    /// `[3 · channels, embeddingLength]`
    let input: Projection
    /// `[taps, channels]`
    let filter: FloatVector
    /// `[embeddingLength, channels]`
    let output: Projection

    let channels: Int
    let taps: Int
    /// Index of the layer's rolling state in a sequence's state.
    let state: Int

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var x = Activations(x, pass.kind)
        let gates = input(&x, compute)
        let convolved = compute.scratch.rows(gates.count, width: channels)
        let convolving = compute.beginOperation()
        for run in pass.runs {
            run.state._withUnsafeGuaranteedRef { sequence in
                if !sequence.trails.isEmpty {
                    sequence.trails[state].record(gates[run.rows], behind: sequence.convolutions[state])
                }
                sequence.forEachSegment(of: run.rows, layer: state) { rows in
                    compute.shortConvolution(
                        gates[rows], &sequence.convolutions[state], filter: filter.base, taps: taps,
                        into: convolved[rows])
                }
            }
        }
        compute.endOperation(convolving, .pointwise(.convolution, convolved, streams: 4))
        var result = Activations(convolved, pass.kind)
        return output(&result, compute)
    }

    /// Counts what ``callAsFunction(_:_:_:)`` takes of scratch memory.
    func addScratch(of batch: Batch, _ compute: Compute, to size: inout ScratchSize) {
        var x = ActivationsSize(rows: batch.count, batch.kind, width: input.weights.columns)
        compute.addLinear(input.weights, &x, to: &size)
        size.rows(batch.count, width: channels)
        var result = ActivationsSize(rows: batch.count, batch.kind, width: channels)
        compute.addLinear(output.weights, &result, to: &size)
    }
}
