#if Server && Downloads
import Foundation
import LeapJSON
import Synchronization
import Testing
import _LeapHTTPTestSupport
import _LeapTestSupport

@testable import LeapServer

/// Models of other servers, offered together with local ones.
@Suite("Remote models")
struct RemoteTests {
    private static func question(_ model: String = "big", more: String = "") -> String {
        """
        {"model":"\(model)","messages":[{"role":"user","content":"Hi"}],"max_tokens":12,"temperature":1.2,"seed":4,\
        \(more)"logprobs":true}
        """
    }

    /// Runs a test against a server with a local model and a remote one called `big`.
    private static func run(
        url: URL, local: [String] = [Fixture(name: TestServer.model).path],
        remote changeRemote: (inout ServerConfiguration.Remote) -> Void = { _ in },
        change: (inout ServerConfiguration) -> Void = { _ in }, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var remote = ServerConfiguration.Remote(url: url)
        changeRemote(&remote)
        try await TestServer.run(
            local,
            change: { configuration in
                configuration.models.append(.init(id: "big", remote))
                change(&configuration)
            }, body)
    }

    /// Runs a test against a server whose model `big` is served by a second server.
    private static func runBehind(
        local: [String] = [Fixture(name: TestServer.model).path],
        change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (_ front: TestServer, _ back: TestServer) async throws -> Void
    ) async throws {
        var configure = ServerConfiguration()
        change(&configure)
        let front = configure
        try await TestServer.run(change: { $0.keys = ["remote-key"] }) { back in
            let url = try #require(URL(string: "http://127.0.0.1:\(back.port)/v1"))
            try await run(
                url: url, local: local,
                remote: { ($0.key, $0.model) = ("remote-key", TestServer.model) },
                change: { $0.acceptsAnyModel = front.acceptsAnyModel }
            ) { try await body($0, back) }
        }
    }

