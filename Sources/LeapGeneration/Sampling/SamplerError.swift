public import Foundation

/// Why no token can be drawn.
public enum SamplerError: Error, Sendable, Hashable {
    /// A setting has no meaning.
    case invalidSetting(name: String, value: Float, requirement: String)
    /// Every logit is NaN or -∞: the model computed nothing usable, or a logit bias excludes all that there is.
    case noCandidate(vocabularySize: Int)
}

extension SamplerError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .invalidSetting(let name, let value, let requirement):
            "the \(name) must be \(requirement), found \(value)."
        case .noCandidate(let vocabularySize):
            "none of the \(vocabularySize) tokens can be drawn: every logit is NaN or -inf. "
                + "A logit bias excludes every token that could come, the model's weights are damaged, or its numbers "
                + "overflow."
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
