public import Foundation

/// The reason why neither side answered.
public enum HybridError: Error, Sendable {
    /// Another generation of this conversation is running.
    case busy
    /// A registered function is invalid.
    case function(any Error)
    /// The side lacks capabilities that the request needs.
    case unsupported(HybridSide, HybridCapabilities)
    /// The side did not deliver its first token in time.
    case tooSlow(HybridSide, Duration)
    /// The side's stream ended before its answer was complete.
    case endless(HybridSide)
    /// The remote model called a function with arguments that are not a JSON object.
    case malformedCall(name: String, any Error)
    /// The side failed before its first token, and the other side was not asked.
    case failed(HybridSide, any Error)
    /// Both sides failed before their first tokens. The second one was not asked if it lacks what the request needs; its error
    /// is ``unsupported(_:_:)`` then.
    case bothFailed(first: HybridSide, any Error, then: any Error)
    /// The side failed in the middle of its answer, so the other side was not asked.
    case brokenOff(HybridSide, any Error)
}

extension HybridError: CustomStringConvertible, LocalizedError {
    /// Says what failed and why.
    public var description: String {
        switch self {
        case .busy: "the conversation is already generating an answer: wait until it is complete, or stop it"
        case .function(let cause): "\(cause)"
        case .unsupported(let side, let needs): "the \(side.rawValue) side cannot handle \(needs)"
        case .tooSlow(let side, let limit): "the \(side.rawValue) side sent no token within \(limit)"
        case .endless(let side): "the \(side.rawValue) side stopped before its answer was complete"
        case .malformedCall(let name, let cause): "the call to '\(name)' cannot be parsed: \(cause)"
        case .failed(let side, let cause): "the \(side.rawValue) side failed: \(cause)"
        case .bothFailed(let first, let cause, let second):
            "both sides failed; the \(first.rawValue) one: \(cause); the \(first.other.rawValue) one: \(second)"
        case .brokenOff(let side, let cause): "the \(side.rawValue) side failed in the middle of its answer: \(cause)"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
