import Foundation
import LeapHTTP
import LeapJSON
import Testing
import _LeapHTTPTestSupport

@testable import LeapOpenAIClient

@Suite("Client", .timeLimit(.minutes(1)))
struct ClientTests {
    // MARK: Requests

    @Test func `A request is sent with the configured key, headers and path`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let client = server.client(extraHeaders: ["HTTP-Referer": "https://app.example", "X-Title": "App"])
        #expect(try await collect(client.streamChatCompletion(request: request)) == answerEvents)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST" && sent.target == "/v1/chat/completions")
        #expect(sent.headers["authorization"] == "Bearer sk-secret-key")
        #expect(sent.headers["content-type"] == "application/json")
        #expect(sent.headers["accept"] == "text/event-stream")
        #expect(sent.headers["http-referer"] == "https://app.example" && sent.headers["x-title"] == "App")
        #expect(
            String(decoding: sent.body, as: UTF8.self)
                == #"{"model":"m","messages":[{"role":"user","content":"Hello"}],"stream":true}"#)
    }

    @Test(arguments: [
        ("/v1", "/chat/completions", "/v1/chat/completions"), ("/v1/", "/chat/completions", "/v1/chat/completions"),
        ("", "chat", "/chat"), ("/a%20b", "/c?version=1", "/a%20b/c?version=1"), ("/v1?a=1", "/c?b=2", "/v1/c?a=1&b=2"),
        ("/v1/chat", "", "/v1/chat"), ("/v1/", "?a=1", "/v1/?a=1"), ("", "", "/"),
    ])
    func `The base URL and the path are joined`(base: String, path: String, target: String) async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let config = OpenAiClientConfig(apiKey: "x", baseUrl: server.base + base, chatCompletionsPath: path)
        _ = try await collect(OpenAiClient(config: config).streamChatCompletion(request: request))
        #expect(server.requests.map(\.target) == [target])
    }

    @Test func `Without a key there is no Authorization header, and extra headers take precedence`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        _ = try await collect(server.client(apiKey: "").streamChatCompletion(request: request))
        #expect(server.requests.last?.headers["authorization"] == nil)
        let client = server.client(extraHeaders: ["Authorization": "Basic abc"])
        _ = try await collect(client.streamChatCompletion(request: request))
        #expect(server.requests.last?.headers["authorization"] == "Basic abc")
    }

    @Test(arguments: [
        (
            OpenAiClientConfig(apiKey: "x", baseUrl: "ftp://host/?k=1"),
            "baseUrl 'ftp://host/?…' must be an http or https URL, such as https://api.openai.com/v1"
        ),
        (
            OpenAiClientConfig(apiKey: "x", baseUrl: "localhost:8000"),
            "baseUrl 'localhost:8000' must be an http or https URL, such as https://api.openai.com/v1"
        ),
        (
            OpenAiClientConfig(apiKey: "x", baseUrl: "http://me:pass@host"),
            "baseUrl 'http://host' must not contain a password: use an Authorization header"
        ),
        (
            OpenAiClientConfig(apiKey: "sk-1\nX: y"),
            "the API key contains characters that are not allowed in a header, such as line breaks"
        ),
        (
            OpenAiClientConfig(apiKey: "x", extraHeaders: ["a b": "c"]),
            "'a b' in extraHeaders is not a valid header name"
        ),
        (
            OpenAiClientConfig(apiKey: "x", extraHeaders: ["X-A": "b\r\nc"]),
            "the value of 'X-A' in extraHeaders contains characters that are not allowed in a header, "
                + "such as line breaks"
        ),
    ])
    func `An invalid configuration is an error event`(config: OpenAiClientConfig, reason: String)
        async throws
    {
        let events = try await collect(OpenAiClient(config: config).streamChatCompletion(request: request))
        #expect(events == [failed(.invalidConfiguration(reason))])
    }

    // MARK: Responses

    @Test func `Events are delivered as they arrive, not when the answer is complete`() async throws {
        let wasRead = Signal()
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(chunk(#"{"content":"Hel"}"#))
                await wasRead.wait()
                try await connection.send(chunk(#"{"content":"lo"}"#) + "data: [DONE]\n\n")
                try await connection.end()
            }
        ])
        var events: [ChatCompletionEvent] = []
        for try await event in server.client().streamChatCompletion(request: request) {
            events.append(event)
            await wasRead.set()
        }
        #expect(events == [text("Hel"), text("lo"), done(nil)])
    }

    @Test func `An answer that arrives byte by byte is read`() async throws {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin()
                for character in answer {
                    try await connection.send(String(character))
                    await Task.yield()
                }
                try await connection.end()
            }
        ])
        #expect(try await collect(server.client().streamChatCompletion(request: request)) == answerEvents)
    }

    @Test func `A stream can be iterated on an actor, and more than once`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let stream = server.client().streamChatCompletion(request: request)
        let first = try await onMainActor(stream)
        #expect(first == answerEvents)
        #expect(try await collect(stream) == answerEvents)
        #expect(server.requests.count == 2)
    }

    @MainActor private func onMainActor(_ stream: ChatCompletionStream) async throws -> [ChatCompletionEvent] {
        var events: [ChatCompletionEvent] = []
        for try await event in stream { events.append(event) }
        return events
    }

    @Test func `A chat completion collects the whole streamed answer`() async throws {
        let stream =
            chunk(#"{"reasoning":"Hm."}"#) + chunk(#"{"content":"a"}"#) + chunk(#"{"content":"b","refusal":"c"}"#)
            + chunk(#"{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]}"#)
            + #"data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#
            + "\n\n" + chunk("{}", finish: #""tool_calls""#) + "data: [DONE]\n\n"
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: stream) }])
        let completion = try await server.client().chatCompletion(request: request)
        #expect(completion.content == "ab" && completion.reasoning == "Hm." && completion.refusal == "c")
        #expect(completion.usage == Usage(promptTokens: 1, completionTokens: 2, totalTokens: 3))
        #expect(completion.finishReason == "tool_calls" && completion.toolCalls.map(\.name) == ["f"])
        #expect(completion.message.json["tool_calls"]?.array?.count == 1)
    }

    @Test func `A chat completion throws the error that a stream delivers`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(400, text: "No") }])
        let error = await #expect(throws: OpenAiError.self) {
            try await server.client().chatCompletion(request: request)
        }
        #expect(error?.status == 400)
    }

    // MARK: Connections

    @Test func `Proxies and certificates are those of the environment, but this machine is reached directly`() throws {
        let configuration = OpenAiClient.transportConfiguration(environment: [
            "https_proxy": "proxy:3128", "http_proxy": "https://proxy", "no_proxy": "a.example",
            "SSL_CERT_FILE": "/r.pem",
        ])
        let rules = configuration.proxies
        #expect(configuration.verification == .roots(URL(filePath: "/r.pem")))
        #expect(try rules.proxy(scheme: "https", host: "b.example", port: 443) == Proxy(host: "proxy", port: 3128))
        #expect(throws: UnusableProxy.self) { try rules.proxy(scheme: "http", host: "b.example", port: 80) }
        for host in ["a.example", "localhost", "127.0.0.1", "[::1]"] {
            #expect(try rules.proxy(scheme: "http", host: host, port: 8080) == nil)
        }
    }

    @Test func `A connection is reused after a complete answer`() async throws {
        let connections = Connections()
        let server = try await ScriptedServer.start { _, connection in
            await connections.add(connection)
            try await connection.begin(answer)
            try await Task.sleep(for: .milliseconds(20))
            try await connection.end()
        }
        let client = server.client()
        _ = try await collect(client.streamChatCompletion(request: request))
        // A request that is sent before the end of the previous response needs another connection.
        while await connections.count == server.requests.count, server.requests.count < 50 {
            try await Task.sleep(for: .milliseconds(100))
            _ = try await collect(client.streamChatCompletion(request: request))
        }
        #expect(await connections.count < server.requests.count)
    }

    @Test func `A response that stays open after its end marker does not block the stream`() async throws {
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(answer)
                await connection.waitForClose()
            }
        ])
        #expect(try await collect(server.client().streamChatCompletion(request: request)) == answerEvents)
    }

    @Test func `A closed client makes no requests`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let client = server.client()
        client.close()
        client.close()
        #expect(try await collect(client.streamChatCompletion(request: request)) == [failed(.closed)])
        #expect(server.requests.isEmpty)
    }

    @Test func `Closing a client ends its running streams and their connections`() async throws {
        let wasClosed = Signal()
        let server = try await ScriptedServer.answering([
            { connection in
                try await connection.begin(chunk(#"{"content":"a"}"#))
                await connection.waitForClose()
                await wasClosed.set()
            }
        ])
        let client = server.client()
        var events: [ChatCompletionEvent] = []
        for try await event in client.streamChatCompletion(request: request) {
            events.append(event)
            client.close()
        }
        #expect(events == [text("a"), failed(.closed)])
        await wasClosed.wait()
    }

    @Test func `A stream works after its client has gone out of scope`() async throws {
        let server = try await ScriptedServer.answering([{ try await $0.respond(stream: answer) }])
        let stream = server.client().streamChatCompletion(request: request)
        #expect(try await collect(stream) == answerEvents)
    }
}

/// The connections that a server has seen.
private actor Connections {
    private var seen: Set<ObjectIdentifier> = []
    private var kept: [ServerConnection] = []

    var count: Int { seen.count }

    func add(_ connection: ServerConnection) {
        kept.append(connection)
        seen.insert(ObjectIdentifier(connection))
    }
}
