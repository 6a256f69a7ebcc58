public import Foundation
public import LeapGGUF

/// Why a tokenizer cannot be made from a model file.
public enum TokenizerError: Error, Sendable {
    /// A metadata entry is missing, has another type, or is out of range.
    case metadata(GGUFError)
    /// `tokenizer.ggml.model` names an algorithm that is not implemented.
    case unsupportedModel(name: String, supported: [String])
    /// `tokenizer.ggml.pre` names a pre-tokenizer that is not implemented.
    case unsupportedPreTokenizer(name: String, supported: [String])
    /// The vocabulary has no token at all.
    case emptyVocabulary
    /// The vocabulary has more tokens, or more bytes of text, than a 32-bit id or offset can reach.
    case vocabularyTooLarge(key: String, limit: Int, found: Int)
    /// An array that goes with the tokens has another length.
    case countMismatch(key: String, expected: Int, found: Int)
    /// Two tokens have the same text.
    case duplicateToken(text: String, first: Token, second: Token)
    /// A merge rule is not two token texts with a space between them.
    case malformedMerge(index: Int, rule: String)
    /// A merge rule names, or results in, a text that is no token.
    case unknownMergeToken(index: Int, rule: String, missing: String)
    /// A flag asks for a special token that the vocabulary does not have.
    case missingSpecialToken(flag: String, key: String)
}

extension TokenizerError: CustomStringConvertible, LocalizedError {
    /// The whole message, in one line: what failed, what was expected, what was found.
    public var description: String {
        switch self {
        case .metadata(let error):
            "tokenizer: \(error)"
        case .unsupportedModel(let name, let supported):
            "tokenizer model '\(name)' is not supported. Supported: \(supported.joined(separator: ", "))."
        case .unsupportedPreTokenizer(let name, let supported):
            "pre-tokenizer '\(name)' (tokenizer.ggml.pre) is not supported. "
                + "Supported: \(supported.joined(separator: ", "))."
        case .emptyVocabulary:
            "the vocabulary (tokenizer.ggml.tokens) is empty"
        case .vocabularyTooLarge(let key, let limit, let found):
            "'\(key)' is too large: at most \(limit) are possible, the file has \(found)"
        case .countMismatch(let key, let expected, let found):
            "'\(key)' has \(found) entries but the vocabulary has \(expected) tokens"
        case .duplicateToken(let text, let first, let second):
            "tokens \(first) and \(second) have the same text '\(text)' (tokenizer.ggml.tokens)"
        case .malformedMerge(let index, let rule):
            "merge \(index) '\(rule)' (tokenizer.ggml.merges) is not two token texts with a space between them"
        case .unknownMergeToken(let index, let rule, let missing):
            "merge \(index) '\(rule)' (tokenizer.ggml.merges) needs the token '\(missing)', "
                + "which is not in the vocabulary"
        case .missingSpecialToken(let flag, let key):
            "'\(flag)' is true but '\(key)' names no token of the vocabulary"
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}