    @Test("a forwarded answer is the one that clients of the remote server get, complete and streamed")
    func passing() async throws {
        try await Self.runBehind { front, back in
            let key = ["Authorization: Bearer remote-key"]
            let there = try await back.ask(
                "POST", "/v1/chat/completions", Self.question(TestServer.model), headers: key)
            let here = try await front.ask("POST", "/v1/chat/completions", Self.question())
            #expect(here.status == 200)
            #expect(try here.json["choices"] == there.json["choices"])
            #expect(try here.json["choices"]?.array?.first?["logprobs"]?["content"]?.array?.isEmpty == false)
            let stream = try await front.ask("POST", "/v1/chat/completions", Self.question(more: "\"stream\":true,"))
            #expect(stream.status == 200 && stream.head.contains("text/event-stream"))
            #expect(stream.body.contains("data: [DONE]"))
            for (path, body) in [
                ("/v1/completions", #"{"model":"big","prompt":"Once","max_tokens":3}"#),
                ("/completions", #"{"model":"big","prompt":"Once","max_tokens":3,"stream":true}"#),
                ("/v1/responses", #"{"model":"big","input":"Hi","max_output_tokens":3}"#),
            ] {
                let reply = try await front.ask("POST", path, body)
                #expect(reply.status == 200, "\(path): \(reply.body)")
            }
            // No tokens were generated locally.
            #expect(front.server.core.metrics.value(.completionTokens) == 0)
            #expect(front.server.core.metrics.value(.remoteRequests) == 5)
            #expect(front.server.core.metrics.value(.remoteCompletionTokens) > 0)
        }
    }

    @Test("errors in forwarded requests are reported by whichever server finds them, in the API's format")
    func requestErrors() async throws {
        try await Self.runBehind { front, _ in
            let bad = try await front.ask("POST", "/v1/chat/completions", #"{"model":"big","messages":[],"n":1}"#)
            #expect(bad.status == 400)
            #expect(try bad.error("param") == "messages")
            for body in [#"{"model":"big","model":"big"}"#, #"{"model":"#, #"{"model":5,"messages":[]}"#] {
                #expect(try await front.ask("POST", "/v1/chat/completions", body).status == 400)
            }
            for (path, body) in [
                ("/v1/messages", #"{"model":"big","max_tokens":3,"messages":[{"role":"user","content":"Hi"}]}"#),
                ("/api/chat", #"{"model":"big","messages":[{"role":"user","content":"Hi"}]}"#),
                ("/api/show", #"{"model":"big"}"#), ("/tokenize", #"{"model":"big","content":"a"}"#),
            ] {
                let reply = try await front.ask("POST", path, body)
                #expect(reply.status == 501, "\(path)")
                #expect(reply.body.contains("a model of another server"), "\(path)")
            }
        }
    }

    @Test("a remote model is listed, but is never the default for an absent or unknown name")
    func names() async throws {
        try await Self.runBehind(change: { $0.acceptsAnyModel = true }) { front, _ in
            let list = try await front.ask("GET", "/v1/models").json["data"]?.array ?? []
            #expect(list.map { $0["id"]?.string } == [TestServer.model, "big"])
            #expect(list[1]["status"]?["value"] == "ready" && list[1]["owned_by"] == "remote")
            #expect(try await front.ask("GET", "/v1/models/big").status == 200)
            let models = try await front.ask("GET", "/v1/models").text
            let tags = try await front.ask("GET", "/api/tags").text
            #expect(!models.contains("127.0.0.1") && !tags.contains("big"))
            for body in [#"{"messages":[{"role":"user","content":"Hi"}],"max_tokens":2}"#, Self.question("gpt-4")] {
                #expect(try await front.ask("POST", "/v1/chat/completions", body).status == 200)
            }
            #expect(front.server.core.metrics.value(.remoteRequests) == 0)
        }
    }

    @Test("without local models, requests that name no model are forwarded")
    func remoteOnly() async throws {
        try await Self.runBehind(local: []) { front, _ in
            let body = #"{"messages":[{"role":"user","content":"Hi"}],"max_tokens":2}"#
            let reply = try await front.ask("POST", "/v1/chat/completions", body)
            #expect(reply.status == 200)
            #expect(try await front.ask("GET", "/health").status == 200)
        }
    }

    @Test("the local API key is required and not forwarded, and the log has the remote usage")
    func keys() async throws {
        let lines = Mutex<[String]>([])
        let asked = Mutex<[ServerRequest]>([])
        let remote = try await ScriptedServer.start { request, connection in
            asked.withLock { $0.append(request) }
            try await connection.respond(
                headers: ["Content-Type": "application/json", "Set-Cookie": "a=b", "X-Custom": "kept"],
                text: #"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}"#)
        }
        try await Self.run(
            url: remote.url("/v1/"), remote: { $0.key = "secret" },
            change: {
                $0.keys = ["own"]
                $0.accessLog = { line in lines.withLock { $0.append(line) } }
            }
        ) { front in
            #expect(try await front.ask("POST", "/v1/chat/completions", Self.question()).status == 401)
            let early = asked.withLock(\.count)
            #expect(early == 0)
            let reply = try await front.ask(
                "POST", "/v1/chat/completions?key=own", Self.question(more: "\"new_field\":[1.0],"),
                headers: ["Authorization: Bearer own", "Cookie: c=d", "OpenAI-Beta: x", "X-Forwarded-For: 1.2.3.4"])
            #expect(reply.status == 200)
            #expect(reply.head.contains("x-custom: kept") && !reply.head.contains("set-cookie"))
            let first = asked.withLock(\.first)
            let request = try #require(first)
            #expect(request.path == "/v1/chat/completions")
            #expect(request.headers["authorization"] == "Bearer secret")
            #expect(request.headers["openai-beta"] == "x")
            #expect(request.headers["cookie"] == nil && request.headers["x-forwarded-for"] == nil)
            #expect(String(decoding: request.body, as: UTF8.self).contains("\"new_field\":[1.0]"))
        }
        let last = try JSONValue(parsing: lines.withLock(\.last) ?? "")
        #expect(last["model"] == "big" && last["prompt_tokens"] == 9 && last["completion_tokens"] == 2)
        await remote.stop()
    }

    @Test(
        "failures of the remote server get a status and code that blame it",
        arguments: [
            ("HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\nno", 502, "remote_failed"),
            ("HTTP/1.1 503 X\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n", 503, "remote_overloaded"),
            ("HTTP/1.1 504 X\r\nContent-Length: 0\r\n\r\n", 504, "remote_timeout"),
            ("HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 502, "remote_failed"),
            ("HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n", 502, "remote_failed"),
            ("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nshort", 502, "remote_failed"),
            ("nonsense\r\n\r\n", 502, "remote_failed"), ("", 502, "remote_failed"),
        ])
    func faults(response: String, status: Int, code: String) async throws {
        let remote = try await ScriptedServer.start { _, connection in
            try await connection.write(response)
            connection.close()
        }
        try await Self.run(url: remote.url("/v1")) { front in
            let reply = try await front.ask("POST", "/v1/chat/completions", Self.question())
            #expect(reply.status == status)
            #expect(try reply.error("code") == .string(code))
            if status == 503 { #expect(reply.head.contains("retry-after: 9")) }
            #expect(!reply.text.contains("127.0.0.1"))
        }
        #expect(remote.requests.count == 1)
        await remote.stop()
    }

    @Test("refusals of the remote server are passed on unchanged", arguments: [400, 404, 422, 429, 501])
    func refusals(status: Int) async throws {
        let remote = try await ScriptedServer.start { _, connection in
            try await connection.respond(
                status, headers: ["Content-Type": "application/json", "Retry-After": "3"],
                text: #"{"error":{"message":"mine"}}"#)
        }
        try await Self.run(url: remote.url("/v1")) { front in
            for streams in ["", "\"stream\":true,"] {
                let reply = try await front.ask("POST", "/v1/chat/completions", Self.question(more: streams))
                #expect(reply.status == status && reply.body == #"{"error":{"message":"mine"}}"#)
                #expect(reply.head.contains("retry-after: 3"))
            }
        }
        await remote.stop()
    }

    @Test("an unreachable remote model is listed as failed until its failure is forgotten")
    func absence() async throws {
        let remote = try await ScriptedServer.start { _, _ in }
        let url = remote.url("/v1")
        await remote.stop()
        try await Self.run(url: url, remote: { $0.failureMemory = .seconds(5) }) { front in
            for _ in 0..<2 {
                let reply = try await front.ask("POST", "/v1/chat/completions", Self.question())
                #expect(reply.status == 502 && reply.head.contains("retry-after: "))
                #expect(try reply.error("code") == "remote_unreachable")
            }
            #expect(try await front.ask("GET", "/v1/models/big").json["status"]?["value"] == "failed")
            #expect(try await front.ask("POST", "/v1/chat/completions", Self.question(TestServer.model)).status == 200)
            try await eventually {
                try await front.ask("GET", "/v1/models/big").json["status"]?["value"] == "ready"
            }
        }
    }

    @Test("a remote server that sends nothing times out", arguments: [true, false])
    func timeout(streams: Bool) async throws {
        let remote = try await ScriptedServer.start { _, connection in await connection.waitForClose() }
        try await Self.run(url: remote.url("/v1"), remote: { $0.silence = .milliseconds(300) }) { front in
            let reply = try await front.ask(
                "POST", "/v1/chat/completions", Self.question(more: streams ? "\"stream\":true," : ""))
            #expect(reply.status == 504)
            #expect(try reply.error("code") == "remote_timeout")
            #expect(front.server.answersInFlight == 0)
        }
        await remote.stop()
    }

    @Test("a stream is forwarded event by event, and ends with an error if the remote breaks off")
    func breaking() async throws {
        let (isRead, event) = (Signal(), "data: {\"choices\":[]}\n\n")
        let remote = try await ScriptedServer.start { request, connection in
            let isCut = request.body.range(of: Data("\"cut\"".utf8)) != nil
            let part = isCut ? event + "data: {\"cho" : event
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n")
            await isRead.wait()
            connection.close()
        }
        try await Self.run(url: remote.url("/v1")) { front in
            let clients = [try front.connect(), try front.connect()]
            for (client, more) in zip(clients, ["", "\"x\":\"cut\","]) {
                try client.send(
                    TestServer.request(
                        "POST", "/v1/chat/completions", Self.question(more: "\"stream\":true," + more),
                        headers: ["Connection: close"]))
                #expect(try await client.read(until: event).contains(event))
            }
            await isRead.set()
            for client in clients {
                let rest = try await client.read()
                #expect(rest.contains("data: {\"error\":{") && rest.contains("remote_failed"))
                #expect(!rest.contains("[DONE]") && !rest.contains("cho"))
                #expect(rest.hasSuffix("0\r\n\r\n"))
            }
        }
        await remote.stop()
    }

    @Test(
        "when the drain time is over, a forwarded stream ends with an error in the API's format",
        arguments: [
            ("/v1/chat/completions", "data: {\"error\":{"), ("/v1/completions", "data: {\"error\":{"),
            ("/v1/responses", "event: error\ndata: {\"type\":\"error\",\"sequence_number\":5,\"code\":\"draining\""),
        ])
    func draining(path: String, event: String) async throws {
        let remote = try await ScriptedServer.start { _, connection in
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                    + "data: {\"sequence_number\":4}\n\ndata: {\"sequence_")
            await connection.waitForClose()
        }
        try await Self.run(url: remote.url("/v1"), change: { $0.drain = .milliseconds(50) }) { front in
            let client = try front.connect()
            let body = #"{"model":"big","stream":true}"#
            try client.send(TestServer.request("POST", path, body, headers: ["Connection: close"]))
            _ = try await client.read(until: "\"sequence_number\":4}")
            async let end: Void = front.server.shutDown()
            let rest = try await client.read()
            #expect(rest.contains(event) && rest.contains("\"draining\"") && rest.hasSuffix("0\r\n\r\n"), "\(rest)")
            #expect(!rest.contains("data: {\"sequence_"))
            await end
        }
        await remote.stop()
    }

    @Test(
        "a client that disconnects cancels the remote request, before and during the answer",
        arguments: [0, 1, 2]
    )
    func leaving(kind: Int) async throws {
        let isClosed = Atomic<Bool>(false)
        let remote = try await ScriptedServer.start { _, connection in
            if kind == 2 {
                try await connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"choices\":[]}\n\n")
            }
            await connection.waitForClose()
            isClosed.store(true, ordering: .relaxed)
        }
        try await Self.run(url: remote.url("/v1")) { front in
            let client = try front.connect()
            let more = kind == 0 ? "" : "\"stream\":true,"
            try client.send(TestServer.request("POST", "/v1/chat/completions", Self.question(more: more)))
            if kind == 2 { _ = try await client.read(until: "choices") }
            try await eventually { !remote.requests.isEmpty }
            client.finishSending()
            client.reset()
            try await eventually { isClosed.load(ordering: .relaxed) }
            try await eventually { front.server.answersInFlight == 0 }
        }
        await remote.stop()
    }

    @Test("forwarded requests take up slots like local ones")
    func slots() async throws {
        let isEnough = Signal()
        let remote = try await ScriptedServer.start { _, connection in
            await isEnough.wait()
            try await connection.respond(text: "{}")
        }
        try await Self.run(url: remote.url("/v1"), change: { ($0.parallel, $0.queue) = (1, 0) }) { front in
            async let first = front.ask("POST", "/v1/chat/completions", Self.question())
            try await eventually { front.server.answersInFlight == 1 }
            let second = try await front.ask("POST", "/v1/chat/completions", Self.question())
            #expect(second.status == 503)
            #expect(try second.error("code") == "overloaded")
            await isEnough.set()
            #expect(try await first.status == 200)
        }
        await remote.stop()
    }
}
#endif
