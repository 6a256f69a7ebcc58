public import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback server that a test scripts byte by byte, including invalid responses that no framework would send.
///
///     let server = try await ScriptedServer.start { request, connection in
///         try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
///         connection.close()
///     }
public final class ScriptedServer: Sendable {
    /// Handles a request. Returning keeps the connection for the next one; throwing closes it.
    public typealias Handler = @Sendable (ServerRequest, ServerConnection) async throws -> Void

    /// The port on 127.0.0.1.
    public let port: Int
    private let scheme: String
    private let log: RequestLog
    private let listener: any Channel
    private let serving: Task<Void, any Error>

    /// Starts a server on a port that the system chooses. It serves until it is stopped or released.
    ///
    /// - Parameters:
    ///   - certificate: For https; nil is http.
    ///   - pause: How long to wait before more of a request's body is read, by the number of its bytes so far; `nil` to
    ///     handle the request without its body, which the connection then reads as a further request.
    ///   - handler: Handles each request.
    public static func start(
        certificate: ServerCertificate? = nil, pause: (@Sendable (Int) -> Duration)? = { _ in .zero },
        handler: @escaping Handler
    ) async throws -> ScriptedServer {
        let context = try certificate.map { try NIOSSLContext(configuration: $0.configuration) }
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        let log = RequestLog()
        let serving = Task {
            try await channel.executeThenClose { clients in
                try await withThrowingDiscardingTaskGroup { group in
                    // Ends when the listener is closed, after all accepted connections were handled: a cancelled loop
                    // would drop connections that it has not seen yet, and NIO then ends the process.
                    for try await client in clients {
                        group.addTask { await serve(client, log, pause, handler) }
                    }
                    group.cancelAll()
                }
            }
        }
        return ScriptedServer(
            port: channel.channel.localAddress?.port ?? 0, scheme: certificate == nil ? "http" : "https", log: log,
            listener: channel.channel, serving: serving)
    }

    private init(
        port: Int, scheme: String, log: RequestLog, listener: any Channel, serving: Task<Void, any Error>
    ) {
        self.port = port
        self.scheme = scheme
        self.log = log
        self.listener = listener
        self.serving = serving
    }

    deinit { listener.close(promise: nil) }

    /// `http://127.0.0.1:PORT`, or with https.
    public var base: String { "\(scheme)://127.0.0.1:\(port)" }

    /// A URL of the server.
    public func url(_ path: String = "/") -> URL {
        // Paths of tests are URLs' paths.
        URL(string: base + path) ?? URL(filePath: "/")
    }

    /// All requests so far.
    public var requests: [ServerRequest] { log.requests }

    /// Closes the listener and all connections, and waits until that is done.
    public func stop() async {
        listener.close(promise: nil)
        _ = await serving.result
    }

    private static func serve(
        _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ log: RequestLog,
        _ pause: (@Sendable (Int) -> Duration)?, _ handler: Handler
    ) async {
        // Errors of a connection are ignored here: the test sees them at its client.
        try? await channel.executeThenClose { inbound, _ in
            let connection = ServerConnection(channel.channel, inbound, pause)
            while let request = try await connection.readRequest() {
                log.add(request)
                try await handler(request, connection)
                if connection.isClosed { return }
            }
        }
    }
}

/// The requests that a server has received.
private final class RequestLog: Sendable {
    private let list = Mutex<[ServerRequest]>([])

    var requests: [ServerRequest] { list.withLock { $0 } }

    func add(_ request: ServerRequest) { list.withLock { $0.append(request) } }
}
