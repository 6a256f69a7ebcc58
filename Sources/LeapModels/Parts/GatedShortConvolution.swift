import LeapOps

/// LFM2's operator for layers without attention: a short convolution between two gates.
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
    /// Whether the convolution covers only a row and those before it; in encoders it is centred on the row.
    var isCausal = true

    /// The layer's state before the first token. A centred convolution never changes it.
    func makeState() -> ConvolutionState { ConvolutionState(ShortConvolutionState(channels: channels, taps: taps)) }

    /// Bytes of such a state.
    var stateByteCount: Int { channels * (taps - 1) * MemoryLayout<Float>.stride }

    /// - Parameters:
    ///   - x: `[n, embeddingLength]`, normalised.
    ///   - layer: The number of the layer.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, layer: Int, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var x = Activations(x, pass.kind)
        let gates = input(&x, compute, pass.adapterScales)
        let convolved = compute.scratch.rows(gates.count, width: channels)
        let convolving = compute.beginOperation()
        for run in pass.runs {
            // Hidden rows count as zeros, also at the centre of the convolution.
            for row in run.seen.upperBound..<run.rows.upperBound {
                convolved[row].update(repeating: 0, count: channels)
            }
            guard isCausal else {
                compute.centredShortConvolution(
                    gates[run.seen], filter: filter.base, taps: taps, into: convolved[run.seen])
                continue
            }
            pass.state(of: layer, in: run, as: ConvolutionState.self)._withUnsafeGuaranteedRef { state in
                state.read(gates, run.seen, at: pass.positions[run.rows.lowerBound], pass: run.number) { rows, inputs in
                    compute.shortConvolution(
                        gates[rows], &inputs, filter: filter.base, taps: taps, into: convolved[rows])
                }
            }
        }
        compute.endOperation(convolving, .pointwise(.convolution, convolved, streams: 4))
        var result = Activations(convolved, pass.kind)
        return output(&result, compute, pass.adapterScales)
    }
}
