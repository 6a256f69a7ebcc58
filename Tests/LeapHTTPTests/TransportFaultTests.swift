import Foundation
import HTTPTypes
import LeapHTTP
import Testing
import _LeapHTTPTestSupport

@Suite(.timeLimit(.minutes(5)))
struct TransportFaultTests {
    let transport = SystemTransport()

    private func read(
        _ url: URL, _ timeouts: TransportTimeouts = .standard, by transport: SystemTransport? = nil
    ) async throws -> Data {
        let transport = transport ?? self.transport
        let response = try await transport.send(HTTPRequest(to: url), body: nil, timeouts: timeouts)
        return try #require(try await response.body.collect(upTo: 1 << 20))
    }

    /// A server that writes some text and closes the connection.
    private func server(writing text: String) async throws -> ScriptedServer {
        try await ScriptedServer.start { _, connection in
            try await connection.write(text)
            connection.close()
        }
    }

    // MARK: Connecting

    @Test func `A refused connection is an error`() async throws {
        let server = try await server(writing: "")
        let url = server.url()
        await server.stop()
        await #expect(throws: TransportError.connectionRefused(url.absoluteString)) { try await read(url) }
    }

    @Test func `A host that does not exist is reported as not found`() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid/"))
        let error = await #expect(throws: TransportError.self) { try await read(url) }
        guard case .hostNotFound(_, let host, _) = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
        #expect(host == "nowhere.invalid")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "relative", "http:///nohost"])
    func `Only URLs of http and https are requested`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: TransportError.self) { try HTTPRequest(to: url) }
    }

    // MARK: Truncated and invalid responses

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "",
    ])
    func `A truncated response is an error`(text: String) async throws {
        let server = try await server(writing: text)
        let error = await #expect(throws: TransportError.self) { try await read(server.url()) }
        guard case .connectionLost(server.url().absoluteString, _) = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    ])
    func `A response that is not HTTP is an error`(text: String) async throws {
        let server = try await server(writing: text)
        let error = await #expect(throws: TransportError.self) { try await read(server.url()) }
        guard case .invalidResponse(server.url().absoluteString, _) = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
    }

    @Test func `A connection that is reset is an error`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly")
            try await Task.sleep(for: .milliseconds(20))
            try await connection.reset()
        }
        let error = await #expect(throws: TransportError.self) { try await read(server.url()) }
        guard case .connectionLost = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
    }

    @Test func `A server may close the connection right after its response`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.respond(text: "all of it")
            connection.close()
        }
        let request = try HTTPRequest(.post, to: server.url())
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<125 {
                        // The response may be lost on a connection that is just closing. No other error is acceptable.
                        do {
                            let response = try await transport.send(request, body: Data("a question".utf8))
                            #expect(try await response.body.collect(upTo: 100) == Data("all of it".utf8))
                        } catch TransportError.connectionLost {}
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `What arrived before an error is delivered first`() async throws {
        let server = try await server(writing: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        let response = try await transport.send(HTTPRequest(to: server.url()))
        try await Task.sleep(for: .milliseconds(50))
        var bytes = Data()
        await #expect(throws: TransportError.self) { for try await piece in response.body { bytes += piece } }
        #expect(bytes == Data("only this".utf8))
    }

    // MARK: Timeouts

    @Test func `A server that sends nothing runs into the idle timeout`() async throws {
        let server = try await ScriptedServer.start { _, connection in await connection.waitForClose() }
        let expected = TransportError.timedOut(server.url().absoluteString, .idle, .milliseconds(50))
        await #expect(throws: expected) {
            try await read(server.url(), TransportTimeouts(connect: .seconds(30), idle: .milliseconds(50)))
        }
    }

    @Test func `A server that stops in the middle runs into the idle timeout`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly")
            await connection.waitForClose()
        }
        let expected = TransportError.timedOut(server.url().absoluteString, .idle, .milliseconds(50))
        await #expect(throws: expected) {
            try await read(server.url(), TransportTimeouts(idle: .milliseconds(50)))
        }
    }

    @Test func `A response that trickles in runs into the timeout of the whole request`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while true {
                try await connection.write(".")
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let expected = TransportError.timedOut(server.url().absoluteString, .whole, .milliseconds(80))
        await #expect(throws: expected) {
            try await read(server.url(), TransportTimeouts(idle: .seconds(30), whole: .milliseconds(80)))
        }
    }

    /// More than the buffers of both sockets hold.
    private static let upload = Data(count: 32 << 20)
    /// Bytes of it after which no more than both buffers hold can be under way.
    private static let uploadInHand = 20 << 20

    @Test func `An upload that is slow but goes on runs into neither timeout`()
        async throws
    {
        // At most 64 KiB are read at a time: at least 1.5 seconds.
        let server = try await ScriptedServer.start {
            $0 < Self.uploadInHand ? .milliseconds(5) : .zero
        } handler: { request, connection in
            try await connection.respond(text: "\(request.body.count)")
        }
        let timeouts = TransportTimeouts(connect: .seconds(1), idle: .milliseconds(1250))
        let response = try await transport.send(
            HTTPRequest(.post, to: server.url()), body: Self.upload, timeouts: timeouts)
        #expect(try await response.body.collect(upTo: 100) == Data("\(Self.upload.count)".utf8))
    }

    @Test func `An upload that stops runs into the idle timeout`() async throws {
        let server = try await ScriptedServer.start {
            _ in
            .seconds(600)
        } handler: { _, connection in
            try await connection.respond()
        }
        let expected = TransportError.timedOut(server.url().absoluteString, .idle, .milliseconds(300))
        await #expect(throws: expected) {
            _ = try await transport.send(
                HTTPRequest(.post, to: server.url()), body: Self.upload,
                timeouts: TransportTimeouts(connect: .seconds(30), idle: .milliseconds(300)))
        }
    }

    @Test func `A refusal before the end of an upload arrives, and ends the request`() async throws {
        let isRead = Signal()
        let server = try await ScriptedServer.start(pause: nil) { _, connection in
            try await connection.write("HTTP/1.1 413 No\r\nTransfer-Encoding: chunked\r\n\r\n8\r\ntoo long\r\n")
            try await Task.sleep(for: .milliseconds(50))
            try await connection.write("0\r\n\r\n")
            await isRead.wait()
            await connection.waitForClose()
        }
        let response = try await transport.send(HTTPRequest(.post, to: server.url()), body: Self.upload)
        #expect(response.head.status.code == 413)
        #expect(try await response.body.collect(upTo: 100) == Data("too long".utf8))
        await isRead.set()
    }

    @Test func `Requests that wait for others to the same host neither time out nor exceed the limit`() async throws {
        let running = Running()
        let server = try await ScriptedServer.start { _, connection in
            await running.change(1)
            try await Task.sleep(for: .milliseconds(400))
            await running.change(-1)
            try await connection.respond(text: "a")
        }
        let transport = SystemTransport(configuration: .init(connectionsPerHost: 2))
        // Without a body, Apple's connections are noticed by their responses.
        let timeouts = TransportTimeouts(connect: .seconds(1), idle: .seconds(1))
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 {
                group.addTask { try await read(server.url(), timeouts, by: transport) }
            }
            for try await bytes in group { #expect(bytes == Data("a".utf8)) }
        }
        #expect(await running.highest == 2)
    }

    @Test func `A request that waits can be cancelled, and leaves its place to the next one`() async throws {
        let (arrived, released) = (Signal(), Signal())
        let server = try await ScriptedServer.start { _, connection in
            await arrived.set()
            await released.wait()
            try await connection.respond(text: "a")
        }
        let transport = SystemTransport(configuration: .init(connectionsPerHost: 1))
        let first = Task { try await read(server.url(), by: transport) }
        await arrived.wait()
        let cancelled = Task { try await read(server.url(), by: transport) }
        let last = Task { try await read(server.url(), by: transport) }
        try await Task.sleep(for: .milliseconds(20))
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        #expect(server.requests.count == 1)
        await released.set()
        #expect(try await first.value == Data("a".utf8))
        #expect(try await last.value == Data("a".utf8))
    }

    // MARK: TLS

    @Test(.enabled("there is no openssl") { await ServerCertificate.canBeMade() })
    func `Expired, untrusted and wrong-host certificates are refused`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        func outcome(_ host: String, expired: Bool, trusted: Bool) async throws -> String {
            let certificate = try await ServerCertificate.make(host: host, hasExpired: expired, in: folder)
            let server = try await ScriptedServer.start(certificate: certificate) { _, connection in
                try await connection.respond(text: "secret")
            }
            let transport = SystemTransport(
                configuration: .init(verification: trusted ? .roots(certificate.file) : .system))
            do {
                let bytes = try await read(server.url(), by: transport)
                return String(decoding: bytes, as: UTF8.self)
            } catch TransportError.tls(_, let reason) {
                return reason
            }
        }
        #expect(try await outcome("127.0.0.1", expired: false, trusted: true) == "secret")
        let unknown = "the server's certificate is not trusted: it has expired, or its issuer is unknown to this system"
        #expect(try await outcome("127.0.0.1", expired: true, trusted: true) == unknown)
        #expect(try await outcome("127.0.0.1", expired: false, trusted: false) == unknown)
        let otherHost = try await outcome("127.0.0.2", expired: false, trusted: true)
        #expect(otherHost == "the server's certificate is for another host")
    }

    @Test func `A server that does not answer the TLS handshake runs into the connect timeout`() async throws {
        let server = try await server(writing: "")
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        await #expect(throws: TransportError.timedOut(url.absoluteString, .connect, .milliseconds(100))) {
            try await read(url, TransportTimeouts(connect: .milliseconds(100)))
        }
    }

    // MARK: Proxies

    @Test func `Requests go through the configured proxy`() async throws {
        let proxy = try await ScriptedServer.start { request, connection in
            if request.method == "CONNECT" {
                try await connection.write("HTTP/1.1 200 Connected\r\n\r\n")
            } else {
                try await connection.respond(text: "by proxy")
            }
        }
        let rules = ProxyRules(http: Proxy(host: "127.0.0.1", port: proxy.port, user: "me", password: "pass"))
        let transport = SystemTransport(configuration: .init(proxies: rules))
        let url = try #require(URL(string: "http://nowhere.invalid/file"))
        #expect(try await read(url, by: transport) == Data("by proxy".utf8))
        let tunnel = try #require(proxy.requests.first)
        #expect(tunnel.target == "nowhere.invalid:80")
        #expect(tunnel.headers["proxy-authorization"] == "Basic bWU6cGFzcw==")
        #expect(proxy.requests.last?.headers["proxy-authorization"] == nil)
    }

    @Test func `A request does not go without the proxy that it should use`() async throws {
        let server = try await ScriptedServer.start { _, connection in try await connection.respond() }
        let transport = SystemTransport(
            configuration: TransportConfiguration(environment: ["http_proxy": "https://me:secret@proxy.invalid"]))
        let error = await #expect(throws: TransportError.self) { try await read(server.url(), by: transport) }
        #expect(error?.description.contains("the proxy failed: http_proxy must be an http proxy") == true)
        #expect(error?.description.contains("secret") == false && server.requests.isEmpty)
    }

    #if !canImport(Darwin)
    @Test func `A missing file of certificates is named, and matters only for https`() async throws {
        let server = try await ScriptedServer.start { _, connection in try await connection.respond(text: "a") }
        let transport = SystemTransport(
            configuration: TransportConfiguration(environment: ["SSL_CERT_FILE": "/nowhere/roots.pem"]))
        #expect(try await read(server.url(), by: transport) == Data("a".utf8))
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let expected = TransportError.tls(
            url.absoluteString, "the certificates in '/nowhere/roots.pem' cannot be read: check SSL_CERT_FILE")
        await #expect(throws: expected) { try await read(url, by: transport) }
    }
    #endif

    @Test func `A proxy may have an IPv6 address`() async throws {
        let transport = SystemTransport(
            configuration: TransportConfiguration(environment: ["http_proxy": "http://[::1]:1"]))
        let url = try #require(URL(string: "http://nowhere.invalid/file"))
        let error = await #expect(throws: TransportError.self) { try await read(url, by: transport) }
        if case .hostNotFound = error { Issue.record("\(String(describing: error))") }
    }

    #if !canImport(Darwin)
    @Test func `The error for a proxy that cannot be reached names the proxy`() async throws {
        let server = try await server(writing: "")
        await server.stop()
        let url = try #require(URL(string: "http://example.com/file"))
        func error(_ proxy: Proxy) async -> TransportError? {
            let transport = SystemTransport(configuration: .init(proxies: ProxyRules(http: proxy)))
            return await #expect(throws: TransportError.self) { try await read(url, by: transport) }
        }
        let refused = await error(Proxy(host: "127.0.0.1", port: server.port))
        #expect(
            refused == .proxyFailed(url.absoluteString, "127.0.0.1, port \(server.port), refused the connection"))
        let unknown = await error(Proxy(host: "proxy.invalid", port: 3128))
        guard case .hostNotFound(_, "proxy.invalid", let reason)? = unknown else {
            Issue.record("found \(String(describing: unknown))")
            return
        }
        #expect(reason.hasPrefix("the proxy proxy.invalid, port 3128: "))
    }
    #endif

    @Test func `A proxy that requires authentication is an error`() async throws {
        let proxy = try await ScriptedServer.start { _, connection in try await connection.respond(407) }
        let rules = ProxyRules(http: Proxy(host: "127.0.0.1", port: proxy.port))
        let transport = SystemTransport(configuration: .init(proxies: rules))
        let url = try #require(URL(string: "http://nowhere.invalid/file"))
        let expected = TransportError.proxyFailed(url.absoluteString, "it requires a user name and password")
        await #expect(throws: expected) { try await read(url, by: transport) }
    }
}

/// The number of requests that a server is handling.
private actor Running {
    private var count = 0
    private(set) var highest = 0

    func change(_ difference: Int) {
        count += difference
        highest = max(highest, count)
    }
}
