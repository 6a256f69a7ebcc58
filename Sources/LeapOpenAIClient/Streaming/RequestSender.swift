import Foundation
import HTTPTypes
import LeapHTTP
import LeapJSON

/// Sends a request until a server answers it or it fails permanently.
struct RequestSender: Sendable {
    let config: OpenAiClientConfig
    let connection: Connection
    private let request: HTTPRequest
    private let failures: ServerFailures

    /// A failed attempt, and whether another one may succeed.
    private struct Failure: Error {
        let error: OpenAiError
        var mayPass = false
        /// How long the server asks to wait.
        var retryAfter: Duration?
    }

    /// - Throws: ``OpenAiError/invalidConfiguration(_:)``.
    init(_ config: OpenAiClientConfig, _ connection: Connection) throws(OpenAiError) {
        self.config = config
        self.connection = connection
        request = try Self.request(config)
        failures = ServerFailures(url: request.displayName, redact: Redactor(config))
    }

    /// Sends a body, with retries, until an answer begins.
    ///
    /// - Throws: ``OpenAiError`` or `CancellationError`.
    func send(_ body: Data) async throws -> AnswerReader {
        var attempts = 1
        while true {
            do {
                return try await attempt(body)
            } catch let failure as Failure {
                guard failure.mayPass,
                    let delay = config.retries.delay(after: attempts, asked: failure.retryAfter)
                else { throw failure.error.after(attempts: attempts) }
                try await connection.sleep(delay)
                attempts += 1
            }
        }
    }

    private func attempt(_ body: Data) async throws -> AnswerReader {
        if connection.isClosed { throw OpenAiError.closed }
        do {
            let response = try await connection.transport.send(request, body: body, timeouts: config.timeouts.transport)
            guard response.head.status.code == 200 else { throw try await refusal(response) }
            guard let first = try await response.body.makeAsyncIterator().next() else {
                throw Failure(error: .cutOff(url: failures.url, "the response is empty"), mayPass: true)
            }
            let decoder = AnswerDecoder(
                contentType: response.head.headerFields[.contentType], limits: config.limits, failures: failures)
            return AnswerReader(response.body, first: first, decoder: decoder)
        } catch TransportError.shutDown {
            throw OpenAiError.closed
        } catch let error as TransportError {
            throw Failure(error: .unreachable(failures.redact("\(error)"), attempts: 1), mayPass: error.mayPass)
        }
    }

    /// Returns the error for a response with which a server rejects the request.
    private func refusal(_ response: TransportResponse) async throws -> Failure {
        let status = response.head.status.code
        // If the body breaks off, or is slow, what has arrived has to do.
        let beginning = try await response.body.beginning(upTo: 64 << 10, within: Self.refusalTime)
        let message = failures.message(inBody: beginning)
        let delay = RetryAfter.delay(in: response.head.headerFields)
        let error = OpenAiError.refused(url: failures.url, status: status, message, retryAfter: delay)
        // A quota that is used up is 429 as well, but no wait refills it.
        let mayPass = Self.passingStatuses.contains(status) && message.code != "insufficient_quota"
        return Failure(error: error, mayPass: mayPass, retryAfter: delay)
    }

    /// Statuses that may be temporary: timeouts, too many requests, and failures of servers and proxies; some servers
    /// use 529 for "overloaded".
    private static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504, 529]

    /// How long to wait for the message of a rejection, which could arrive byte by byte.
    private static let refusalTime = Duration.seconds(3)
}

// MARK: - The request

extension RequestSender {
    private static func request(_ config: OpenAiClientConfig) throws(OpenAiError) -> HTTPRequest {
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        fields[.accept] = "text/event-stream"
        fields[.userAgent] = "leap-swift"
        if !config.apiKey.isEmpty { fields[.authorization] = try value("Bearer \(config.apiKey)", of: "the API key") }
        for (name, text) in config.extraHeaders {
            guard let field = HTTPField.Name(name) else {
                throw .invalidConfiguration("'\(name)' in extraHeaders is not a valid header name")
            }
            fields[field] = try value(text, of: "the value of '\(name)' in extraHeaders")
        }
        var request = try EndpointURL.request(config)
        request.headerFields = fields
        return request
    }

    /// Checks a header's value. An invalid one is not shown in the error, as it may be secret.
    private static func value(_ text: String, of owner: String) throws(OpenAiError) -> String {
        guard HTTPField.isValidValue(text) else {
            throw .invalidConfiguration(
                "\(owner) contains characters that are not allowed in a header, such as line breaks")
        }
        return text
    }
}

extension OpenAiError {
    /// Returns the error with the number of attempts, if its text contains one.
    fileprivate func after(attempts: Int) -> OpenAiError {
        if case .unreachable(let reason, _) = self { .unreachable(reason, attempts: attempts) } else { self }
    }
}

extension OpenAiTimeouts {
    fileprivate var transport: TransportTimeouts { TransportTimeouts(connect: connect, idle: idle, whole: whole) }
}

extension TransportError {
    /// Whether a retry may succeed. A server that has been silent for long may still be computing.
    fileprivate var mayPass: Bool {
        switch self {
        case .hostNotFound, .connectionRefused, .connectionFailed, .connectionLost: true
        case .timedOut(_, let timeout, _): timeout == .connect
        case .invalidURL, .tls, .invalidResponse, .proxyFailed, .shutDown, .notBuilt, .other: false
        }
    }
}
