public import Foundation
public import HTTPTypes

/// Sends requests and streams their responses.
///
/// A transport does nothing else: it follows no redirects, decompresses nothing, does not retry and adds no
/// credentials. Callers decide about these, because a downloader and a chat client need different behaviour.
public protocol Transport: Sendable {
    /// Sends a request and waits for the head of the response. If there are too many requests to its host, it first waits
    /// until one of them has ended; see ``TransportConfiguration/connectionsPerHost``.
    ///
    /// Cancelling the task closes the connection immediately, and so does releasing the response's body before its end.
    ///
    /// - Parameters:
    ///   - request: The request, with scheme and authority; see `HTTPRequest.init(_:to:headerFields:)`.
    ///   - body: The body, which is sent with its length.
    ///   - timeouts: The timeouts of this request.
    /// - Throws: ``TransportError`` or `CancellationError`.
    func send(_ request: HTTPRequest, body: Data?, timeouts: TransportTimeouts) async throws -> TransportResponse

    /// Closes all connections. Running requests fail, as do all later ones.
    func shutdown() async
}

/// The head of a response, and its body, which is read from the network on demand.
public struct TransportResponse: Sendable {
    /// The status and the header fields, as sent by the server.
    public var head: HTTPResponse
    /// The body, as sent by the server: compressed data remains compressed.
    public var body: TransportBody

    /// Creates a response, for example in a test's own transport.
    public init(head: HTTPResponse, body: TransportBody) {
        self.head = head
        self.body = body
    }
}

/// The timeouts of a request; `nil` for no limit. They begin when the request may be sent: waiting for other requests to the
/// same host does not count.
public struct TransportTimeouts: Hashable, Sendable {
    /// The time until the connection is established, including encryption and proxies. Sending the request does not count.
    public var connect: Duration?
    /// The time until the next bytes arrive, including the first ones, or until more of the request is sent. Time in which the
    /// reader requests none does not count.
    public var idle: Duration?
    /// The time until the end of the body, including the time that its reader takes.
    public var whole: Duration?

    /// 30 seconds to connect, 60 seconds without data, and no limit for the whole request.
    public static let standard = TransportTimeouts(connect: .seconds(30), idle: .seconds(60))

    /// Creates timeouts; omitted ones have no limit.
    public init(connect: Duration? = nil, idle: Duration? = nil, whole: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.whole = whole
    }
}

/// The kind of a timeout.
public enum TransportTimeout: String, Hashable, Sendable {
    /// Connecting.
    case connect
    /// The next bytes, sent or received.
    case idle
    /// The whole request.
    case whole
}
