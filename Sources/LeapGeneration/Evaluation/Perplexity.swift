#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
public import LeapModels
public import LeapOps

/// How well a model predicts a text: `exp` of the mean negative log-likelihood of its tokens.
///
/// The text is cut into windows of `contextSize` tokens, each read afresh with the beginning-of-text token, if the
/// model uses one, in place of its first token. Only the second half of a window is scored, so that every scored token
/// has at least half a window before it. This is llama.cpp's definition, so that figures compare.
public struct Perplexity: Sendable {
    /// Tokens per window.
    public let contextSize: Int
    /// Sum of the negative log-likelihoods of the scored tokens, in nats.
    public private(set) var negativeLogLikelihood = 0.0
    /// Scored tokens.
    public private(set) var count = 0

    /// Nothing scored yet.
    public init(contextSize: Int) { self.contextSize = contextSize }

    /// Mean negative log-likelihood per scored token, in nats.
    public var mean: Double { count == 0 ? 0 : negativeLogLikelihood / Double(count) }

    /// `e^mean`.
    public var value: Double { exp(mean) }

    /// Scores one window.
    ///
    /// - Parameters:
    ///   - window: Its tokens, `contextSize` of them.
    ///   - beginning: The token that takes the place of the first, if the model uses one.
    /// - Throws: ``ModelError/invalidCapacity(asked:contextLength:)`` for a window beyond the context that the model was
    ///   trained on, ``ModelError/tokenOutOfRange(token:vocabularySize:)``, or what goes wrong in a pass. Tokens that were
    ///   scored before remain counted.
    public mutating func add(
        window: some RandomAccessCollection<Int32>, beginning: Int32?, model: LanguageModel, compute: Compute
    ) throws(ModelError) {
        try TextWindow(Array(window), beginning: beginning).score(model, compute) { row, target in add(row, target) }
    }

    /// Scores a token by the logits of the row before it.
    package mutating func add(_ row: UnsafeBufferPointer<Float>, _ target: Int32) {
        negativeLogLikelihood -= LogSoftmax(row)[row, target]
        count += 1
    }
}
