#if Server
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL
import Synchronization

/// Serves a connection: answers requests one after another, drops slow clients, and cancels an answer when its client
/// disconnects.
///
/// Replaces the library's own handler, which has no write timeout and does not read while it answers, so that it would not
/// notice a disconnect.
struct Connection: ServerChildChannel {
    typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// What answers a request.
    let respond: @Sendable (Exchange) async -> Reply
    /// Why a request is refused by its header alone; `nil` to read its body.
    let refusal: @Sendable (Exchange) -> APIError?
    /// The limits of connections.
    let limits: ConnectionLimits
    /// The memory budget of all bodies that are being read.
    let budget: BodyBudget
    /// The server's TLS certificates; `nil` for plain-text connections.
    var certificates: Certificates?

    /// Sets up a connection's handlers.
    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Parts> {
        channel.eventLoop.makeCompletedFuture {
            var decoding = NIOHTTPDecoderLimitConfiguration()
            decoding.maxHeaderFieldSize = limits.headerField
            decoding.maxHeaderListSize = limits.headers
            decoding.maxHeaderFieldCount = limits.headerCount
            let clock = RequestClock(limits)
            let pipeline = channel.pipeline.syncOperations
            if let certificates { try pipeline.addHandler(NIOSSLServerHandler(context: certificates.context)) }
            try pipeline.addHandler(ByteWatcher(clock))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding)
            try pipeline.addHandler(clock)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificates != nil))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    /// Answers the requests of a connection until one side ends it.
    func handle(value: Parts, logger: Logger) async {
        do {
            try await value.executeThenClose { inbound, outbound in
                let parts = PartQueue()
                await withDiscardingTaskGroup { group in
                    group.addTask { await parts.fill(from: inbound) }
                    await ConnectionTurn(
                        respond: respond, refusal: refusal, limits: limits, budget: budget, parts: parts,
                        outbound: outbound, channel: value.channel
                    ).run()
                    parts.abandon()
                    outbound.finish()
                    value.channel.close(mode: .all, promise: nil)
                    group.cancelAll()
                }
            }
        } catch {
            logger.trace("a connection failed", metadata: ["error": "\(error)"])
        }
    }
}

/// The requests of one connection, in turn.
struct ConnectionTurn: Sendable {
    let respond: @Sendable (Exchange) async -> Reply
    let refusal: @Sendable (Exchange) -> APIError?
    let limits: ConnectionLimits
    let budget: BodyBudget
    let parts: PartQueue
    let outbound: NIOAsyncChannelOutboundWriter<HTTPResponsePart>
    let channel: any Channel
    /// Ends the request that is being answered when the connection is over.
    private let connection = Cancellation()

    /// Answers until the connection is to be closed.
    func run() async {
        // Registered once per connection: a channel keeps such callbacks until it closes.
        channel.closeFuture.whenComplete { [connection] _ in connection.cancel() }
        let peer = await Peer.name(channel)
        do {
            while let head = try await nextHead(peer) {
                guard try await answer(head, peer) else { return }
            }
        } catch {
            // The client is gone.
        }
    }

    /// The head of the next request; `nil` at the end, or after an unreadable one, which is answered with an error here.
    private func nextHead(_ peer: String) async throws -> HTTPRequest? {
        do {
            while let part = try await parts.next() {
                if case .head(let head) = part { return head }
            }
        } catch let error as APIError {
            try await refuse(Exchange(Self.unread, peer: peer), Self.unread, error)
        }
        return nil
    }

    /// Answers one request.
    ///
    /// - Returns: Whether the connection stays open.
    private func answer(_ head: HTTPRequest, _ peer: String) async throws -> Bool {
        let closes =
            head.headerFields[.connection]?.lowercased().split(separator: ",")
            .contains { $0.trimmingCharacters(in: .whitespaces) == "close" } ?? false
        var exchange = Exchange(head, peer: peer)
        do {
            try check(exchange, head)
            exchange.body = try await readBody(head)
        } catch let error as APIError {
            try await refuse(exchange, head, error)
            await readOn(head)
            return false
        }
        try await finish(exchange, head, closes)
        return !closes
    }

    /// Checks, by the header alone, whether the body should be read.
    ///
    /// - Throws: Why not.
    private func check(_ exchange: Exchange, _ head: HTTPRequest) throws(APIError) {
        guard (head.path?.utf8.count ?? 0) <= limits.path else { throw .targetTooLong(limit: limits.path) }
        guard head.hasBody else { return }
        if let coding = head.headerFields[.transferEncoding], coding.lowercased() != "chunked" {
            throw APIError(.notSupported, "the transfer coding '\(coding)' is not supported: use 'chunked'")
        }
        if let error = refusal(exchange) { throw error }
        if let length = head.bodyLength, length > limits.body { throw .bodyTooLarge(limit: limits.body) }
    }

    /// A placeholder for a request that could not be parsed.
    private static let unread = HTTPRequest(
        method: HTTPRequest.Method("-") ?? .get, scheme: nil, authority: nil, path: nil)

    /// Reports why a request is not read to its end, and closes the connection.
    private func refuse(_ exchange: Exchange, _ head: HTTPRequest, _ error: APIError) async throws {
        var exchange = exchange
        exchange.refusal = error
        try await send(await respond(exchange), closes: true, head, id: exchange.id)
    }

