#if Downloads && !canImport(Darwin)
import AsyncHTTPClient
public import Foundation
public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// A transport that uses AsyncHTTPClient, over HTTP/1.1.
///
/// Connections are kept open between requests. Without ``shutdown()``, they are closed a minute after their last use.
public final class AsyncHTTPTransport: Transport {
    /// The configuration for all requests.
    public let configuration: TransportConfiguration
    private let clients = Mutex(Clients())
    private let places: HostPlaces

    /// A client per proxy, because AsyncHTTPClient has one proxy for all requests.
    private struct Clients {
        var byProxy: [Proxy?: HTTPClient] = [:]
        var isShutDown = false
    }

    /// Creates a transport. It connects with its first request.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.configuration = configuration
        places = HostPlaces(limit: configuration.connectionsPerHost)
    }

    deinit {
        let clients = clients.withLock { $0.byProxy.values.map(\.self) }
        // A client must be shut down before it is released.
        for client in clients { client.shutdown { _ in } }
    }

    /// Sends a request and waits for the head of the response; see ``Transport/send(_:body:timeouts:)``.
    public func send(
        _ request: HTTPRequest, body: Data? = nil, timeouts: TransportTimeouts = .standard
    ) async throws -> TransportResponse {
        try Task.checkCancellation()
        let name = request.displayName
        var ahcRequest: HTTPClient.Request
        let proxy: Proxy?
        do {
            ahcRequest = try HTTPClient.Request(request)
            proxy = try configuration.proxies.proxy(
                scheme: ahcRequest.scheme, host: ahcRequest.host, port: ahcRequest.port)
        } catch {
            throw TransportError(error, name: name)
        }
        let place = try await places.take(at: request.origin)
        // Afterwards, since the transport may have been shut down meanwhile.
        let client = try client(for: proxy, scheme: ahcRequest.scheme, name: name)
        ahcRequest.body = body.map { .pieces(of: $0, on: client.eventLoopGroup.any()) }
        let stream = ResponseStream(name: name, timeouts: timeouts, place: place)
        let delegate = ResponseDelegate(stream, name: name, proxy: proxy)
        let task = client.execute(request: ahcRequest, delegate: delegate)
        stream.start { task.fail(reason: CancellationError()) }
        let head = try await stream.awaitHead()
        return TransportResponse(head: head, body: TransportBody(stream))
    }

    /// Closes all connections; see ``Transport/shutdown()``.
    public func shutdown() async {
        let clients = clients.withLock { state in
            state.isShutDown = true
            defer { state.byProxy = [:] }
            return state.byProxy.values.map(\.self)
        }
        for client in clients {
            // Fails only if the client was already shut down.
            try? await client.shutdown()
        }
    }

    private func client(for proxy: Proxy?, scheme: String, name: String) throws(TransportError) -> HTTPClient {
        if scheme == "https" { try checkRoots(for: name) }
        return try clients.withLock { state throws(TransportError) in
            if state.isShutDown { throw .shutDown(name) }
            if let client = state.byProxy[proxy] { return client }
            let client = HTTPClient(
                eventLoopGroup: try EventLoops.group(for: name),
                configuration: HTTPClient.Configuration(configuration, proxy))
            state.byProxy[proxy] = client
            return client
        }
    }

    /// Names a missing file of certificates, unlike NIO's own error.
    private func checkRoots(for name: String) throws(TransportError) {
        guard case .roots(let file) = configuration.verification,
            !FileManager.default.isReadableFile(atPath: file.path)
        else { return }
        throw .tls(name, "the certificates in '\(file.path)' cannot be read: check SSL_CERT_FILE")
    }
}

extension HTTPClient.Configuration {
    /// A configuration without redirects, decompression and retries.
    init(_ configuration: TransportConfiguration, _ proxy: LeapHTTP.Proxy?) {
        var tls = TLSConfiguration.makeClientConfiguration()
        switch configuration.verification {
        case .system: break
        case .roots(let file): tls.trustRoots = .file(file.path)
        case .disabled: tls.certificateVerification = .none
        }
        self.init(tlsConfiguration: tls, redirectConfiguration: .disallow, decompression: .disabled)
        if let chosen = proxy {
            self.proxy = .server(
                host: chosen.host, port: chosen.port,
                authorization: chosen.user.map { .basic(username: $0, password: chosen.password ?? "") })
        }
        // Each request has its own timeout; this one only ends attempts whose requests were given up.
        timeout.connect = .seconds(60)
        httpVersion = .http1Only
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerHost
        // A refused connection is reported at once; callers decide whether to retry.
        connectionPool.retryConnectionEstablishment = false
        // The only way to a connection's options. NIO reads at most 64 KiB at a time otherwise: files want more.
        http1_1ConnectionDebugInitializer = { channel in
            let allocator = AdaptiveRecvByteBufferAllocator(
                minimum: 1 << 10, initial: 1 << 14, maximum: ResponseStream.capacity / 4)
            return channel.setOption(.recvAllocator, value: allocator)
        }
    }
}

extension HTTPClient.Request {
    init(_ request: HTTPRequest) throws {
        var headers = HTTPHeaders()
        for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        try self.init(
            url: request.urlString, method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue), headers: headers)
    }
}

extension HTTPClient.Body {
    /// Bytes that are sent at once: few enough that a slow connection makes progress often.
    private static let pieceSize = 1 << 16

    /// A body in pieces, since only whole ones are reported as sent.
    ///
    /// All are passed on immediately and wait in the connection. If they waited for each other here, a server's refusal in the
    /// middle of the body would stop them without telling, and the request would never end.
    static func pieces(of data: Data, on eventLoop: any EventLoop) -> HTTPClient.Body {
        .stream(contentLength: Int64(data.count)) { writer in
            for start in stride(from: data.startIndex, to: data.endIndex, by: pieceSize) {
                let piece = data[start..<min(start + pieceSize, data.endIndex)]
                // A failure ends the request.
                _ = writer.write(.byteBuffer(ByteBuffer(bytes: piece)))
            }
            return eventLoop.makeSucceededVoidFuture()
        }
    }
}
#endif
