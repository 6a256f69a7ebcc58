public import LeapModels
public import LeapTokenizer

/// A small model that drafts tokens for a large one with the same vocabulary (speculative decoding). The large model checks
/// every draft, so its answers are the same as without.
///
/// Source: Leviathan, Kalman and Matias 2023, "Fast Inference from Transformers via Speculative Decoding".
public struct DraftModel: Sendable {
    /// The small model.
    public let model: LanguageModel
    /// The size of the common vocabulary. The larger one may be padded after it.
    let tokenCount: Int

    /// Checks that the vocabularies are the same.
    ///
    /// - Parameters:
    ///   - model: The small model.
    ///   - tokenizer: Its tokenizer.
    ///   - target: The tokenizer of the large model.
    /// - Throws: ``GenerationError/otherVocabulary(token:draft:target:)`` if they are not.
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