    /// Reads and drops the rest of a body for a while: if a connection is closed while the client is still sending,
    /// many clients report a broken connection and never read the reply. A client that waits for `100 Continue` sends
    /// nothing.
    private func readOn(_ head: HTTPRequest) async {
        guard head.hasBody, !head.expectsContinue else { return }
        let end = Task {
            try await Task.sleep(for: limits.linger)
            channel.close(mode: .all, promise: nil)
        }
        defer { end.cancel() }
        // If the client is gone, the wait is over.
        while let part = try? await parts.next() {
            if case .end = part { return }
        }
    }

    /// Answers a request, and stops if the client disconnects.
    private func finish(_ exchange: Exchange, _ head: HTTPRequest, _ closes: Bool) async throws {
        var exchange = exchange
        let cancellation = Cancellation()
        exchange.endsWithClient = { [parts] in parts.whenEnded { cancellation.cancel() } }
        let work = Task { [exchange] in
            try await send(await respond(exchange), closes: closes, head, id: exchange.id)
        }
        cancellation.attach { work.cancel() }
        connection.attach { cancellation.cancel() }
        defer {
            connection.attach(nil)
            parts.whenEnded(nil)
        }
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Cancels what is attached to it, also what is attached only later.
    private final class Cancellation: Sendable {
        private let state = Mutex<(action: (@Sendable () -> Void)?, isCancelled: Bool)>((nil, false))

        /// Replaces what is attached; `nil` removes it.
        func attach(_ action: (@Sendable () -> Void)?) {
            let isCancelled = state.withLock { state in
                state.action = action
                return state.isCancelled
            }
            if isCancelled { action?() }
        }

        func cancel() {
            let action = state.withLock { state in
                state.isCancelled = true
                return state.action.take()
            }
            action?()
        }
    }

    /// Finds out whether a client that has stopped sending still reads. If it is gone, its system answers the first
    /// bytes with a reset, and writing the second ones then fails.
    private func probe(_ bytes: [UInt8]) async {
        for _ in 0..<2 {
            do { try await outbound.write(.body(ByteBuffer(bytes: bytes))) } catch { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The body.
    ///
    /// - Throws: Why it is not read to its end, or that the client is gone.
    private func readBody(_ head: HTTPRequest) async throws -> [UInt8] {
        if head.expectsContinue { try await outbound.write(.head(HTTPResponse(status: .continue))) }
        var body: [UInt8] = []
        defer { budget.release(body.count) }
        while let part = try await parts.next() {
            switch part {
            case .body(let buffer):
                guard body.count + buffer.readableBytes <= limits.body else {
                    throw APIError.bodyTooLarge(limit: limits.body)
                }
                try budget.take(buffer.readableBytes)
                body.append(contentsOf: buffer.readableBytesView)
            case .end: return body
            case .head: throw CancellationError()
            }
        }
        throw CancellationError()
    }
}

// MARK: - Writing

extension ConnectionTurn {
    /// Sends pieces of a reply.
    private struct Sink: ReplySink {
        let outbound: NIOAsyncChannelOutboundWriter<HTTPResponsePart>

        func write(_ bytes: [UInt8]) async throws {
            try await outbound.write(.body(ByteBuffer(bytes: bytes)))
        }
    }

    private func send(_ reply: Reply, closes: Bool, _ request: HTTPRequest, id: String) async throws {
        var fields: HTTPFields = [:]
        if closes { fields[.connection] = "close" }
        (fields[.requestID], fields[.anthropicRequestID]) = (id, id)
        switch reply {
        case .whole(let status, let bytes, let type, let headers):
            fields.append(contentsOf: headers)
            fields[.contentType] = type
            if status != .notModified, status != .noContent { fields[.contentLength] = "\(bytes.count)" }
            try await outbound.write(.head(HTTPResponse(status: status, headerFields: fields)))
            if request.method != .head, !bytes.isEmpty { try await outbound.write(.body(ByteBuffer(bytes: bytes))) }
        case .stream(let type, let headers, let idle, let write):
            fields.append(contentsOf: headers)
            fields[.contentType] = type
            try await outbound.write(.head(HTTPResponse(status: .ok, headerFields: fields)))
            // If there is nothing to probe with, a client that stops sending counts as gone.
            parts.whenEnded {
                if let idle { Task { await probe(idle) } } else { channel.close(mode: .all, promise: nil) }
            }
            try await write(Sink(outbound: outbound))
            parts.whenEnded(nil)
        }
        try await outbound.write(.end(nil))
    }
}

extension HTTPRequest {
    /// Bytes of the body, where the header says it.
    fileprivate var bodyLength: Int? { headerFields[.contentLength].flatMap { Int($0) } }

    /// Whether a body follows.
    fileprivate var hasBody: Bool { headerFields[.transferEncoding] != nil || bodyLength ?? 0 > 0 }

    /// Whether the client waits for `100 Continue` before it sends the body.
    fileprivate var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}

extension Exchange {
    /// A request whose body is not read yet.
    init(_ head: HTTPRequest, peer: String) {
        let target = head.path ?? "/"
        let cut = target.firstIndex(of: "?") ?? target.endIndex
        self.init(
            id: Self.id(head.headerFields[.requestID]), method: head.method,
            path: String(target[..<cut]).removingPercentEncoding ?? String(target[..<cut]),
            query: String(target[cut...].dropFirst()), host: head.authority, headers: head.headerFields, body: [],
            client: peer)
    }

    /// The request's own ID if it is safe to log, or a new one.
    private static func id(_ own: String?) -> String {
        guard let own, (1...64).contains(own.utf8.count),
            own.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return Identifier.make("req_") }
        return own
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
    }
}
#endif
