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
    /// A picture or a sound of the prompt could not be brought into rows.
    case media(any Error)
    /// A prefill chunk has no rows.
    case invalidChunkSize(Int)
    /// The scheduler takes no more requests.
    case draining
    /// The model refused a pass.
    case model(ModelError)
    /// The model's file is no longer what it was.
    case file(GGUFError)
    /// The model computed NaN or infinity as a logit.
    case notFinite(token: Token, logit: Float)
    /// No token of the vocabulary can continue the answer as the constraint demands. A constraint that judges values
    /// only when they are complete can lead into such a dead end.
    case constraintNotSpellable(after: Int, judgesValues: Bool = false)
    /// A constrained answer began a function call that cannot be parsed.
    case unreadableCallInConstraint(after: Int)
    /// A draft model has another vocabulary than the model that it was to guess for.
    case otherVocabulary(token: Token, draft: String, target: String)
    /// No token could be drawn.
    case sampler(SamplerError)
}

extension GenerationError: CustomStringConvertible, LocalizedError {
    /// What failed, what was found and what to do.
    public var description: String {
        switch self {
        case .promptTooLong(let promptTokens, let contextLength):
            "the prompt has \(promptTokens) tokens, but the context holds \(contextLength), of which the answer needs "
                + "at least one: shorten the prompt or use a larger context."
        case .promptFarTooLong(let bytes, let fewestTokens, let contextLength):
            "the prompt has \(bytes) bytes, which make at least \(fewestTokens) tokens, but the context holds "
                + "\(contextLength), of which the answer needs at least one: shorten the prompt or use a larger context."
        case .emptyPrompt:
            "the prompt has no tokens, so there is nothing to continue."
        case .media(let error):
            "a picture or a sound of the prompt cannot be read: \(error)"
        case .invalidChunkSize(let size):
            "a prompt cannot be read in chunks of \(size) tokens: use at least 1."
        case .draining:
            "the model is about to be unloaded and takes no more requests: load it again."
        case .model(let error): error.description
        case .file(let error): error.description
        case .notFinite(let token, let logit):
            "the model gives token \(token) the score \(logit), which is no finite number: the file's weights are damaged, "
                + "or its numbers overflow. Get the file again or convert the model again."
        case .constraintNotSpellable(let tokens, true):
            "after \(tokens) tokens, nothing that may follow satisfies the constraint: it has keywords that are judged when a "
                + "value is complete, such as 'contains' or 'not', and the value that was begun cannot satisfy them any more. "
                + "Ask again, or simplify the constraint."
        case .constraintNotSpellable(let tokens, false):
            "after \(tokens) tokens, the vocabulary has none that fits the constraint: its tokens cannot spell what the "
                + "constraint asks for. Use a model with tokens for single bytes, or another constraint."
        case .otherVocabulary(let token, let draft, let target):
            "token \(token) of the draft model is '\(draft)', but of the model '\(target)': a draft model needs the "
                + "vocabulary of the model that it guesses for, as a smaller one of the same family has."
        case .unreadableCallInConstraint(let tokens):
            "after \(tokens) tokens, the answer holds a call that cannot be read, so it neither satisfies its constraint nor "
                + "calls a function: ask again, or offer no functions."
        case .sampler(let error): error.description
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
