public import Foundation
public import LeapGGUF

/// The reason why a tokenizer cannot be created from a model file.
public enum TokenizerError: Error, Sendable {
    /// A metadata entry is missing, has another type, or is out of range.
    case metadata(GGUFError)
    /// `tokenizer.ggml.model` names an algorithm that is not implemented.
    case unsupportedModel(name: String, supported: [String])
    /// `tokenizer.ggml.pre` names a pre-tokenizer that is not implemented.
    case unsupportedPreTokenizer(name: String, supported: [String])
    /// The vocabulary is empty.
    case emptyVocabulary
    /// The vocabulary has more tokens or bytes of text than the limit, which no model needs to exceed.
    case vocabularyTooLarge(key: String, limit: Int, found: Int)
    /// An array with one entry per token has the wrong length.
    case countMismatch(key: String, expected: Int, found: Int)
    /// A merge rule does not consist of two token texts separated by a space.
    case malformedMerge(index: Int, rule: String)
    /// The character map is not in the format of SentencePiece.
    case malformedCharacterMap(bytes: Int, reason: String)
    /// A flag requires a special token that the vocabulary lacks.
    case missingSpecialToken(flag: String, key: String)
}

extension TokenizerError: CustomStringConvertible, LocalizedError {
    /// The message in one line: what failed, what was expected and what was found.
    public var description: String {
        switch self {
        case .metadata(let error): error.description
        case .unsupportedModel(let name, let supported):
            "tokenizer model \(quoted(name)) (\(TokenizerKey.model)) is not supported. "
                + "Supported: \(supported.joined(separator: ", "))."
        case .unsupportedPreTokenizer(let name, let supported):
            "pre-tokenizer \(quoted(name)) (\(TokenizerKey.preTokenizer)) is not supported. "
                + "Supported: \(supported.joined(separator: ", "))."
        case .emptyVocabulary: "the vocabulary (\(TokenizerKey.texts)) is empty. \(damaged)"
        case .vocabularyTooLarge(let key, let limit, let found):
            "metadata key \(quoted(key)) is too large: the limit is \(limit), found \(found). \(damaged)"
        case .countMismatch(let key, let expected, let found):
            "metadata key \(quoted(key)) has \(found) entries; expected \(expected), one for each token. \(damaged)"
        case .malformedMerge(let index, let rule):
            "merge rule \(index) is \(quoted(rule)) (\(TokenizerKey.merges)); "
                + "expected two token texts with a space between them. \(damaged)"
        case .malformedCharacterMap(let bytes, let reason):
            "metadata key \(quoted(TokenizerKey.characterMap)) has \(bytes) bytes, but \(reason). \(damaged)"
        case .missingSpecialToken(let flag, let key):
            "metadata key \(quoted(flag)) is true, but \(quoted(key)) does not name a token in the vocabulary. \(damaged)"
        }
    }

    /// Same as `description`.
    public var errorDescription: String? { description }
}

/// What to do about a file that contradicts itself.
private let damaged =
    "The file is damaged or was written by a faulty tool; download it again or convert the model again."
