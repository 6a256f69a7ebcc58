import LeapOps

/// The part of a layer that processes every position independently. An enum instead of a protocol, as ``Mixer`` is.
enum ChannelMixer: Sendable {
    /// One network for all rows.
    case dense(FeedForward)
    /// Networks of which every row chooses some.
    case experts(ExpertMixture)

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        switch self {
        case .dense(let network): network(x, pass, compute)
        case .experts(let mixture): mixture(x, pass, compute)
        }
    }
}
