public import Foundation

/// A conversation was asked for an answer while it was generating one: the cause of a ``LeapError/generationFailure(_:_:)``.
/// Other conversations of the same model may generate at the same time.
public struct ConversationBusyError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The error.
    public init() {}

    /// What failed and what to do.
    public var description: String {
        "the conversation is generating an answer already: wait for its end, or stop it"
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
