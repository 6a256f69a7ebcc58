public import Foundation

/// Everything that can fail in LeapSDK. The text says what failed, where, what was found and what to do; the second value
/// is the cause, where there is one.
public enum LeapError: Error, Sendable {
    /// A model could not be loaded, for no known reason.
    case loadModelFailure
    /// A model could not be loaded.
    case modelLoadingFailure(String, (any Error)?)
    /// A generation could not start or go on.
    case generationFailure(String, (any Error)?)
    /// A message could not be written to or read from JSON.
    case serializationFailure(String, (any Error)?)
    /// The prompt leaves no room for an answer in the context.
    case promptExceedContextLengthFailure(String, (any Error)?)
}

/// The name of all errors in versions 0.10, where each kind was a class. One may be caught by its case instead:
/// `catch LeapError.generationFailure(let text, let cause)`.
public typealias LeapException = LeapError

extension LeapError: CustomStringConvertible, LocalizedError {
    /// What failed and why.
    public var description: String {
        switch self {
        case .loadModelFailure: "the model cannot be loaded"
        case .modelLoadingFailure(let text, _): "the model cannot be loaded: \(text)"
        case .generationFailure(let text, _): "the generation failed: \(text)"
        case .serializationFailure(let text, _): "the JSON cannot be used: \(text)"
        case .promptExceedContextLengthFailure(let text, _): text
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }

    /// Same as ``description``; the property of versions 0.10.
    public var message: String { description }

    /// The error behind this one, where there is one.
    public var cause: (any Error)? {
        switch self {
        case .loadModelFailure: nil
        case .modelLoadingFailure(_, let cause), .generationFailure(_, let cause), .serializationFailure(_, let cause),
            .promptExceedContextLengthFailure(_, let cause):
            cause
        }
    }
}
