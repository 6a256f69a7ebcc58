internal import LeapGGUF

/// What is odd about a tokenizer that works all the same: other programs load such files, and most of their text comes out
/// as it should.
public enum TokenizerWarning: Sendable, Hashable {
    /// Some tokens have the text of an earlier one; `first` and `second` are the first such pair.
    case duplicateTokens(count: Int, text: String, first: Token, second: Token)
    /// Of the merge rules that were looked at, some name, or result in, a text that is no token; the first of them.
    case unknownMergeTokens(count: Int, of: Int, index: Int, rule: String, missing: String)
}

extension TokenizerWarning: CustomStringConvertible {
    /// The whole message, in one line: what was found, and what comes of it.
    public var description: String {
        switch self {
        case .duplicateTokens(let count, let text, let first, let second):
            "\(count) of the tokens (\(TokenizerKey.texts)) repeat the text of another, as \(second) that of \(first), "
                + "\(quoted(text)): text becomes the last token of its spelling, and the model may not know that one."
        case .unknownMergeTokens(let count, let checked, let index, let rule, let missing):
            "\(count) of \(checked) merge rules looked at (\(TokenizerKey.merges)) need tokens that are not in the "
                + "vocabulary, as rule \(index) \(quoted(rule)) needs \(quoted(missing)): they have no effect, and text may "
                + "become other tokens than the model was trained on."
        }
    }
}
