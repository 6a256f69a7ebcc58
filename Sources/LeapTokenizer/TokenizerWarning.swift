internal import LeapGGUF

/// An irregularity in a tokenizer that can be used anyway: other programs load such files, and most text is encoded
/// correctly.
public enum TokenizerWarning: Sendable, Hashable {
    /// Some tokens have the same text as an earlier one; `first` and `second` are the first such pair.
    case duplicateTokens(count: Int, text: String, first: Token, second: Token)
    /// Some of the examined merge rules contain or produce a text that is not a token; the first of them is given.
    case unknownMergeTokens(count: Int, of: Int, index: Int, rule: String, missing: String)
}

extension TokenizerWarning: CustomStringConvertible {
    /// The message in one line: what was found, and its consequence.
    public var description: String {
        switch self {
        case .duplicateTokens(let count, let text, let first, let second):
            "\(count) \(count == 1 ? "token has" : "tokens have") the same text as another token (\(TokenizerKey.texts)), for example \(first) and \(second): "
                + "\(quoted(text)). Text is encoded as the last of them, which the model may not have been trained on."
        case .unknownMergeTokens(let count, let checked, let index, let rule, let missing):
            "\(count) of \(checked) merge rules checked (\(TokenizerKey.merges)) need tokens that are not in the "
                + "vocabulary; for example, rule \(index), \(quoted(rule)), needs \(quoted(missing)). These rules have no "
                + "effect, and text may be split into other tokens than in the model's training."
        }
    }
}
