public import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A connection of a ``ScriptedServer``, on which a test writes what it wants.
public final class ServerConnection: Sendable {
    private let channel: any Channel
    private let input: Input
    private let closed = Mutex(false)

    init(
        _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ pause: (@Sendable (Int) -> Duration)?
    ) {
        self.channel = channel
        self.input = Input(inbound, pause)
    }

    var isClosed: Bool { closed.withLock { $0 } }

    /// Writes raw text.
    public func write(_ text: String) async throws { try await write(Data(text.utf8)) }

    /// Writes raw bytes, and waits until the system has accepted them, so that closing loses none.
    public func write(_ bytes: Data) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Writes a whole response, with the length of its body.
    public func respond(
        _ status: Int = 200, headers: [String: String] = [:], body: Data = Data(), omitsBody: Bool = false
    ) async throws {
        var head = "HTTP/1.1 \(status) Status\r\n"
        var headers = headers
        if headers["Content-Length"] == nil { headers["Content-Length"] = "\(body.count)" }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        var bytes = Data((head + "\r\n").utf8)
        if !omitsBody { bytes.append(body) }
        try await write(bytes)
    }

    /// Writes a whole response of text.
    public func respond(_ status: Int = 200, headers: [String: String] = [:], text: String) async throws {
        try await respond(status, headers: headers, body: Data(text.utf8))
    }

    /// Closes the connection after what has been written.
    public func close() {
        closed.withLock { $0 = true }
        channel.close(promise: nil)
    }

    /// Closes the connection with a reset.
    public func reset() async throws {
        closed.withLock { $0 = true }
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        channel.close(promise: nil)
    }

    /// Waits until the client has closed the connection.
    public func waitForClose() async { await input.drain() }

    func readRequest() async throws -> ServerRequest? { try await input.readRequest() }
}

/// The bytes that a client sends.
private actor Input {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var bytes = Data()
    private let pause: (@Sendable (Int) -> Duration)?

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ pause: (@Sendable (Int) -> Duration)?) {
        iterator = inbound.makeAsyncIterator()
        self.pause = pause
    }

    func readRequest() async throws -> ServerRequest? {
        while true {
            if let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) {
                guard var request = ServerRequest(head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
                else { return nil }
                bytes = Data(bytes[end.upperBound...])
                guard let pause else { return request }
                let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
                while bytes.count < length {
                    let time = pause(bytes.count)
                    if time > .zero { try await Task.sleep(for: time) }
                    guard try await readMore() else { return nil }
                }
                request.body = Data(bytes.prefix(length))
                bytes = Data(bytes.dropFirst(length))
                return request
            }
            guard try await readMore() else { return nil }
        }
    }

    func drain() async {
        // An error ends a connection as well as an end.
        while let isOpen = try? await readMore(), isOpen {}
    }

    private func readMore() async throws -> Bool {
        var iterator = self.iterator
        guard let next = try await iterator.next(isolation: self) else { return false }
        self.iterator = iterator
        bytes.append(contentsOf: next.readableBytesView)
        return true
    }
}
