public import Foundation

/// The reason why a request got no complete answer. Messages of servers are quoted, without the API key.
public enum OpenAiError: Error, Sendable, Hashable {
    /// The configuration is invalid; the text says why.
    case invalidConfiguration(String)
    /// The client was closed.
    case closed
    /// The server rejected the request with an HTTP status and a message. `retryAfter` is how long it asks to wait.
    case refused(url: String, status: Int, OpenAiServerMessage, retryAfter: Duration?)
    /// The server sent an error in place of the answer.
    case reported(url: String, OpenAiServerMessage)
    /// The response is not one of this API. The excerpt is its beginning.
    case unexpectedResponse(url: String, contentType: String, excerpt: String)
    /// A part of the answer cannot be parsed.
    case malformed(url: String, reason: String, excerpt: String)
    /// The answer exceeds a size limit.
    case tooLarge(url: String, String)
    /// The response ended before the answer was complete.
    case cutOff(url: String, String)
    /// The server cannot be reached, or the connection was lost; the text is that of `LeapHTTP.TransportError`.
    case unreachable(String, attempts: Int)
}

/// The error message of a server.
public struct OpenAiServerMessage: Sendable, Hashable {
    /// The text of the message.
    public var text: String
    /// The error type, such as `invalid_request_error`.
    public var type: String?
    /// The error code, such as `context_length_exceeded`.
    public var code: String?

    /// Creates a message.
    public init(text: String, type: String? = nil, code: String? = nil) {
        self.text = text
        self.type = type
        self.code = code
    }
}

extension OpenAiError: CustomStringConvertible, LocalizedError {
    /// Says what failed, where, and what to do about it.
    public var description: String {
        switch self {
        case .invalidConfiguration(let reason): "invalid client configuration: \(reason)"
        case .closed: "the client is closed: create a new one"
        case .refused(let url, let status, let message, let delay):
            "\(url) rejected the request with status \(status): \(message)" + Self.advice(status, delay)
        case .reported(let url, let message): "\(url) reported an error: \(message)"
        case .unexpectedResponse(let url, let type, let excerpt):
            "\(url) sent an unexpected response of type \(type): check the URL. The response begins: \(excerpt)"
        case .malformed(let url, let reason, let excerpt):
            "\(url) sent an invalid chunk: \(reason), in: \(excerpt)"
        case .tooLarge(let url, let reason): "\(url) sent too much data: \(reason)"
        case .cutOff(let url, let reason): "the answer of \(url) is incomplete: \(reason)"
        case .unreachable(let reason, 1): reason
        case .unreachable(let reason, let attempts): "\(reason) (\(attempts) attempts)"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }

    /// The HTTP status with which the server rejected the request; `nil` for other errors.
    public var status: Int? {
        if case .refused(_, let status, _, _) = self { status } else { nil }
    }

    private static func advice(_ status: Int, _ delay: Duration?) -> String {
        if let delay { return " (retry after \(delay / .seconds(1)) s)".replacing(".0 s", with: " s") }
        return switch status {
        case 300..<400: " (redirects are not followed, to protect the API key: set baseUrl to the new address)"
        case 401: " (check the API key)"
        case 404: " (check baseUrl and the model's name)"
        default: ""
        }
    }
}

extension OpenAiServerMessage: CustomStringConvertible {
    /// The text of the message, followed by the error code if the text does not contain it.
    public var description: String {
        guard let code = code ?? type, !text.contains(code) else { return text }
        return "\(text) [\(code)]"
    }
}
