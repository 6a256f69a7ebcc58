#if !Leap0107 && !Leap010
public import Foundation

/// An error of LeapSDK. The text says what failed, where, what was found and what to do about it; the second associated
/// value is the underlying error, if any.
public enum LeapError: Error, Sendable {
    /// A model could not be loaded, for an unknown reason.
    case loadModelFailure
    /// A model could not be loaded.
    case modelLoadingFailure(String, (any Error)?)
    /// A generation could not start or continue.
    case generationFailure(String, (any Error)?)
    /// A message could not be written to or read from JSON.
    case serializationFailure(String, (any Error)?)
    /// The prompt leaves no room for an answer in the context.
    case promptExceedContextLengthFailure(String, (any Error)?)
    /// An argument is invalid.
    case invalidInput(String)
}

/// The name that versions 0.10 use for all errors.
public typealias LeapException = LeapError

extension LeapError: CustomStringConvertible, LocalizedError {
    /// Says what failed and why.
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

    /// Same as ``description``, under its name in versions 0.10.
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

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.modelLoadingFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapModelLoadingException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.generationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGenerationException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.promptExceedContextLengthFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGenerationPromptExceedContextLengthException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.generationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGenerationFunctionCallParsingException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.serializationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapSerializationException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.serializationFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapGeneratableDeserializationException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.modelLoadingFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapModelDownloadSha256MismatchException = LeapError

/// An error class of versions 0.10. Not available; catch the enum case instead.
@available(
    *, unavailable,
    message:
        "catch LeapError.modelLoadingFailure, or build with the package's trait Leap010 (0.10.8 and later) or Leap0107"
)
public typealias LeapModelDownloadSizeMismatchException = LeapError
#endif
