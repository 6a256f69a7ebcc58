#if !Leap0107 && !Leap010
public import Foundation

/// Everything that can fail in LeapSDK. The text says what failed, where, what was found and what to do; the second value
/// is the cause, where there is one.
public enum LeapError: Error, Sendable {
    /// A model could not be loaded, for no known reason.
    case loadModelFailure
    /// A model could not be loaded.
    case modelLoadingFailure(String, (any Error)?)
    /// A generation could not start or continue.
    case generationFailure(String, (any Error)?)
    /// A message could not be written to or read from JSON.
    case serializationFailure(String, (any Error)?)
    /// The prompt leaves no room for an answer in the context.
    case promptExceedContextLengthFailure(String, (any Error)?)
    /// A program gave a value that has no meaning.
    case invalidInput(String)
}

/// The name of all errors in versions 0.10.
public typealias LeapException = LeapError

extension LeapError: CustomStringConvertible, LocalizedError {
    /// What failed and why.
    public var description: String {
        switch self {
        case .loadModelFailure: "the model cannot be loaded"
        case .modelLoadingFailure(let text, _): "the model cannot be loaded: \(text)"
        case .generationFailure(let text, _): "the generation failed: \(text)"
        case .serializationFailure(let text, _): "the JSON cannot be used: \(text)"
        case .promptExceedContextLengthFailure(let text, _), .invalidInput(let text): text
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }

    /// Same as ``description``; the property of versions 0.10.
    public var message: String { description }

    /// The underlying error, if any.
    public var cause: (any Error)? {
        switch self {
        case .loadModelFailure, .invalidInput: nil
        case .modelLoadingFailure(_, let cause), .generationFailure(_, let cause), .serializationFailure(_, let cause),
            .promptExceedContextLengthFailure(_, let cause):
            cause
        }
    }
}

// MARK: - Names of 0.10

// Each kind of error was a class there. Without the traits of those versions errors are cases, and what would have to be a
// cast that never succeeds does not compile.

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.modelLoadingFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapModelLoadingException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.generationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGenerationException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.promptExceedContextLengthFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGenerationPromptExceedContextLengthException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.generationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGenerationFunctionCallParsingException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.serializationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapSerializationException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.serializationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGeneratableDeserializationException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.modelLoadingFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapModelDownloadSha256MismatchException = LeapError

/// A class of versions 0.10.
@available(
    *, unavailable,
    message:
        "catch LeapError.modelLoadingFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapModelDownloadSizeMismatchException = LeapError
#endif
