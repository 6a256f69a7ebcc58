#if Server
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Listens on a socket that another process opened and handed over, which the library's own listener cannot.
final class InheritedListener: Sendable {
    private let listener: NIOAsyncChannel<Connection.Parts, Never>
    private let connection: Connection
    private let logger: Logger
    private let work = Mutex<Task<Void, any Error>?>(nil)

    /// Begins to listen.
    ///
    /// - Parameter socket: The descriptor, of which the listener becomes the owner.
    init(
        _ socket: Int32, _ connection: Connection, _ group: MultiThreadedEventLoopGroup, _ logger: Logger
    ) async throws {
        self.connection = connection
        self.logger = logger
        listener = try await ServerBootstrap(group: group)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .bind(socket) { connection.setup(channel: $0, logger: logger) }
    }

    /// The socket.
    var channel: any Channel { listener.channel }

    /// Where it listens.
    var localAddress: SocketAddress? { listener.channel.localAddress }

    /// Answers until ``stop()``.
    func run() async throws {
        let work = Task { [listener, connection, logger] in
            try await listener.executeThenClose { clients in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await client in clients {
                        group.addTask { await connection.handle(value: client, logger: logger) }
                    }
                }
            }
        }
        self.work.withLock { $0 = work }
        // The server was asked to end, which is not a failure.
        do { try await work.value } catch is CancellationError {}
    }

    /// Ends listening, and what connections there are.
    func stop() { work.withLock { $0?.cancel() } }
}
#endif
