import HTTPTypes
import LeapJSON
import OrderedCollections

/// An error reply: a status and a message, which every dialect wraps in its own format.
struct APIError: Error, Sendable {
    /// The kind of an error, and whose fault it is.
    enum Kind: Sendable {
        /// The request cannot be honoured as it is.
        case invalid
        /// The key is missing or wrong.
        case unauthenticated
        /// The client has no permission.
        case forbidden
        /// There is no such thing.
        case notFound
        /// The path exists for other methods.
        case wrongMethod(allowed: [HTTPRequest.Method])
        /// The request was received too slowly.
        case tooSlow
        /// The body is too large.
        case tooLarge
        /// The path with its query is too long.
        case targetTooLong
        /// The header is too large.
        case headersTooLarge
        /// The body's content type or encoding is not supported.
        case unsupportedContent
        /// The client's own limit is reached.
        case rateLimited(retryAfter: Int)
        /// The server is overloaded.
        case overloaded(retryAfter: Int)
        /// The server failed.
        case failed
        /// Not supported by this kind of model.
        case notSupported
        /// A remote server failed or cannot be reached; seconds after which to retry, if that is worthwhile.
        case badGateway(retryAfter: Int?)
        /// A remote server timed out.
        case gatewayTimeout
        /// The client disconnected, so nobody gets the reply; for the log and the metrics.
        case clientGone
    }

    /// The kind of error.
    let kind: Kind
    /// What failed, what was expected and found, and what to do.
    let message: String
    /// The invalid field of the request, such as `messages[2].role`.
    var param: String?
    /// A machine-readable code, such as `context_length_exceeded`.
    var code: String?
    /// Further members of OpenAI's error object.
    var details: [String: JSONValue] = [:]
    /// The internal cause, for the log only.
    var cause: String?

    init(_ kind: Kind, _ message: String, param: String? = nil, code: String? = nil) {
        self.kind = kind
        self.message = message
        self.param = param
        self.code = code
    }

    /// An invalid field.
    static func invalid(_ param: String, _ message: String) -> APIError {
        APIError(.invalid, "'\(param)' \(message)", param: param)
    }

    /// A path that is too long with its query.
    static func targetTooLong(limit: Int) -> APIError {
        APIError(.targetTooLong, "the path and query exceed the limit of \(limit) bytes")
    }

    /// A body that is too large.
    static func bodyTooLarge(limit: Int) -> APIError {
        APIError(.tooLarge, "the body exceeds the limit of \(limit) bytes")
    }

    /// The server is shutting down.
    static let draining = APIError(
        .overloaded(retryAfter: 5), "the server is shutting down: retry the request", code: "draining")

    /// The client disconnected.
    static let clientGone = APIError(.clientGone, "the client disconnected before the reply was complete")

    /// A model of the wrong kind for the request.
    static func otherModel(_ message: String) -> APIError {
        APIError(.notSupported, "'model' \(message)", param: "model")
    }
}

extension APIError {
    /// The HTTP status.
    var status: HTTPResponse.Status {
        switch kind {
        case .invalid: .badRequest
        case .unauthenticated: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .wrongMethod: .methodNotAllowed
        case .tooSlow: .requestTimeout
        case .tooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedContent: .unsupportedMediaType
        case .rateLimited: .tooManyRequests
        case .overloaded: .serviceUnavailable
        case .failed: .internalServerError
        case .notSupported: .notImplemented
        case .badGateway: .badGateway
        case .gatewayTimeout: .gatewayTimeout
        case .clientGone: .clientClosedRequest
        }
    }

    /// OpenAI's error type.
    var openAIType: String {
        switch kind {
        case .invalid, .wrongMethod, .tooSlow, .tooLarge, .targetTooLong, .headersTooLarge, .unsupportedContent,
            .clientGone:
            "invalid_request_error"
        case .unauthenticated: "authentication_error"
        case .forbidden: "permission_error"
        case .notFound: "not_found_error"
        case .rateLimited: "rate_limit_error"
        case .overloaded, .failed, .badGateway, .gatewayTimeout: "server_error"
        case .notSupported: "not_supported_error"
        }
    }

    /// Header fields that go with it.
    var headers: HTTPFields {
        switch kind {
        case .unauthenticated: [.wwwAuthenticate: "Bearer"]
        case .wrongMethod(let allowed): [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
        case .rateLimited(let seconds), .overloaded(let seconds), .badGateway(.some(let seconds)):
            [.retryAfter: "\(seconds)"]
        // An internal failure would repeat itself, so clients should not retry.
        case .failed, .notSupported: [.shouldRetry: "false"]
        case .invalid, .forbidden, .notFound, .tooSlow, .tooLarge, .targetTooLong, .headersTooLarge,
            .unsupportedContent, .badGateway, .gatewayTimeout, .clientGone:
            [:]
        }
    }

    /// OpenAI's error object.
    var openAIDocument: JSONValue {
        var error: [(String, JSONValue)] = [
            ("message", .string(message)), ("type", .string(openAIType)), ("param", param.map { .string($0) } ?? .null),
            ("code", code.map { .string($0) } ?? .null),
        ]
        error += details.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return ["error": .object(.init(uniqueKeysWithValues: error))]
    }
}

extension HTTPResponse.Status {
    /// nginx's status for a reply that nobody got.
    static let clientClosedRequest = HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
}

extension HTTPField.Name {
    /// Asks nginx not to buffer streams.
    static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .via
    /// Tells OpenAI's clients whether to retry.
    static let shouldRetry = HTTPField.Name("x-should-retry") ?? .retryAfter
    /// Which of several servers answers.
    static let node = HTTPField.Name("x-leap-node") ?? .via
    /// Cached tokens of the prompt.
    static let cachedTokens = HTTPField.Name("x-leap-cached-tokens") ?? .via
    /// Queued answers.
    static let queue = HTTPField.Name("x-leap-queue") ?? .via
    /// The request's ID, for logs.
    static let requestID = HTTPField.Name("x-request-id") ?? .via
    /// The same under the name that Anthropic's clients expect.
    static let anthropicRequestID = HTTPField.Name("request-id") ?? .via
}
