import LeapBlocks
import LeapOps

/// One layer: a mixer across positions, and a channel mixer that processes every position independently. Each is a branch
/// added to the residual stream, with a norm before it, after it, or both; or the stream is normalised after each addition.
struct Layer: Sendable {
    var mixerNorm: StreamNorm?
    let mixer: Mixer
    var mixerOutputNorm: StreamNorm?
    /// The norm of the residual stream after the mixer.
    var mixerSumNorm: StreamNorm?
    var feedForwardNorm: StreamNorm?
    let channelMixer: ChannelMixer
    var feedForwardOutputNorm: StreamNorm?
    /// The norm of the residual stream after the feed-forward network.
    var feedForwardSumNorm: StreamNorm?
    /// A factor on both branches.
    var branchScale: Float = 1

    /// `x ← x + norm(mixer(norm(x)));   x ← x + norm(channelMixer(norm(x)))`, with the norms that the layer has.
    ///
    /// - Parameters:
    ///   - number: The number of the layer, which identifies it in a sequence's state.
    ///   - shouldContinue: Asked after each part of the layer.
    /// - Returns: Its last answer.
    func callAsFunction(
        _ x: Rows, number: Int, _ pass: ForwardPass, _ compute: Compute, shouldContinue: (LayerPart) -> Bool
    ) -> Bool {
        let normed = compute.scratch.rows(x.count, width: x.width)
        let mixed = mixer(normalize(x, by: mixerNorm, into: normed, compute), layer: number, pass, compute)
        add(mixed, normalizedBy: mixerOutputNorm, to: x, compute)
        mixerSumNorm?(x, into: x, compute)
        guard shouldContinue(.mixer) else { return false }
        let hidden = channelMixer(normalize(x, by: feedForwardNorm, into: normed, compute), pass, compute)
        add(hidden, normalizedBy: feedForwardOutputNorm, to: x, compute)
        feedForwardSumNorm?(x, into: x, compute)
        return shouldContinue(.feedForward)
    }

    /// The input of a branch.
    private func normalize(_ x: Rows, by norm: StreamNorm?, into output: Rows, _ compute: Compute) -> Rows {
        guard let norm else { return x }
        norm(x, into: output, compute)
        return output
    }

    /// Adds the output of a branch to the residual stream.
    private func add(_ y: Rows, normalizedBy norm: StreamNorm?, to x: Rows, _ compute: Compute) {
        if let norm { norm(y, into: y, compute) }
        if branchScale == 1 { compute.add(y, to: x) } else { compute.add(y, scaledBy: branchScale, to: x) }
    }
}

/// The part of a layer that mixes positions. An enum instead of a protocol, so that a pass hands layers down without
/// reference counting.
enum Mixer: Sendable {
    case attention(SelfAttention)
    case convolution(GatedShortConvolution)
    case deltaNet(GatedDeltaNet)
    case stateSpace(StateSpaceMixer)

    /// - Parameters:
    ///   - x: `[n, embeddingLength]`, normalised.
    ///   - layer: The number of the layer.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, layer: Int, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        switch self {
        case .attention(let attention): attention(x, layer: layer, pass, compute)
        case .convolution(let convolution): convolution(x, layer: layer, pass, compute)
        case .deltaNet(let deltaNet): deltaNet(x, layer: layer, pass, compute)
        case .stateSpace(let stateSpace): stateSpace(x, layer: layer, pass, compute)
        }
    }

    /// The layer's part of a sequence's state before the first token.
    func makeState(_ types: KeyValueTypes) -> any LayerState {
        switch self {
        case .attention(let attention): attention.makeState(types)
        case .convolution(let convolution): convolution.makeState()
        case .deltaNet(let deltaNet): deltaNet.makeState()
        case .stateSpace(let stateSpace): stateSpace.makeState()
        }
    }

    /// The bytes of such a state for a number of positions.
    func stateByteCount(positions: Int, _ types: KeyValueTypes) -> Int {
        switch self {
        case .attention(let attention): attention.stateByteCount(positions: positions, types)
        case .convolution(let convolution): convolution.stateByteCount
        case .deltaNet(let deltaNet): deltaNet.stateByteCount
        case .stateSpace(let stateSpace): stateSpace.stateByteCount
        }
    }
}
