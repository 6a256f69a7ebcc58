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
    /// The requests that are not completely answered, oldest first (clients may pipeline). `true` for HTTP/1.0, whose
    /// clients do not know chunked encoding.
    private var requests = CircularBuffer<Bool>()
    /// Whether the answer is one whole that may be long; a stream's parts stay as they are.
    private var hasLength = false
    /// Answers whose end the system has not taken yet.
    private var unwritten = 0
    /// Completed when the connection is closed, which waits for them.
    private var closing: EventLoopPromise<Void>?
    /// Whether the connection closes after the current reply.
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
        // The connection is gone, so the awaited writes will never complete: fail the promise.
        closing?.fail(ChannelError.alreadyClosed)
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
            let isOld = head.version.major < 1 || (head.version.major == 1 && head.version.minor == 0)
            requests.append(isOld)
            // Without chunks only the connection's end tells where a stream ends, whatever the client asks for.
            // A client that sends `Expect` with HTTP/1.0 takes the first status for the reply's (RFC 9110, section 10.1.1).
            if isOld {
                head.headers.replaceOrAdd(name: "connection", value: "close")
                head.headers.remove(name: "expect")
            }
            // RFC 9112, section 3.2: a request without exactly one `Host` is ambiguous and must be refused.
            let hosts = head.headers[canonicalForm: "host"].count
            context.fireChannelRead(wrapInboundOut(.head(head)))
            guard hosts == 1 || (isOld && hosts == 0) else {
                return refuse(APIError(.invalid, "a request must have exactly one 'Host' header, found \(hosts)"))
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
            if requests.first == true { head.version = .http1_0 }
            hasLength = head.headers.contains(name: "content-length")
            if head.status.code >= 200 { head.headers.add(name: "date", value: HTTPDate.now) }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(.byteBuffer(let bytes)) where hasLength && bytes.readableBytes > Self.pieceBytes:
            write(bytes, context, promise)
        case .body: context.write(data, promise: promise)
        case .end:
            _ = requests.popFirst()
            unwritten += 1
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in bound.value.answerIsWritten() }
            context.write(data, promise: written)
            if isQuiescing { context.flush() }
        }
    }

    /// An answer has been written completely.
    private func answerIsWritten() {
        unwritten -= 1
        guard let context, unwritten == 0 else { return }
        if isQuiescing || closing != nil {
            context.close(mode: .all, promise: closing)
        } else if requests.isEmpty {
            begin(.idle, limits.idle)
        }
    }

    /// Closing waits for the answers that are whole, as long as their client reads them.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard unwritten > 0 else { return context.close(mode: mode, promise: promise) }
        if let closing {
            closing.futureResult.cascade(to: promise)
        } else {
            closing = promise ?? context.eventLoop.makePromise(of: Void.self)
            watchForStall(context)
        }
    }

    /// The largest piece in which replies are written, so that progress can be measured.
    private static let pieceBytes = 64 << 10

    /// Writes large replies in pieces, to distinguish a client that reads slowly from one that does not read at all.
    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        var bytes = bytes
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        while let piece = bytes.readSlice(length: min(bytes.readableBytes, Self.pieceBytes)), piece.readableBytes > 0 {
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenSuccess { bound.value.clientHasRead() }
            if bytes.readableBytes == 0 { written.futureResult.cascade(to: promise) }
            context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: written)
        }
    }

    /// A piece was written to the client: restart the write timeout.
    private func clientHasRead() {
        if stall != nil, let context { watchForStall(context) }
    }

    private func watchForStall(_ context: ChannelHandlerContext) {
        stall?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        stall = context.eventLoop.scheduleTask(in: TimeAmount(limits.stall)) {
            bound.value.context?.close(mode: .all, promise: bound.value.closing)
        }
    }

    /// The server is shutting down: closes an idle connection at once, another one after its reply.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        isQuiescing = true
        if phase == .idle { context.close(promise: nil) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        if !context.channel.isWritable || closing != nil { watchForStall(context) }
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

    /// The client was too slow: if it has begun a request, it gets an error.
    private func expire() {
        guard let context, phase != .answering else { return }
        guard phase != .idle else { return context.close(promise: nil) }
        refuse(APIError(.tooSlow, "the request was not received in time: send it faster"))
    }

    /// The received bytes are not valid HTTP, or exceed a limit.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        refuse(refusal(error))
    }

    private func refusal(_ error: HTTPParserError) -> APIError {
        // The decoder stops where a client begins to speak HTTP/2 without having asked for it.
        guard error != .paused else {
            return APIError(.invalid, "HTTP/2 is not supported: send the request over HTTP/1.1")
        }
        guard error == .headerOverflow else { return APIError(.invalid, "the request is not valid HTTP: \(error)") }
        // The decoder takes the target as a field.
        guard lineLength <= limits.headerField else { return .targetTooLong(limit: limits.path) }
        return APIError(
            .headersTooLarge,
            "the header is too large: the limit is \(limits.headers) bytes in \(limits.headerCount) fields of at most "
                + "\(limits.headerField) bytes each")
    }

    /// Passes an error on to the connection's handler, which replies with it instead of reading the request to its end.
    private func refuse(_ error: APIError) {
        guard let context, !isRefused else { return }
        isRefused = true
        begin(.answering, nil)
        context.fireErrorCaught(error)
    }
}

/// Reports a request's bytes to the clock before they are parsed.
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
