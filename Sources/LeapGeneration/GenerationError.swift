public import Foundation
public import LeapGGUF
public import LeapModels
public import LeapTokenizer

/// Why a generation failed.
public enum GenerationError: Error, Sendable {
    /// The prompt leaves no room for an answer.
    case promptTooLong(promptTokens: Int, contextLength: Int)
    /// The prompt has so many bytes that it cannot fit, however it is tokenised.
    case promptFarTooLong(bytes: Int, fewestTokens: Int, contextLength: Int)
    /// The prompt has no tokens, so there is nothing to continue.
    case emptyPrompt
    /// An image or audio input of the prompt could not be encoded.
    case media(any Error)
    /// A prefill chunk has no rows.
    case invalidChunkSize(Int)
    /// The scheduler accepts no more requests.
    case draining
    /// The model refused a pass.
    case model(ModelError)
    /// The model's file was changed.
    case file(GGUFError)
    /// The model computed NaN or infinity as a logit.
    case notFinite(token: Token, logit: Float)
    /// No token of the vocabulary can continue the answer as the constraint requires. A constraint that judges values
    /// only when they are complete can lead into such a dead end.
    case constraintNotSpellable(after: Int, judgesValues: Bool = false)
    /// A constrained answer began a function call that cannot be parsed.
    case unreadableCallInConstraint(after: Int)
    /// The draft model and the model have different vocabularies.
    case otherVocabulary(token: Token, draft: String, target: String)
    /// No token could be drawn.
    case sampler(SamplerError)
}

extension GenerationError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .promptTooLong(let promptTokens, let contextLength):
            "the prompt has \(promptTokens) tokens, but the context has \(contextLength), and the answer needs at least one: "
                + "shorten the prompt or use a larger context."
        case .promptFarTooLong(let bytes, let fewestTokens, let contextLength):
            "the prompt has \(bytes) bytes, which are at least \(fewestTokens) tokens, but the context has "
                + "\(contextLength), and the answer needs at least one: shorten the prompt or use a larger context."
        case .emptyPrompt:
            "the prompt has no tokens, so there is nothing to continue."
        case .media(let error):
            "an image or audio input of the prompt cannot be encoded: \(error)"
        case .invalidChunkSize(let size):
            "the prefill chunk size must be at least 1, found \(size)."
        case .draining:
            "the model is being unloaded and accepts no more requests: load it again."
        case .model(let error): error.description
        case .file(let error): error.description
        case .notFinite(let token, let logit):
            "the model computed the logit \(logit) for token \(token), which is not finite: the file's weights are damaged, "
                + "or the computation overflowed. Download the file again or convert the model again."
        case .constraintNotSpellable(let tokens, true):
            "after \(tokens) tokens, no continuation satisfies the constraint: it has keywords that are checked only when a "
                + "value is complete, such as 'contains' or 'not', and the current value can no longer satisfy them. "
                + "Retry, or simplify the constraint."
        case .constraintNotSpellable(let tokens, false):
            "after \(tokens) tokens, no token of the vocabulary satisfies the constraint: the tokens cannot spell what the "
                + "constraint requires. Use a model with single-byte tokens, or another constraint."
        case .otherVocabulary(let token, let draft, let target):
            "token \(token) is '\(draft)' in the draft model, but '\(target)' in the model: both must have the same "
                + "vocabulary. Use a smaller model of the same family as the draft model."
        case .unreadableCallInConstraint(let tokens):
            "after \(tokens) tokens, the answer contains a tool call that cannot be parsed, so it neither satisfies its "
                + "constraint nor calls a function. Retry, or offer no functions."
        case .sampler(let error): error.description
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
