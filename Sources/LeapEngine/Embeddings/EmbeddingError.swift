public import Foundation

/// Why texts cannot be embedded. Problems with a model's file are reported as `GGUFError`, `ModelError` or
/// `TokenizerError`. Texts are counted from 1.
public enum EmbeddingError: Error, Sendable, Hashable {
    /// A text has no characters or no tokens.
    case emptyText(number: Int)
    /// A text has more tokens than the limit.
    case tooManyTokens(number: Int, count: Int, limit: Int)
    /// A token is outside the vocabulary.
    case tokenOutOfRange(number: Int, token: Int, vocabularySize: Int)
    /// The requested embedding size is not available.
    case dimensions(asked: Int, available: Int)
    /// One vector per text was requested from a model that computes one per token.
    case vectorForEveryToken
    /// An embedding was requested from a reranker.
    case scoresOnly
}

extension EmbeddingError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .emptyText(let number):
            "text \(number) is empty: remove it"
        case .tooManyTokens(let number, let count, let limit):
            "text \(number) has \(count) tokens, but the limit is \(limit): split or truncate the text"
        case .tokenOutOfRange(let number, let token, let vocabularySize):
            "text \(number) has token \(token), but the vocabulary has the tokens 0 to \(vocabularySize - 1)"
        case .dimensions(let asked, let available):
            "the requested embedding size is \(asked), but must be 1 to \(available), the size of the model's embeddings"
        case .vectorForEveryToken:
            "the model computes one vector per token, not one per text: request a pooling type, or compare texts by reranking"
        case .scoresOnly:
            "the model is a reranker, which scores documents and does not compute embeddings: use it for reranking"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
