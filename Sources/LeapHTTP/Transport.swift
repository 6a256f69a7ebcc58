public import Foundation
public import HTTPTypes

/// Sends requests and streams their responses.
///
/// A transport does nothing beside: it follows no redirect, decompresses nothing, retries nothing and adds no credentials.
/// Its callers decide about these, because a downloader and a chat client decide differently.
public protocol Transport: Sendable {
    /// Sends a request and waits for the head of its response.
    ///
    /// Cancelling the task closes the connection at once, and so does letting go of the response's body before its end.
    /// - Parameters:
    ///   - request: With scheme and authority; see `HTTPRequest.init(_:to:headerFields:)`.
    ///   - body: Sent with its length.
    ///   - timeouts: How long to wait, for this request.
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ request: HTTPRequest, body: Data?, timeouts: TransportTimeouts) async throws -> TransportResponse

    /// Closes all connections. Requests that are under way fail, and so does every later one.
    func shutdown() async
}

/// The head of a response, and a body that is read from the network as its reader asks for it.
public struct TransportResponse: Sendable {
    /// Status and header fields, as the server sent them.
    public var head: HTTPResponse
    /// The bytes that follow, as the server sent them: compressed ones stay compressed.
    public var body: TransportBody

    /// A response, for example of a test's own transport.
    public init(head: HTTPResponse, body: TransportBody) {
        self.head = head
        self.body = body
    }
}

/// How long a request may wait; nil is for ever.
public struct TransportTimeouts: Hashable, Sendable {
    /// Until the server is connected, encryption and proxies included, and the request is sent.
    public var connect: Duration?
    /// Until the next bytes arrive, the first ones included. The time in which a reader asks for none does not count.
    public var idle: Duration?
    /// Until the end of the body, the time that its reader takes included.
    public var whole: Duration?

    /// 30 seconds to connect, a minute without a byte, and no limit for all of it.
    public static let standard = TransportTimeouts(connect: .seconds(30), idle: .seconds(60))

    /// Timeouts; those that are not given are for ever.
    public init(connect: Duration? = nil, idle: Duration? = nil, whole: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.whole = whole
    }
}

/// What a timeout was about.
public enum TransportTimeout: String, Hashable, Sendable {
    /// Connecting, and sending the request.
    case connect
    /// The next bytes.
    case idle
    /// All of the request.
    case whole
}
