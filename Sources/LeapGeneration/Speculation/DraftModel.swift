public import LeapModels
public import LeapTokenizer

/// A small model that guesses what a large one of the same vocabulary says next; the large one checks every guess, so that
/// its answers are the same as without.
///
/// Source: Leviathan, Kalman and Matias 2023, "Fast Inference from Transformers via Speculative Decoding".
public struct DraftModel: Sendable {
    /// The small model.
    public let model: LanguageModel
    /// Tokens that both have: the larger vocabulary may be filled up behind them.
    let tokenCount: Int

    /// Checks that the vocabularies are the same.
    ///
    /// - Parameters:
    ///   - model: The small model.
    ///   - tokenizer: Its tokenizer.
    ///   - target: The tokenizer of the large model.
    /// - Throws: ``GenerationError/otherVocabulary(token:draft:target:)`` where they are not.
    public init(
        _ model: LanguageModel, _ tokenizer: Tokenizer, for target: Tokenizer
    ) throws(GenerationError) {
        let count = min(tokenizer.vocabularySize, target.vocabularySize)
        for token in 0..<Token(clamping: count) where tokenizer.text(of: token) != target.text(of: token) {
            throw .otherVocabulary(
                token: token, draft: tokenizer.text(of: token) ?? "", target: target.text(of: token) ?? "")
        }
        self.model = model
        tokenCount = count
    }
}
