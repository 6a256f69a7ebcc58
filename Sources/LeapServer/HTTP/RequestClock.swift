#if Server
import NIOCore
import NIOHTTP1

/// Ends connections whose clients are too slow, and speaks HTTP/1.0 with those that know no more.
///
/// Stands between the HTTP decoder and everything else; ``ByteWatcher`` stands in front of the decoder and tells of the first
/// byte of a request.
final class RequestClock: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case idle, header, body, answering
    }

    private let limits: ConnectionLimits
    private var phase = Phase.idle
    private var deadline: Scheduled<Void>?
    private var stall: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// Whether the request is one of HTTP/1.0, whose clients do not know chunks.
    private var isOld = false
    /// Whether the connection ends behind the answer that is under way.
    private var isQuiescing = false
    /// Whether the connection ends without anybody reading its request.
    private var isRefused = false
    /// Bytes of the request's first line so far.
    private var lineLength = 0
    /// Whether the request's first line has ended.
    private var isPastLine = false

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        begin(.idle, limits.idle)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        stall?.cancel()
        self.context = nil
    }

    /// Bytes have come, the first of a request where none is under way.
    func noteBytes(_ bytes: ByteBufferView) {
        if phase == .idle {
            begin(.header, limits.header)
            (lineLength, isPastLine) = (0, false)
        }
        guard !isPastLine else { return }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        lineLength += bytes.distance(from: bytes.startIndex, to: end ?? bytes.endIndex)
        isPastLine = end != nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard !isRefused else { return }
            begin(.body, limits.bodyTime + rateTime(head))
            isOld = head.version.major < 1 || (head.version.major == 1 && head.version.minor == 0)
            // Without chunks only the connection's end tells where a stream ends, whatever the client asks for.
            if isOld { head.headers.replaceOrAdd(name: "connection", value: "close") }
            // RFC 9112, section 3.2: without one host it is nobody's request, or that of whoever picks one.
            let hosts = head.headers[canonicalForm: "host"].count
            context.fireChannelRead(wrapInboundOut(.head(head)))
            guard hosts == 1 || (isOld && hosts == 0) else {
                return refuse(APIError(.invalid, "a request names one host, found \(hosts): send one field 'Host'"))
            }
        case .body: if !isRefused { context.fireChannelRead(data) }
        case .end:
            guard !isRefused else { return }
            begin(.answering, nil)
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if isOld { head.version = .http1_0 }
            if head.status.code >= 200 { head.headers.add(name: "date", value: HTTPDate.now) }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            begin(.idle, limits.idle)
            guard isQuiescing else { return context.write(data, promise: promise) }
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        }
    }

    /// The server is about to end: a connection without a request is closed, another one behind its answer.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        isQuiescing = true
        if phase == .idle { context.close(promise: nil) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        if !context.channel.isWritable {
            let channel = context.channel
            stall = context.eventLoop.scheduleTask(in: TimeAmount(limits.stall)) {
                channel.close(mode: .all, promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    private func rateTime(_ head: HTTPRequestHead) -> Duration {
        let length = head.headers.first(name: "content-length").flatMap { Int64($0) } ?? Int64(limits.body)
        return .seconds(min(max(0, length), Int64(limits.body)) / Int64(max(1, limits.bodyRate)))
    }

    private func begin(_ phase: Phase, _ time: Duration?) {
        self.phase = phase
        deadline?.cancel()
        deadline = nil
        guard let time, let context else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) { bound.value.expire() }
    }

    /// The client was too slow: one that has begun a request is told so.
    private func expire() {
        guard let context, phase != .answering else { return }
        guard phase != .idle else { return context.close(promise: nil) }
        refuse(APIError(.tooSlow, "the request came too slowly: send it at once"))
    }

    /// What has come is no HTTP, or more than is read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        refuse(refusal(error))
    }

    private func refusal(_ error: HTTPParserError) -> APIError {
        guard error == .headerOverflow else { return APIError(.invalid, "the request is no HTTP: \(error)") }
        // The decoder takes the target as a field.
        guard lineLength <= limits.headerField else { return .targetTooLong(limit: limits.path) }
        return APIError(
            .headersTooLarge,
            "the header is larger than is read: \(limits.headers) bytes in \(limits.headerCount) fields of at most "
                + "\(limits.headerField)")
    }

    /// Has whoever answers tell why the request is not read to its end.
    private func refuse(_ error: APIError) {
        guard let context, !isRefused else { return }
        isRefused = true
        begin(.answering, nil)
        context.fireErrorCaught(error)
    }
}

/// Tells the clock of a request's bytes, before they can be understood.
final class ByteWatcher: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let clock: RequestClock

    init(_ clock: RequestClock) {
        self.clock = clock
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        clock.noteBytes(unwrapInboundIn(data).readableBytesView)
        context.fireChannelRead(data)
    }
}
#endif
