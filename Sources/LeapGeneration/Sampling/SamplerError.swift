public import Foundation

/// Why no token can be sampled.
public enum SamplerError: Error, Sendable, Hashable {
    /// A setting is invalid.
    case invalidSetting(name: String, value: Float, requirement: String)
    /// Every logit is NaN or -∞: the model computed nothing usable, or logit biases exclude every token.
    case noCandidate(vocabularySize: Int)
}

extension SamplerError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .invalidSetting(let name, let value, let requirement):
            "the \(name) must be \(requirement), found \(value)."
        case .noCandidate(let vocabularySize):
            "none of the \(vocabularySize) tokens can be sampled: every logit is NaN or -inf. "
                + "The logit biases exclude every possible token, the model's weights are damaged, or the computation "
                + "overflowed."
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
