import HTTPTypes
import LeapJSON
import OrderedCollections

/// An error reply: a status and a message, which every dialect wraps in its own format.
struct APIError: Error, Sendable {
    /// What kind of mistake it is, and whose.
    enum Kind: Sendable {
        /// The request cannot be honoured as it is.
        case invalid
        /// The key is missing or wrong.
        case unauthenticated
        /// The client has no permission.
        case forbidden
        /// There is no such thing.
        case notFound
        /// This address knows other methods.
        case wrongMethod(allowed: [HTTPRequest.Method])
        /// The request came too slowly.
        case tooSlow
        /// The body is larger than is read.
        case tooLarge
        /// The path with its query is longer than is read.
        case targetTooLong
        /// The header is larger than is read.
        case headersTooLarge
        /// The body is not what it should be made of.
        case unsupportedContent
        /// A client's own limits are reached.
        case rateLimited(retryAfter: Int)
        /// The server has no room now.
        case overloaded(retryAfter: Int)
        /// The server failed.
        case failed
        /// Another kind of model could do this.
        case notSupported
        /// Another server that would answer failed, or is not there; seconds where it is worth waiting for it.
        case badGateway(retryAfter: Int?)
        /// Another server that would answer took too long.
        case gatewayTimeout
    }

    /// What kind of mistake it is.
    let kind: Kind
    /// What failed, what was expected and found, and what to do.
    let message: String
    /// The field of the request that is to blame, such as `messages[2].role`.
    var param: String?
    /// A word for programs, such as `context_length_exceeded`.
    var code: String?
    /// Further members of OpenAI's error object.
    var details: [String: JSONValue] = [:]
    /// What happened inside, for the log alone.
    var cause: String?

    init(_ kind: Kind, _ message: String, param: String? = nil, code: String? = nil) {
        self.kind = kind
        self.message = message
        self.param = param
        self.code = code
    }

    /// A field that is not what it should be.
    static func invalid(_ param: String, _ message: String) -> APIError {
        APIError(.invalid, "'\(param)' \(message)", param: param)
    }

    /// A path that, with its query, is longer than is read.
    static func targetTooLong(limit: Int) -> APIError {
        APIError(.targetTooLong, "the path with its query is longer than \(limit) bytes, which is all that is read")
    }

    /// A body that is larger than is read.
    static func bodyTooLarge(limit: Int) -> APIError {
        APIError(.tooLarge, "the body is larger than \(limit) bytes, which is all that is read")
    }

    /// The server is about to end.
    static let draining = APIError(
        .overloaded(retryAfter: 5), "the server is about to end: ask again", code: "draining")

    /// A model of another kind than this is for.
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
        }
    }

    /// OpenAI's name of the kind.
    var openAIType: String {
        switch kind {
        case .invalid, .wrongMethod, .tooSlow, .tooLarge, .targetTooLong, .headersTooLarge, .unsupportedContent:
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
            .unsupportedContent, .badGateway, .gatewayTimeout:
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

extension HTTPField.Name {
    /// Asks nginx not to gather what is streamed.
    static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .via
    /// Tells OpenAI's clients whether to ask again.
    static let shouldRetry = HTTPField.Name("x-should-retry") ?? .retryAfter
    /// Which of several servers answers.
    static let node = HTTPField.Name("x-leap-node") ?? .via
    /// Tokens of the prompt that were known.
    static let cachedTokens = HTTPField.Name("x-leap-cached-tokens") ?? .via
    /// Answers that wait.
    static let queue = HTTPField.Name("x-leap-queue") ?? .via
    /// The number of a request, for logs.
    static let requestID = HTTPField.Name("x-request-id") ?? .via
    /// The same as Anthropic's clients read it.
    static let anthropicRequestID = HTTPField.Name("request-id") ?? .via
}
