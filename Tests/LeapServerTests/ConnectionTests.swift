#if Server
import Foundation
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Misbehaving clients on raw sockets, while the server must keep serving everyone else.
@Suite("Connections")
struct ConnectionTests {
    private static let question = """
        {"model":"lfm2-chat-q8_0","messages":[{"role":"user","content":"Hi"}],"max_tokens":4,"temperature":0}
        """

    @Test(
        "malformed HTTP and request smuggling are refused, and the connection is closed",
        arguments: [
            "nonsense\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: loc\0alhost\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost : localhost\r\n\r\n",
            "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            "GET /health HTTP/1.1\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ])
    func smuggling(bytes: String) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try client.send(bytes)
            let reply = try await client.reply()
            #expect(reply.status == 400)
            #expect(reply.head.contains("\r\nx-request-id: req_") && reply.head.contains("\r\nconnection: close"))
            #expect(try reply.error("type") == "invalid_request_error")
            #expect(try await server.ask("GET", "/health").status == 200)
        }
    }

    @Test("a body in another transfer coding is refused by name")
    func transferCoding() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try client.send(
                "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
            let reply = try await client.reply()
            #expect(try reply.status == 501 && reply.error("message")?.string?.contains("gzip, chunked") == true)
        }
    }

    @Test(
        "Connection: close is honoured in any case and in a list",
        arguments: ["Close", "close, TE", "TE, close", "TE,\tclose"])
    func closing(header: String) async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try client.send(TestServer.request("GET", "/health", headers: ["Connection: \(header)"]))
            #expect(try await client.read().contains("200"))
            // An idle connection would stay open for longer than that.
            #expect(try await client.isClosed(within: 1))
        }
    }

    @Test("a Unix socket does not replace a regular file, and its own file is removed at the end")
    func socketFiles() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "leap-\(UUID().uuidString)").path
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SocketFile.Failure.self) { try SocketFile(.unix(path: path)) }
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path)
        let file = try SocketFile(.unix(path: path))
        try Data().write(to: URL(fileURLWithPath: path))
        file?.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("headers, paths and bodies have limits")
    func sizes() async throws {
        var limits = ConnectionLimits()
        (limits.body, limits.path) = (1000, 1000)
        try await TestServer.run(limits: limits) { server in
            let header = try await server.ask(
                "GET", "/health", headers: ["X: " + String(repeating: "x", count: 100_000)])
            #expect(header.status == 431)
            #expect(header.head.contains("x-request-id: req_"))
            #expect(try header.error("message")?.string?.contains("65536 bytes in 100 fields") == true)
            let many = try await server.ask("GET", "/health", headers: (0..<200).map { "X-\($0): 1" })
            #expect(many.status == 431)
            for length in [2000, 100_000] {
                let long = try await server.ask("GET", "/api/" + String(repeating: "x", count: length))
                #expect(long.status == 414)
                #expect(long.body.contains("exceed the limit of"))
            }
            #expect(try await server.ask("POST", "/tokenize", String(repeating: "x", count: 2000)).status == 413)
            let chunks = try server.connect()
            try chunks.send("POST /tokenize HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            try chunks.send("400\r\n" + String(repeating: "x", count: 1024) + "\r\n0\r\n\r\n")
            #expect(try await chunks.reply().status == 413)
            #expect(try await server.ask("GET", "/health").status == 200)
        }
    }

    @Test("a request refused before its body is read gets the error format of its API and its request id")
    func earlyRefusalFormats() async throws {
        var limits = ConnectionLimits()
        (limits.body, limits.bodyTime) = (100, .milliseconds(300))
        try await TestServer.run(limits: limits, change: { $0.prefix = "/leap" }) { server in
            let large = String(repeating: "x", count: 200)
            let number = ["X-Request-Id: mine"]
            let anthropic = try await server.ask("POST", "/leap/v1/messages", large, headers: number)
            #expect(anthropic.status == 413 && anthropic.head.contains("\r\nx-request-id: mine"))
            #expect(anthropic.head.contains("\r\nrequest-id: mine"))
            #expect(try anthropic.error("type") == "request_too_large")
            #expect(try anthropic.json["request_id"] == "mine")
            let ollama = try await server.ask("POST", "/api/chat", large, headers: number)
            #expect(ollama.status == 413 && ollama.head.contains("x-request-id: mine"))
            #expect(try ollama.json["error"]?.string?.contains("100 bytes") == true)
            let openAI = try await server.ask("POST", "/v1/completions", large, headers: number)
            #expect(openAI.head.contains("x-request-id: mine"))
            #expect(try openAI.error("type") == "invalid_request_error")
            let slow = try server.connect()
            try slow.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")
            let reply = try await slow.reply()
            #expect(reply.status == 408)
            #expect(try reply.json["type"] == "error")
            let batches = try await server.ask("POST", "/v1/messages/batches", "{}")
            #expect(batches.status == 404)
            #expect(try batches.error("type") == "not_found_error" && batches.json["request_id"] != nil)
        }
    }

    @Test("an HTTP/2 preface is answered with a message that HTTP/2 is not supported")
    func otherVersions() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            #expect(try await client.reply().body.contains("HTTP/2 is not supported"))
        }
    }

    @Test(
        "a request refused by its header is answered before the body, without 100 Continue",
        arguments: ["Expect: 100-continue\r\n", ""])
    func earlyRefusals(expectation: String) async throws {
        var limits = ConnectionLimits()
        limits.linger = .milliseconds(200)
        try await TestServer.run(limits: limits, change: { $0.keys = ["mine"] }) { server in
            for (target, host, status) in [
                ("POST /v1/messages", "localhost", 401), ("POST /nowhere", "localhost", 404),
                ("PUT /tokenize", "localhost", 405), ("POST /tokenize", "elsewhere", 403),
            ] {
                let client = try server.connect()
                try client.send("\(target) HTTP/1.1\r\nHost: \(host)\r\n\(expectation)Content-Length: 1000\r\n\r\n")
                let reply = try await client.reply()
                #expect(reply.status == status, "\(target): \(reply.text)")
                #expect(reply.head.contains("\r\nconnection: close"))
            }
            let anthropic = try server.connect()
            try anthropic.send(
                "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
            #expect(try await anthropic.reply().json["type"] == "error")
        }
    }

    @Test("a client refused while it sends a large body still receives the response")
    func lingering() async throws {
        try await TestServer.run(change: { $0.keys = ["mine"] }) { server in
            let reply = try await server.ask("POST", "/tokenize", String(repeating: "x", count: 20 << 20))
            #expect(reply.status == 401)
            #expect(try reply.error("code") == "invalid_api_key")
        }
    }

    @Test("the total size of bodies being read is limited, and freed once they are read")
    func bodyBudget() async throws {
        var limits = ConnectionLimits()
        limits.bodies = 1000
        try await TestServer.run(limits: limits) { server in
            let slow = try server.connect()
            try slow.send(
                "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 900\r\n\r\n{")
            try slow.send(String(repeating: " ", count: 800))
            // Until the bytes have arrived.
            try await Task.sleep(for: .milliseconds(100))
            let body = "{\"content\":\"Hi\"}" + String(repeating: " ", count: 300)
            let refused = try await server.ask("POST", "/tokenize", body)
            #expect(refused.status == 503)
            #expect(try refused.error("code") == "overloaded")
            try slow.send(String(repeating: " ", count: 98) + "}")
            #expect(try await slow.reply().status == 400)
            #expect(try await server.ask("POST", "/tokenize", body).status == 200)
        }
    }

    @Test("clients above the connection limit wait until another one disconnects")
    func connections() async throws {
        var limits = ConnectionLimits()
        limits.connections = 2
        try await TestServer.run(limits: limits) { server in
            let clients = [try server.connect(), try server.connect()]
            for client in clients {
                try client.send(TestServer.request("GET", "/health"))
                #expect(try await client.read(until: "}").contains("200 OK"))
            }
            let waiting = try server.connect()
            try waiting.send(TestServer.request("GET", "/health"))
            #expect(try await waiting.read(seconds: 0.3) == "")
            clients[0].reset()
            #expect(try await waiting.read(until: "}").contains("200 OK"))
        }
    }

    @Test("clients that send headers or bodies too slowly time out, while others are answered")
    func slowness() async throws {
        var limits = ConnectionLimits()
        (limits.header, limits.bodyTime, limits.idle) = (.milliseconds(300), .milliseconds(300), .milliseconds(600))
        try await TestServer.run(limits: limits) { server in
            let (header, body, idle) = (try server.connect(), try server.connect(), try server.connect())
            try header.send("GET /heal")
            try body.send("POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")
            #expect(try await server.ask("GET", "/health").status == 200)
            let refusal = try await header.reply()
            #expect(refusal.status == 408 && refusal.head.contains("x-request-id: req_"))
            #expect(try refusal.error("type") == "invalid_request_error")
            #expect(try await body.reply().status == 408)
            #expect(try await idle.isClosed(within: 10))
        }
    }

    @Test("pipelined requests are answered in order, including those after a stream")
    func pipelining() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            let stream = Self.question.replacing("\"max_tokens\"", with: "\"stream\":true,\"max_tokens\"")
            try client.send(
                TestServer.request("POST", "/v1/chat/completions", stream) + TestServer.request("GET", "/version")
                    + TestServer.request("GET", "/nothing", headers: ["Connection: close"]))
            let text = try await client.read()
            let marks = ["[DONE]", "\"version\"", "404 Not Found"].map { text.range(of: $0)?.lowerBound }
            #expect(marks.allSatisfy { $0 != nil })
            #expect(marks.compactMap(\.self) == marks.compactMap(\.self).sorted())
        }
    }

    @Test("HTTP/1.0 gets no chunked encoding, HEAD gets no body, and Expect gets 100 Continue")
    func dialects() async throws {
        try await TestServer.run { server in
            let old = try server.connect()
            let stream = Self.question.replacing("\"max_tokens\"", with: "\"stream\":true,\"max_tokens\"")
            try old.send(
                "POST /v1/chat/completions HTTP/1.0\r\nHost: localhost\r\nContent-Length: \(stream.utf8.count)\r\n\r\n\(stream)"
            )
            let reply = try await old.reply()
            #expect(reply.text.hasPrefix("HTTP/1.0 200"))
            #expect(!reply.head.contains("transfer-encoding"))
            #expect(reply.body.hasPrefix("data: "))
            let head = try await server.ask("HEAD", "/health")
            #expect(head.status == 200 && head.body.isEmpty)
            let careful = try server.connect()
            try careful.send(
                "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 15\r\n\r\n"
            )
            #expect(try await careful.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
            try careful.send("{\"content\":\"H\"}")
            #expect(try await careful.reply().status == 200)
        }
    }

    @Test("HTTP/1.0 gets no 100 Continue, which its clients would take for the reply")
    func expectationOfOldClients() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            try client.send(
                "POST /tokenize HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n{\"content\":\"H\"}")
            let reply = try await client.reply()
            #expect(reply.text.hasPrefix("HTTP/1.0 200") && !reply.text.contains(" 100 "), "\(reply.text)")
        }
    }

    @Test("an HTTP/1.0 stream ends by closing the connection, even if the client asks for keep-alive")
    func oldStreams() async throws {
        try await TestServer.run { server in
            let client = try server.connect()
            let stream = Self.question.replacing("\"max_tokens\"", with: "\"stream\":true,\"max_tokens\"")
            try client.send(
                "POST /v1/chat/completions HTTP/1.0\r\nConnection: keep-alive\r\n"
                    + "Content-Length: \(stream.utf8.count)\r\n\r\n\(stream)")
            let text = try await client.read(until: "[DONE]")
            #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(try await client.isClosed(within: 10))
        }
    }

    @Test(
        "a client that disconnects frees its slot, mid-stream or while it waits for a complete answer",
        arguments: [true, false])
    func leaving(streams: Bool) async throws {
        let model = try EndlessModel()
        try await TestServer.run([model.path]) { server in
            let client = try server.connect()
            try client.send(
                TestServer.request("POST", "/v1/chat/completions", EndlessModel.question(streams: streams)))
            if streams { _ = try await client.read(until: "\"content\":\"") }
            try await eventually { server.server.answersInFlight == 1 }
            client.reset()
            try await eventually { server.server.answersInFlight == 0 }
            #expect(try await server.ask("GET", "/health").status == 200)
        }
    }

    @Test("a half-closed client still gets a stream, but counts as gone while waiting for a complete answer")
    func halfClosing() async throws {
        let model = try EndlessModel()
        try await TestServer.run([Fixture(name: TestServer.model).path, model.path]) { server in
            let reader = try server.connect()
            let stream = Self.question.replacing("\"max_tokens\"", with: "\"stream\":true,\"max_tokens\"")
            try reader.send(TestServer.request("POST", "/v1/chat/completions", stream))
            reader.finishSending()
            #expect(try await reader.read(until: "[DONE]").contains("[DONE]"))
            let other = try server.connect()
            let question = EndlessModel.question(streams: false, more: "\"model\":\"endless\",")
            try other.send(TestServer.request("POST", "/v1/chat/completions", question))
            other.finishSending()
            #expect(try await other.read() == "")
            try await eventually { server.server.answersInFlight == 0 }
        }
    }

    @Test("a disconnect is noticed even when another pipelined request is waiting")
    func disconnectWithPipelinedRequest() async throws {
        let model = try EndlessModel()
        try await TestServer.run([model.path]) { server in
            let client = try server.connect()
            let question = EndlessModel.question(streams: false, more: "")
            try client.send(
                TestServer.request("POST", "/v1/chat/completions", question) + TestServer.request("GET", "/health"))
            try await eventually { server.server.answersInFlight == 1 }
            client.finishSending()
            try await eventually { server.server.answersInFlight == 0 }
        }
    }

    @Test("a client that reads nothing is disconnected, and its slot is freed")
    func stalling() async throws {
        var limits = ConnectionLimits()
        limits.stall = .milliseconds(300)
        let model = try EndlessModel()
        try await TestServer.run([model.path], limits: limits) { server in
            let client = try server.connect()
            let question = EndlessModel.question(streams: true, more: "\"logprobs\":true,\"top_logprobs\":20,")
            try client.send(TestServer.request("POST", "/v1/chat/completions", question))
            try await eventually { server.server.answersInFlight == 1 }
            try await eventually { server.server.answersInFlight == 0 }
        }
    }

    @Test("a slow but steady reader gets all of a long reply")
    func slowReading() async throws {
        var limits = ConnectionLimits()
        limits.stall = .milliseconds(400)
        try await TestServer.run([Fixture(name: TestServer.model).path], limits: limits) { server in
            let client = try server.connect(receiveBuffer: 1 << 16)
            let text = String(repeating: "hello world ", count: 200_000)
            let body = "{\"content\":\"\(text)\",\"with_pieces\":true}"
            try client.send(TestServer.request("POST", "/tokenize", body, headers: ["Connection: close"]))
            let reply = try await client.read(seconds: 60, pause: .milliseconds(3))
            #expect(reply.utf8.count > 8 << 20 && reply.hasSuffix("]}"))
        }
    }

    @Test("the idle timeout does not cut off the answer to a pipelined request")
    func pipelinedTime() async throws {
        var limits = ConnectionLimits()
        limits.idle = .milliseconds(200)
        let model = try EndlessModel()
        try await TestServer.run([model.path], limits: limits) { [limits] server in
            let client = try server.connect()
            let question = EndlessModel.question(streams: true, more: "")
            try client.send(
                TestServer.request("GET", "/health") + TestServer.request("POST", "/v1/chat/completions", question))
            let chunk = "chat.completion.chunk"
            #expect(try await client.read(until: chunk).contains(chunk))
            try await Task.sleep(for: limits.idle * 3)
            #expect(server.server.answersInFlight == 1)
            client.reset()
            try await eventually { server.server.answersInFlight == 0 }
        }
    }
}
#endif
