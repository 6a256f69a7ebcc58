/// The role of a tensor, as far as its type depends on it.
package enum TensorRole: Hashable, Sendable {
    /// An output projection, or a token embedding that is also the output projection.
    case output
    /// A token embedding of a model with a separate output projection.
    case embedding
    /// The value projection of the `index`-th of `count` attention blocks.
    case value(index: Int, count: Int)
    /// A key projection stored as a separate matrix.
    case key
    case attentionOutput
    /// The second matrix of the feed-forward network of the `index`-th of `count` blocks.
    case down(index: Int, count: Int)
    /// Any other matrix of a block.
    case matrix
    /// A router, which chooses experts, in single precision.
    case router
    /// Biases and sinks, in single precision.
    case bias
    /// Norms, in single precision.
    case norm
    /// The short convolution's filter, in single precision.
    case filter
    /// The divisors of the rotary frequencies, in single precision.
    case rotaryFactors
}
