import LeapOps

/// A norm of the residual stream, or of what is added to it.
enum StreamNorm: Sendable {
    /// By the root of the mean square.
    case rootMeanSquare(Norm)
    /// By mean and variance.
    case layer(LayerNorm)

    /// Normalises every row of `x`; `output` may be `x`.
    func callAsFunction(_ x: Rows, into output: Rows, _ compute: Compute) {
        switch self {
        case .rootMeanSquare(let norm): norm(x, into: output, compute)
        case .layer(let norm): norm(x, into: output, compute)
        }
    }

    /// Which of them an architecture has.
    enum Kind: Sendable {
        case rootMeanSquare
        case layer(hasBiases: Bool)

        /// The key of the ε.
        var epsilonKey: String {
            switch self {
            case .rootMeanSquare: "attention.layer_norm_rms_epsilon"
            case .layer: "attention.layer_norm_epsilon"
            }
        }
    }
}
