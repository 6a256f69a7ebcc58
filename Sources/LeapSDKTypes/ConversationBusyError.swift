public import Foundation

/// An answer was requested while the conversation was already generating one. This is the cause of a
/// ``LeapError/generationFailure(_:_:)``. Other conversations of the same model can generate at the same time.
public struct ConversationBusyError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// Creates the error.
    public init() {}

    /// Says what failed and what to do about it.
    public var description: String {
        "the conversation is already generating an answer: wait until it is complete, or stop it"
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
