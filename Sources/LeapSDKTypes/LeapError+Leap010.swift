#if Leap0107 || Leap010
public import Foundation

// The errors of versions 0.10, under the package's traits of these names: a class for each kind.

/// The base class of LeapSDK's errors. The message says what failed, where, what was found and what to do about it.
open class LeapException: Error, CustomStringConvertible, LocalizedError, @unchecked Sendable {
    // Sendable, as nothing in it or in what derives from it here can be changed.

    /// What failed and why.
    public let message: String
    /// The underlying error, if any.
    public let cause: (any Error)?

    /// Creates an error.
    public init(message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// Same as ``message``.
    public var description: String { message }

    /// Same as ``message``.
    public var errorDescription: String? { message }
}

/// The name that earlier versions use for all errors.
public typealias LeapError = LeapException

/// A model could not be loaded.
open class LeapModelLoadingException: LeapException, @unchecked Sendable {}
/// A generation could not start or continue.
open class LeapGenerationException: LeapException, @unchecked Sendable {}
/// The prompt leaves no room for an answer in the context.
open class LeapGenerationPromptExceedContextLengthException: LeapGenerationException, @unchecked Sendable {}
/// A function call of the model could not be parsed.
open class LeapGenerationFunctionCallParsingException: LeapGenerationException, @unchecked Sendable {}
/// A message could not be written to or read from JSON.
open class LeapSerializationException: LeapException, @unchecked Sendable {}
/// A generatable type has no valid schema.
open class LeapGeneratableSchematizationException: LeapSerializationException, @unchecked Sendable {}
/// The JSON does not match the generatable type.
open class LeapGeneratableDeserializationException: LeapSerializationException, @unchecked Sendable {}

/// The SHA-256 of a downloaded file differs from the announced one.
public final class LeapModelDownloadSha256MismatchException: LeapModelLoadingException, @unchecked Sendable {
    /// The announced SHA-256, as hexadecimal digits.
    public let expectedSha256: String
    /// The SHA-256 of the file, as hexadecimal digits.
    public let actualSha256: String

    /// Creates an error.
    public init(expectedSha256: String, actualSha256: String) {
        (self.expectedSha256, self.actualSha256) = (expectedSha256, actualSha256)
        super.init(
            message: "expected a file with SHA-256 \(expectedSha256), found \(actualSha256): the file was discarded")
    }
}

/// The size of a downloaded file differs from the announced one.
public final class LeapModelDownloadSizeMismatchException: LeapModelLoadingException, @unchecked Sendable {
    /// The announced size in bytes.
    public let expectedSize: Int64
    /// The size of the file in bytes.
    public let actualSize: Int64

    /// Creates an error.
    public init(expectedSize: Int64, actualSize: Int64) {
        (self.expectedSize, self.actualSize) = (expectedSize, actualSize)
        super.init(message: "expected a file of \(expectedSize) bytes, found \(actualSize): the file was discarded")
    }
}

// MARK: - As cases

// What the rest of the package makes errors by; without these traits they are cases of an enum.
extension LeapException {
    /// A model could not be loaded, for an unknown reason.
    public static var loadModelFailure: LeapException {
        LeapModelLoadingException(message: "the model cannot be loaded")
    }

    /// A model could not be loaded.
    public static func modelLoadingFailure(_ text: String, _ cause: (any Error)?) -> LeapException {
        LeapModelLoadingException(message: "the model cannot be loaded: \(text)", cause: cause)
    }

    /// A generation could not start or continue.
    public static func generationFailure(_ text: String, _ cause: (any Error)?) -> LeapException {
        let message = "the generation failed: \(text)"
        return cause is PythonicSyntaxError
            ? LeapGenerationFunctionCallParsingException(message: message, cause: cause)
            : LeapGenerationException(message: message, cause: cause)
    }

    /// A message could not be written to or read from JSON.
    public static func serializationFailure(_ text: String, _ cause: (any Error)?) -> LeapException {
        let message = "the JSON cannot be used: \(text)"
        return cause is DecodingError
            ? LeapGeneratableDeserializationException(message: message, cause: cause)
            : LeapSerializationException(message: message, cause: cause)
    }

    /// The prompt leaves no room for an answer in the context.
    public static func promptExceedContextLengthFailure(_ text: String, _ cause: (any Error)?) -> LeapException {
        LeapGenerationPromptExceedContextLengthException(message: text, cause: cause)
    }

    /// An argument is invalid.
    public static func invalidInput(_ text: String) -> LeapException { LeapException(message: text) }
}
#endif
