import Foundation
import HTTPTypes
import LeapEngine
import LeapHTTP
import Logging
import Synchronization

/// A model of another server: where it is, and whether it was reachable recently.
final class RemoteBackend: Sendable {
    /// The model's name on this server.
    let id: String
    /// The model's name on the other server.
    let model: String
    private let remote: ServerConfiguration.Remote
    private let transport: any Transport
    private let logger: Logger
    private let downUntil = Mutex<ContinuousClock.Instant?>(nil)

    init(id: String, _ remote: ServerConfiguration.Remote, _ transport: any Transport, _ logger: Logger) {
        self.id = id
        self.remote = remote
        self.transport = transport
        self.logger = logger
        model = remote.model ?? id
    }

    /// The label of its metrics.
    var label: String {
        let text = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
        return "model=\"\(text)\""
    }

    /// Whether the last attempt to reach it failed recently.
    var isDown: Bool { remainingDownTime != nil }

    private var remainingDownTime: Duration? {
        downUntil.withLock { until in
            guard let rest = until.map({ $0 - .now }), rest > .zero else {
                until = nil
                return nil
            }
            return rest
        }
    }

    /// Sends a request, and waits for the head of the response.
    ///
    /// - Parameters:
    ///   - path: After the server's own, such as `/chat/completions`.
    ///   - fields: The client's header fields that are forwarded.
    /// - Throws: An error for the client if there is no response, or `CancellationError`.
    func send(_ path: String, _ body: [UInt8], _ fields: HTTPFields, id: String) async throws -> TransportResponse {
        if let rest = remainingDownTime {
            throw unreachable(retryAfter: Int((rest / .seconds(1)).rounded(.up)))
        }
        var fields = fields
        fields[.contentType] = "application/json"
        fields[.userAgent] = "leap/\(Engine.version)"
        fields[.requestID] = id
        // Its bytes are forwarded as they arrive, and inspected on the way.
        fields[.acceptEncoding] = "identity"
        if let key = remote.key { fields[.authorization] = "Bearer \(key)" }
        do {
            let request = try HTTPRequest(.post, to: url(path), headerFields: fields)
            let timeouts = TransportTimeouts(connect: .seconds(10), idle: remote.silence)
            let response = try await transport.send(request, body: Data(body), timeouts: timeouts)
            downUntil.withLock { $0 = nil }
            return response
        } catch let error as TransportError {
            throw failure(error)
        }
    }

    private func url(_ path: String) -> URL {
        guard var parts = URLComponents(url: remote.url, resolvingAgainstBaseURL: true) else { return remote.url }
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        parts.percentEncodedPath += path
        return parts.url ?? remote.url
    }
}

// MARK: - Failures

extension RemoteBackend {
    /// The error that a client gets for a failure. It does not reveal the other server's address; the log has the details.
    func failure(_ error: TransportError) -> APIError {
        logger.error("a remote model failed", metadata: ["model": "\(id)", "error": "\(error)"])
        switch error {
        case .timedOut(_, .idle, _), .timedOut(_, .whole, _):
            return APIError(
                .gatewayTimeout,
                "the remote server of '\(id)' sent no data for \(Self.text(remote.silence)): retry later",
                code: "remote_timeout")
        case .connectionLost, .invalidResponse, .other:
            return APIError(
                .badGateway(retryAfter: nil),
                "the connection to the remote server of '\(id)' failed before the answer was complete: retry the request",
                code: "remote_failed")
        case .invalidURL, .hostNotFound, .connectionRefused, .connectionFailed, .tls, .timedOut(_, .connect, _),
            .proxyFailed, .shutDown, .notBuilt:
            downUntil.withLock { $0 = .now + remote.failureMemory }
            return unreachable(retryAfter: max(1, Int((remote.failureMemory / .seconds(1)).rounded(.up))))
        }
    }

    private func unreachable(retryAfter seconds: Int) -> APIError {
        APIError(
            .badGateway(retryAfter: max(1, seconds)), "the remote server of '\(id)' cannot be reached: retry later",
            code: "remote_unreachable")
    }

    /// The client's error for a response that shows a fault of the other server or of this one; `nil` if the response
    /// itself is forwarded.
    func failure(_ head: HTTPResponse) -> APIError? {
        let status = head.status.code
        func bad(_ text: String) -> APIError {
            logger.error("a remote model failed", metadata: ["model": "\(id)", "status": "\(status)"])
            return APIError(
                .badGateway(retryAfter: nil), "the remote server of '\(id)' \(text)", code: "remote_failed")
        }
        switch status {
        // 501: a retry would not help, so the client gets the response itself.
        case 200..<300, 400, 402, 404..<407, 408..<500, 501: return nil
        case 300..<400: return bad("sent a redirect, which is not followed")
        case 401, 403, 407: return bad("rejected this server's API key")
        case 503:
            let delay = RetryAfter.delay(in: head.headerFields).map { Int(min(3600, $0 / .seconds(1)).rounded(.up)) }
            return APIError(
                .overloaded(retryAfter: max(1, delay ?? 5)),
                "the remote server of '\(id)' is overloaded: retry later",
                code: "remote_overloaded")
        case 504:
            return APIError(
                .gatewayTimeout, "the remote server of '\(id)' timed out waiting for another server: retry later",
                code: "remote_timeout")
        default: return bad("failed with status \(status): retry later")
        }
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds)) seconds" : "\(seconds) seconds"
    }
}

extension RemoteBackend: Hashable {
    static func == (a: RemoteBackend, b: RemoteBackend) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
