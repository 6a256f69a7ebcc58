public import Foundation

/// Why texts have no vectors. What is wrong with a model's file, `GGUFError`, `ModelError` and `TokenizerError` say. Texts are
/// counted from 1.
public enum EmbeddingError: Error, Sendable, Hashable {
    /// A text without a character, or without a token.
    case emptyText(number: Int)
    /// A text has more tokens than are read.
    case tooManyTokens(number: Int, count: Int, limit: Int)
    /// A token that the vocabulary lacks.
    case tokenOutOfRange(number: Int, token: Int, vocabularySize: Int)
    /// Vectors of so many numbers cannot be had.
    case dimensions(asked: Int, available: Int)
    /// One vector for a text is wanted of a model that has one for every token.
    case vectorForEveryToken
    /// A vector is wanted of a model that scores how documents answer queries.
    case scoresOnly
}

extension EmbeddingError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .emptyText(let number):
            "text \(number) is empty: leave it out"
        case .tooManyTokens(let number, let count, let limit):
            "text \(number) has \(count) tokens, but the model reads \(limit) at most: divide the text, or cut it"
        case .tokenOutOfRange(let number, let token, let vocabularySize):
            "text \(number) has token \(token), but the vocabulary's are 0 to \(vocabularySize - 1)"
        case .dimensions(let asked, let available):
            "vectors of \(asked) numbers were asked for, but the model's have \(available): ask for 1 to \(available)"
        case .vectorForEveryToken:
            "the model has a vector for every token, and none for a text: ask for a pooling, or compare texts by reranking"
        case .scoresOnly:
            "the model scores how well documents answer a query, and makes no vectors: use it for reranking"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
