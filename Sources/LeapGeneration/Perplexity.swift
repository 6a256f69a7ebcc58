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

    /// Rows per pass: each keeps a whole vocabulary of logits in memory.
    private static let chunkSize = 128

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
    ///   - beginning: The token that takes the place of the first, where the model uses one.
    public mutating func add(
        window: some RandomAccessCollection<Int32>, beginning: Int32?, model: LanguageModel, compute: Compute
    ) throws(ModelError) {
        var tokens = Array(window)
        if let beginning, !tokens.isEmpty { tokens[0] = beginning }
        let state = try model.makeState(capacity: max(tokens.count, 1))
        let firstScored = tokens.count / 2
        for start in stride(from: 0, to: tokens.count - 1, by: Self.chunkSize) {
            let end = min(start + Self.chunkSize, tokens.count - 1)
            var batch = Batch(of: .prompt, scoresText: true)
            for index in start..<end {
                batch.append(token: tokens[index], to: state, wantsLogits: index >= firstScored)
            }
            try model.forward(batch, compute) { logits in
                for row in 0..<logits.rowCount {
                    // The rows that want logits are the last of the chunk.
                    let target = end - logits.rowCount + row + 1
                    negativeLogLikelihood -= logProbability(of: tokens[target], in: logits[row])
                    count += 1
                }
            }
        }
    }
}

/// `log softmax(logits)[token]`, in double precision.
private func logProbability(of token: Int32, in logits: UnsafeMutableBufferPointer<Float>) -> Double {
    let largest = Double(logits.max() ?? 0)
    let sum = logits.reduce(0.0) { $0 + exp(Double($1) - largest) }
    return Double(logits[Int(token)]) - largest - log(sum)
}
