import Foundation
import HTTPTypes
import LeapHTTP
import Testing
import _LeapHTTPTestSupport

@Suite(.timeLimit(.minutes(5)))
struct TransportTests {
    let transport = SystemTransport()

    private func send(
        _ server: ScriptedServer, _ path: String = "/", _ timeouts: TransportTimeouts = .standard
    ) async throws -> TransportResponse {
        try await transport.send(HTTPRequest(to: server.url(path)), body: nil, timeouts: timeouts)
    }

    @Test func `A request and its response arrive unchanged`() async throws {
        let server = try await ScriptedServer.start { request, connection in
            try await connection.respond(201, headers: ["X-Twice": "a"], text: "answer")
        }
        var request = try HTTPRequest(.post, to: server.url("/a%20b/c?d=e%2Ff"))
        request.headerFields[.authorization] = "Bearer secret"
        let response = try await transport.send(request, body: Data("question".utf8), timeouts: .standard)
        #expect(response.head.status == .created)
        #expect(response.head.headerFields[HTTPField.Name("X-Twice")!] == "a")
        #expect(try await response.body.collect(upTo: 100) == Data("answer".utf8))
        let got = try #require(server.requests.first)
        #expect(got.method == "POST")
        #expect(got.target == "/a%20b/c?d=e%2Ff")
        #expect(got.headers["authorization"] == "Bearer secret")
        #expect(got.body == Data("question".utf8))
    }

    @Test func `Redirects are returned, not followed`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.respond(302, headers: ["Location": "/elsewhere"])
        }
        let response = try await send(server)
        #expect(response.head.status.code == 302)
        #expect(response.head.headerFields[.location] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func `Compressed bodies are not decompressed, and compression is not requested`() async throws {
        let bytes = Data([0x1F, 0x8B, 8, 0])
        let server = try await ScriptedServer.start { _, connection in
            try await connection.respond(headers: ["Content-Encoding": "gzip"], body: bytes)
        }
        let response = try await send(server)
        #expect(try await response.body.collect(upTo: 100) == bytes)
        #expect(server.requests.first?.headers["accept-encoding"].map { $0 == "identity" } ?? true)
    }

    @Test func `A chunked body arrives piece by piece`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in ["one", "two"] {
                try await connection.write("3\r\n\(piece)\r\n")
                try await Task.sleep(for: .milliseconds(30))
            }
            try await connection.write("0\r\n\r\n")
        }
        var pieces: [String] = []
        for try await piece in try await send(server).body { pieces.append(String(decoding: piece, as: UTF8.self)) }
        #expect(pieces == ["one", "two"])
    }

    @Test func `A body larger than a limit is not collected`() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.respond(text: "12345")
        }
        #expect(try await send(server).body.collect(upTo: 5) == Data("12345".utf8))
        #expect(try await send(server).body.collect(upTo: 4) == nil)
    }

    @Test func `The beginning of a body is what arrives within a time, and no more than a limit`() async throws {
        let (closed, server) = try await endlessServer()
        #expect(try await send(server).body.beginning(upTo: 100, within: .milliseconds(200)) == Data("one".utf8))
        await closed.wait()
        let start = ContinuousClock.now
        #expect(try await send(server).body.beginning(upTo: 2, within: .seconds(60)) == Data("on".utf8))
        #expect(ContinuousClock.now - start < .seconds(30))
        let lost = TransportBody([Data("a".utf8)], failure: TransportError.connectionLost("u", "gone"))
        #expect(try await lost.beginning(upTo: 100, within: .seconds(60)) == Data("a".utf8))
    }

    @Test func `Cancelling the reader of a beginning is no end of the body`() async throws {
        let (closed, server) = try await endlessServer()
        let response = try await send(server)
        let reader = Task { try await response.body.beginning(upTo: 100, within: .seconds(60)) }
        try await Task.sleep(for: .milliseconds(20))
        reader.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reader.value }
        await closed.wait()
    }

    @Test func `The transfer does not run ahead of a reader that pauses`() async throws {
        let size = 64 << 20
        let progress = Progress()
        let server = try await ScriptedServer.start { _, connection in
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = Data(count: 1 << 20)
            for _ in 0..<size >> 20 {
                try await connection.write(piece)
                await progress.add(piece.count)
            }
        }
        let response = try await send(server)
        try await Task.sleep(for: .milliseconds(300))
        // The rest is in the buffers of both sockets.
        #expect(await progress.count < 32 << 20)
        var read = 0
        for try await piece in response.body { read += piece.count }
        #expect(read == size)
    }

    @Test func `Releasing a body closes the connection`() async throws {
        let (closed, server) = try await endlessServer()
        var response: TransportResponse? = try await send(server)
        #expect(response?.head.status == .ok)
        response = nil
        await closed.wait()
    }

    @Test func `Releasing a partly read body closes the connection`() async throws {
        let (closed, server) = try await endlessServer()
        for try await _ in try await send(server).body { break }
        await closed.wait()
    }

    @Test func `Cancelling a reader closes the connection`() async throws {
        let (closed, server) = try await endlessServer()
        let response = try await send(server)
        let reader = Task { for try await _ in response.body {} }
        try await Task.sleep(for: .milliseconds(20))
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await closed.wait()
    }

    @Test func `Cancelling a request that has no response yet closes the connection`() async throws {
        let closed = Signal()
        let arrived = Signal()
        let server = try await ScriptedServer.start { _, connection in
            await arrived.set()
            await connection.waitForClose()
            await closed.set()
        }
        let request = Task { try await send(server) }
        await arrived.wait()
        request.cancel()
        await #expect(throws: CancellationError.self) { _ = try await request.value }
        await closed.wait()
    }

    @Test func `A transport that was shut down refuses requests`() async throws {
        let server = try await ScriptedServer.start { _, connection in try await connection.respond() }
        _ = try await send(server)
        await transport.shutdown()
        await #expect(throws: TransportError.shutDown(server.base + "/")) { try await send(server) }
    }

    private func endlessServer() async throws -> (Signal, ScriptedServer) {
        let closed = Signal()
        let server = try await ScriptedServer.start { _, connection in
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            await connection.waitForClose()
            await closed.set()
        }
        return (closed, server)
    }
}

/// The number of bytes that a server has sent.
private actor Progress {
    private(set) var count = 0
    func add(_ bytes: Int) { count += bytes }
}
