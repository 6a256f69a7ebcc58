public import LeapOps

/// The two parts of a layer, each of which adds to the residual stream.
public enum LayerPart: Sendable {
    /// Attention, or a convolution.
    case mixer
    /// The feed-forward network, with which the layer ends.
    case feedForward
}

/// Sees the residual stream, `[rows, embeddingLength]`, after every part of every layer; returns whether the pass
/// continues.
public typealias LayerObserver = (_ layer: Int, _ part: LayerPart, _ residual: Rows) -> Bool
