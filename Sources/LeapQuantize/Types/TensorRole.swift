/// What a tensor is for, as far as its type depends on it.
package enum TensorRole: Hashable, Sendable {
    /// A token embedding that is the output projection too, or an output projection.
    case output
    /// A token embedding beside an output projection.
    case embedding
    /// The value projection of the `index`-th of `count` attention blocks.
    case value(index: Int, count: Int)
    /// A key projection that is a matrix by itself.
    case key
    case attentionOutput
    /// The second matrix of the feed-forward network of the `index`-th of `count` blocks.
    case down(index: Int, count: Int)
    /// Any other matrix of a block.
    case matrix
    /// What chooses experts, in single precision.
    case router
    /// Biases and sinks, in single precision.
    case bias
    /// Norms: single-precision ones.
    case norm
    /// The short convolution's filter, in single precision.
    case filter
    /// The divisors of the rotary frequencies, in single precision.
    case rotaryFactors
}
