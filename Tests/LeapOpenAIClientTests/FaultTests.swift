import Foundation
import LeapOpenAIClient
import Testing
import _LeapHTTPTestSupport

/// Faults of servers and networks.
@Suite("Faults", .timeLimit(.minutes(1)))
struct FaultTests {
    private func events(
        _ server: ScriptedServer, timeouts: OpenAiTimeouts = .init(), retries: OpenAiRetries = .quick
    ) async throws -> [ChatCompletionEvent] {
        try await collect(server.client(timeouts: timeouts, retries: retries).streamChatCompletion(request: request))
    }

    private func endpoint(_ server: ScriptedServer) -> String { server.baseUrl + "/chat/completions" }

    // MARK: Rejected requests

    static let bodies: [(body: String, message: OpenAiServerMessage)] = [
        (
            #"{"error":{"message":"Wrong key","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
            .init(text: "Wrong key", type: "invalid_request_error", code: "invalid_api_key")
        ),
        (#"{"error":"model not found"}"#, .init(text: "model not found")),
        (#"{"object":"error","message":"Too long","code":400}"#, .init(text: "Too long", code: "400")),
        (#"{"detail":"Not Found"}"#, .init(text: "Not Found")),
        (
            #"{"status":401,"error":"Unauthorized","message":"Token expired","path":"/v1"}"#,
            .init(text: "Unauthorized: Token expired")
        ),
        (#"{"error":"No model","message":"No model 'm'"}"#, .init(text: "No model 'm'")),
        (#"{"error":true,"message":"No model"}"#, .init(text: "No model")),
        (#"{"error":false,"message":"No model"}"#, .init(text: "No model")),
        (#"[{"error":{"code":400,"message":"Wrong role"}}]"#, .init(text: "Wrong role", code: "400")),
        (#"{"error":{}}"#, .init(text: "{}")),
        (#"{"error":{"why":1}}"#, .init(text: #"{"why":1}"#)),
        ("<html>\n<b>Forbidden</b></html>", .init(text: "<html> <b>Forbidden</b></html>")),
        ("", .init(text: "(empty response body)")),
    ]

    @Test(arguments: bodies.indices)
    func `A rejected request reports the server's message and status and is not retried`(index: Int) async throws {
        let (body, message) = Self.bodies[index]
        let server = try await ScriptedServer.answering([{ try await $0.respond(401, text: body) }])
        let refused = OpenAiError.refused(url: endpoint(server), status: 401, message, retryAfter: nil)
        #expect(try await events(server) == [failed(refused)])
        #expect(server.requests.count == 1)
    }

    @Test func `A redirect is not followed`() async throws {
        let other = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let server = try await ScriptedServer.answering([
            { [place = other.baseUrl] in try await $0.respond(307, headers: ["Location": place], text: "") }
        ])
        let events = try await events(server)
        guard case .error(let error)? = events.first else {
            Issue.record("found \(events)")
            return
        }
        #expect(error.cause.status == 307 && error.message.contains("redirects are not followed"))
        #expect(other.requests.isEmpty)
    }

    @Test func `Only the beginning of an endless error response is read`() async throws {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.write("HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n")
                while true { try await connection.send(String(repeating: "x", count: 1 << 16)) }
            }
        ])
        let events = try await events(server)
        guard case .error(let error)? = events.first else {
            Issue.record("found \(events)")
            return
        }
        #expect(error.message.count < 600)
    }

    /// A server that rejects requests with a body that arrives too slowly to wait for its end.
    private func drippingServer(_ hasBegun: Signal = Signal()) async throws -> ScriptedServer {
        try await ScriptedServer.answering([
            { connection in
                try await connection.write("HTTP/1.1 400 No\r\nContent-Length: 4000\r\n\r\nNo")
                await hasBegun.set()
                await connection.waitForClose()
            }
        ])
    }

    @Test func `An error response that does not end is not waited for`() async throws {
        let server = try await drippingServer()
        let refused = OpenAiError.refused(url: endpoint(server), status: 400, .init(text: "No"), retryAfter: nil)
        #expect(try await events(server) == [failed(refused)])
    }

    @Test func `Cancelling while an error response is read throws`() async throws {
        let hasBegun = Signal()
        let server = try await drippingServer(hasBegun)
        let reader = Task { try await events(server) }
        await hasBegun.wait()
        try await Task.sleep(for: .milliseconds(50))
        reader.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reader.value }
    }

    // MARK: Transient failures

    @Test(arguments: [408, 429, 500, 502, 503, 504, 529])
    func `A transient failure is retried`(status: Int) async throws {
        let server = try await ScriptedServer.answering([
            { try await $0.respond(status, text: "Later") }, { try await $0.respond(status, text: "Later") },
            { try await $0.respond(stream: answer) },
        ])
        #expect(try await events(server) == answerEvents)
        #expect(server.requests.count == 3 && Set(server.requests.map(\.body)).count == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 422, 501])
    func `A permanent failure is not retried`(status: Int) async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(status, text: "No") }])
        #expect(try await events(server).count == 1)
        #expect(server.requests.count == 1)
    }

    @Test func `The number of attempts is limited`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(503, text: "Loading model") }])
        let refused = OpenAiError.refused(
            url: endpoint(server), status: 503, .init(text: "Loading model"), retryAfter: nil)
        #expect(try await events(server) == [failed(refused)])
        #expect(server.requests.count == 3)
        #expect(try await events(server, retries: .none) == [failed(refused)])
        #expect(server.requests.count == 4)
    }

    @Test func `An exhausted quota is not retried`() async throws {
        let body = #"{"error":{"message":"Pay first","code":"insufficient_quota"}}"#
        let server = try await ScriptedServer.answering([{ try await $0.respond(429, text: body) }])
        #expect(try await events(server).count == 1)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [["Retry-After": "0.15"], ["retry-after-ms": "150"]])
    func `A short delay requested by the server is respected`(headers: [String: String]) async throws {
        let server = try await ScriptedServer.answering([
            { try await $0.respond(429, headers: headers, text: "Slow down") },
            { try await $0.respond(stream: answer) },
        ])
        let start = ContinuousClock.now
        #expect(try await events(server) == answerEvents)
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test func `A request is not retried if the server asks for a long delay`() async throws {
        let server = try await ScriptedServer.answering([
            { try await $0.respond(429, headers: ["Retry-After": "3600"], text: "Slow down") }
        ])
        let refused = OpenAiError.refused(
            url: endpoint(server), status: 429, .init(text: "Slow down"), retryAfter: .seconds(3600))
        #expect(try await events(server) == [failed(refused)])
        #expect(server.requests.count == 1)
    }

    @Test func `A refused connection is retried a limited number of times`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let client = server.client()
        await server.stop()
        let events = try await collect(client.streamChatCompletion(request: request))
        let reason = "\(endpoint(server)): connection refused: nothing is listening on this port"
        #expect(events == [failed(.unreachable(reason, attempts: 3))])
    }

    @Test func `An unknown host is an error`() async throws {
        let config = OpenAiClientConfig(apiKey: "", baseUrl: "http://nowhere.invalid", retries: .quick)
        let events = try await collect(OpenAiClient(config: config).streamChatCompletion(request: request))
        guard case .error(let error)? = events.first, case .unreachable(let reason, 3) = error.cause else {
            Issue.record("found \(events)")
            return
        }
        #expect(reason.contains("host 'nowhere.invalid' not found"))
    }

    @Test func `A connection that is lost before the first byte of the answer is retried`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100\r\n\r\n"
        let server = try await ScriptedServer.answering([
            { $0.close() },
            { connection in
                try await connection.write(head)
                try await Task.sleep(for: .milliseconds(20))
                try await connection.reset()
            }, { try await $0.respond(stream: answer) },
        ])
        #expect(try await events(server) == answerEvents)
        #expect(server.requests.count == 3)
    }

    @Test func `An empty response is retried`() async throws {
        let server = try await ScriptedServer.answering([
            { try await $0.respond(stream: "") }, { try await $0.respond(stream: answer) },
        ])
        #expect(try await events(server) == answerEvents)
    }

    // MARK: Faults during the answer

    @Test(arguments: [": ping\n\n", chunk(#"{"content":"a"}"#), chunk(#"{"content":"a"}"#) + "data: {\"cho"])
    func `A connection that is reset during the answer is an error and is not retried`(sent: String)
        async throws
    {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(sent)
                try await Task.sleep(for: .milliseconds(20))
                try await connection.reset()
            }
        ])
        let events = try await events(server)
        guard case .error(let error)? = events.last, case .cutOff(endpoint(server), let reason) = error.cause else {
            Issue.record("found \(events)")
            return
        }
        #expect(reason.hasPrefix("the connection was lost"))
        #expect(server.requests.count == 1)
    }

    @Test func `A connection that is reset after the finish reason leaves a complete answer`() async throws {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(chunk(#"{"content":"Hi"}"#, finish: #""stop""#))
                try await Task.sleep(for: .milliseconds(20))
                try await connection.reset()
            }
        ])
        #expect(try await events(server) == answerEvents)
    }

    @Test func `A stalled stream is an error after the idle timeout`() async throws {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(chunk(#"{"content":"a"}"#))
                await connection.waitForClose()
            }
        ])
        let events = try await events(server, timeouts: .init(idle: .seconds(5)))
        #expect(events == [text("a"), failed(.cutOff(url: endpoint(server), "no data received for 5 s"))])
    }

    @Test func `An endless line is an error`() async throws {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(chunk(#"{"content":"a"}"#) + "data: ")
                while true { try await connection.send(String(repeating: "x", count: 1 << 16)) }
            }
        ])
        let limit = "a line of the event stream exceeds the limit of \(8 << 20) bytes"
        #expect(try await events(server) == [text("a"), failed(.tooLarge(url: endpoint(server), limit))])
    }

    // MARK: Cancellation

    @Test(arguments: [false, true])
    func `Breaking out of or cancelling a loop closes the connection at once`(isCancelled: Bool) async throws {
        let wasClosed = Signal()
        let isRead = Signal()
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(chunk(#"{"content":"a"}"#))
                await connection.waitForClose()
                await wasClosed.set()
            }
        ])
        let client = server.client()
        let task = Task {
            for try await _ in client.streamChatCompletion(request: request) {
                await isRead.set()
                if !isCancelled { break }
            }
        }
        await isRead.wait()
        if isCancelled { task.cancel() }
        await wasClosed.wait()
        switch await task.result {
        case .success: #expect(!isCancelled)
        case .failure(let error): #expect(isCancelled && error is CancellationError)
        }
    }

    @Test func `Cancelling a task that waits for the response head closes the connection`() async throws {
        let wasClosed = Signal()
        let hasArrived = Signal()
        let server = try await ScriptedServer.answering([
            { connection in
                await hasArrived.set()
                await connection.waitForClose()
                await wasClosed.set()
            }
        ])
        let client = server.client()
        let task = Task { try await collect(client.streamChatCompletion(request: request)) }
        await hasArrived.wait()
        task.cancel()
        await wasClosed.wait()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `Cancelling a task between attempts ends it at once`() async throws {
        let hasArrived = Signal()
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.respond(503, headers: ["Retry-After": "50"], text: "")
                await hasArrived.set()
            }
        ])
        let client = server.client()
        let task = Task { try await collect(client.streamChatCompletion(request: request)) }
        await hasArrived.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.count == 1)
    }

    @Test func `Closing the client ends the wait between attempts`() async throws {
        let hasArrived = Signal()
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.respond(503, headers: ["Retry-After": "50"], text: "")
                await hasArrived.set()
            }
        ])
        let client = server.client()
        async let events = collect(client.streamChatCompletion(request: request))
        await hasArrived.wait()
        client.close()
        #expect(try await events == [failed(.closed)])
    }
}
