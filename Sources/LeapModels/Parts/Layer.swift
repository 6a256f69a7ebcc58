import LeapBlocks
import LeapOps

/// One layer: what mixes positions, and what treats every position by itself, each behind a norm and added to the
/// residual stream.
struct Layer: Sendable {
    let mixerNorm: Norm
    let mixer: Mixer
    let feedForwardNorm: Norm
    let feedForward: FeedForward

    /// `x ← x + mixer(norm(x));   x ← x + feedForward(norm(x))`
    ///
    /// - Parameters:
    ///   - number: The number of the layer, by which a sequence's state knows it.
    ///   - goesOn: Asked after each part of the layer.
    /// - Returns: Its last answer.
    func callAsFunction(
        _ x: Rows, number: Int, _ pass: ForwardPass, _ compute: Compute, goesOn: (LayerPart) -> Bool
    ) -> Bool {
        let normed = compute.scratch.rows(x.count, width: x.width)
        mixerNorm(x, into: normed, compute)
        compute.add(mixer(normed, layer: number, pass, compute), to: x)
        guard goesOn(.mixer) else { return false }
        feedForwardNorm(x, into: normed, compute)
        compute.add(feedForward(normed, pass, compute), to: x)
        return goesOn(.feedForward)
    }
}

/// What looks at other positions than a row's own: an enum and not a protocol, because a pass hands layers down without
/// counting references.
enum Mixer: Sendable {
    case attention(SelfAttention)
    case convolution(GatedShortConvolution)

    /// - Parameters:
    ///   - x: `[n, embeddingLength]`, normalised.
    ///   - layer: The number of the layer.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, layer: Int, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        switch self {
        case .attention(let attention): attention(x, layer: layer, pass, compute)
        case .convolution(let convolution): convolution(x, layer: layer, pass, compute)
        }
    }

    /// What a sequence's state holds of the layer before the first token.
    func makeState(_ types: KeyValueTypes) -> any LayerState {
        switch self {
        case .attention(let attention): attention.makeState(types)
        case .convolution(let convolution): convolution.makeState()
        }
    }

    /// Bytes that such a state takes for a number of positions.
    func stateByteCount(positions: Int, _ types: KeyValueTypes) -> Int {
        switch self {
        case .attention(let attention): attention.stateByteCount(positions: positions, types)
        case .convolution(let convolution): convolution.stateByteCount
        }
    }
}
