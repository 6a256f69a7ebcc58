import Foundation
import HTTPTypes
import LeapHTTP
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport

/// Each test runs in its own process, so that files that other tests open are not counted.
@Suite(.timeLimit(.minutes(5)))
struct ResourceTests {
    @Test func `A thousand responses, complete or cut off, leave nothing open`() async {
        await #expect(processExitsWith: .success) {
            let server = try await ScriptedServer.start { request, connection in
                if request.path == "/cut" {
                    try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                    connection.close()
                } else {
                    try await connection.respond(text: "answer")
                }
            }
            let transport = SystemTransport()
            let left = try await OpenResources.left(after: 500) {
                let whole = try await transport.send(
                    HTTPRequest(to: server.url()), body: nil, timeouts: .standard)
                #expect(try await whole.body.collect(upTo: 100) == Data("answer".utf8))
                await #expect(throws: TransportError.self) {
                    let cut = try await transport.send(
                        HTTPRequest(to: server.url("/cut")), body: nil, timeouts: .standard)
                    _ = try await cut.body.collect(upTo: 100)
                }
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }

    @Test func `Hundreds of responses that are not read to the end leave nothing open`() async {
        await #expect(processExitsWith: .success) {
            let server = try await server()
            let transport = SystemTransport()
            let left = try await OpenResources.left(after: 200) {
                _ = try await transport.send(HTTPRequest(to: server.url()), body: nil, timeouts: .standard)
                let response = try await transport.send(
                    HTTPRequest(to: server.url()), body: nil, timeouts: .standard)
                for try await _ in response.body { break }
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }

    @Test func `Hundreds of transports leave nothing open, shut down or not`() async {
        await #expect(processExitsWith: .success) {
            let server = try await server()
            let left = try await OpenResources.left(after: 200) {
                for shutsDown in [false, true] {
                    let transport = SystemTransport()
                    let response = try await transport.send(
                        HTTPRequest(to: server.url()), body: nil, timeouts: .standard)
                    #expect(try await response.body.collect(upTo: size)?.count == size)
                    if shutsDown { await transport.shutdown() }
                }
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }
}

private let size = 1 << 20

/// A server with one large document.
private func server() async throws -> ScriptedServer {
    try await ScriptedServer.start { _, connection in
        try await connection.respond(headers: ["Content-Length": "\(size)"], body: Data(count: size))
    }
}

/// Both ends of the connections that a transport keeps for its next requests.
private let connections = 2 * TransportConfiguration().connectionsPerHost
