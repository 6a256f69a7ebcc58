#if Server
import Logging
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Limits the number of open connections; further ones wait in the system's accept queue until one ends.
///
/// The first handler of a listening socket. When the system has no file descriptor left, accepting is retried a second
/// later; the library alone would retry at once, in a busy loop.
final class ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private static let pause = TimeAmount.seconds(1)

    private let limit: Int
    private let logger: Logger
    private var count = 0
    /// Whether the listener has a pending request for connections.
    private var isWaiting = false
    private var isPaused = false
    private var hasWarned = false

    /// - Parameter limit: The maximum number of connections.
    init(limit: Int, _ logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    /// Limits the connections that a listening socket accepts, also to what the system permits.
    static func add(to listener: any Channel, _ limits: ConnectionLimits, _ logger: Logger) async throws {
        let limit = min(limits.connections, OpenFiles.roomForConnections ?? limits.connections)
        try await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(ConnectionGate(limit: limit, logger), position: .first)
        }.get()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += 1
        let bound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            bound.value.gate.connectionIsClosed(bound.value.context)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        guard count >= limit else { return context.read() }
        isWaiting = true
        warnOnce(
            "connection limit reached: new connections wait until one is closed", ["connections": "\(count)"])
    }

    private func connectionIsClosed(_ context: ChannelHandlerContext) {
        count -= 1
        guard isWaiting, count < limit else { return }
        isWaiting = false
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
            pause(context, error)
        }
        context.fireErrorCaught(error)
    }

    /// Stops accepting connections for a while.
    private func pause(_ context: ChannelHandlerContext, _ error: IOError) {
        guard !isPaused else { return }
        isPaused = true
        warnOnce(
            "accepting a connection failed: new connections wait, and it is retried every second", ["error": "\(error)"]
        )
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            bound.value.isPaused = false
            channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
    }

    /// Logs once what the operator can change.
    private func warnOnce(_ text: Logger.Message, _ metadata: Logger.Metadata) {
        guard !hasWarned else { return }
        hasWarned = true
        logger.warning(text, metadata: metadata)
    }
}
#endif
