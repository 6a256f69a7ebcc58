import LeapOpenAIClient
import Testing
import _LeapHTTPTestSupport

/// The Swift snippets of the page on the client for OpenAI's API, against a local server.
@Suite("The page on the client for OpenAI's API: the client", .timeLimit(.minutes(1)))
struct OpenAIClientTests {
    private func server() async throws -> ScriptedServer {
        try await ScriptedServer.start { _, connection in
            try await connection.respond(headers: ["Content-Type": "text/event-stream"], text: tokyo)
        }
    }

    @Test("basic usage")
    func basicUsage() async throws {
        let server = try await server()
        let screen = Screen()
        func print(_ items: Any..., terminator: String = "\n") { screen.show(items.map { "\($0)" }.joined()) }

        let client = OpenAiClient(
            config: OpenAiClientConfig(
                apiKey: "sk-…".replacing("…", with: "1"),
                baseUrl: server.base + "/v1"
            )
        )

        let request = ChatCompletionRequest(
            model: "gpt-4o-mini",
            messages: [
                ChatMessage.System(content: "You are a helpful assistant."),
                ChatMessage.User(content: "What is the capital of Japan?"),
            ],
            temperature: 0.7
        )

        for try await event in client.streamChatCompletion(request: request) {
            switch onEnum(of: event) {
            case .delta(let d):
                print(d.content, terminator: "")
            case .done(let d):
                if let usage = d.usage {
                    print("\nTokens: \(usage.totalTokens)")
                }
            case .error(let e):
                print("\nError: \(e.message)")
            }
        }

        client.close()  // closes the underlying URLSession-backed HttpClient

        #expect(screen.text == "Tokyo.\nTokens: 12")
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/v1/chat/completions" && sent.headers["authorization"] == "Bearer sk-1")
        #expect(
            String(decoding: sent.body, as: UTF8.self)
                == #"{"model":"gpt-4o-mini","messages":[{"role":"system","content":"You are a helpful assistant."},"#
                + #"{"role":"user","content":"What is the capital of Japan?"}],"temperature":0.7,"stream":true}"#)
    }

    @Test("configuration defaults")
    func defaults() {
        let config = OpenAiClientConfig(apiKey: "x")
        #expect(config.baseUrl == "https://api.openai.com/v1" && config.chatCompletionsPath == "/chat/completions")
        #expect(config.extraHeaders.isEmpty)
        let request = ChatCompletionRequest(model: "m", messages: [])
        #expect(request.stream && request.temperature == nil && request.provider == nil)
    }

    @Test("OpenRouter")
    func openRouter() {
        let client = OpenAiClient(
            config: OpenAiClientConfig(
                apiKey: "sk-or-…",
                baseUrl: "https://openrouter.ai/api/v1",
                extraHeaders: [
                    "HTTP-Referer": "https://yourapp.example.com",
                    "X-Title": "Your App",
                ]
            )
        )
        #expect(client.config.extraHeaders["X-Title"] == "Your App")
    }

    @Test("self-hosted vLLM and llama-server")
    func selfHosted() {
        let client = OpenAiClient(
            config: OpenAiClientConfig(
                apiKey: "anything",  // Required by config but typically unused
                baseUrl: "http://10.0.0.42:8000/v1"
            )
        )
        #expect(client.config.baseUrl == "http://10.0.0.42:8000/v1")
    }

    @Test("the names of versions up to 0.10.7")
    func olderNames() async throws {
        let server = try await server()
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: server.base))
        let messages: [ChatMessage] = [
            ChatMessageSystem(content: "a"), ChatMessageUser(content: "b"), ChatMessageAssistant(content: "c"),
        ]
        var deltas: [ChatCompletionEventDelta] = []
        for try await event in client.streamChatCompletion(request: .init(model: "m", messages: messages)) {
            if case .delta(let delta) = event { deltas.append(delta) }
        }
        #expect(deltas.map(\.content) == ["Tokyo", "."])
        #expect(messages[0] is ChatMessage.System && messages[2] is ChatMessage.Assistant)
    }
}

/// The server's answer.
let tokyo = """
    data: {"choices":[{"delta":{"content":"Tokyo"}}]}

    data: {"choices":[{"delta":{"content":"."},"finish_reason":"stop"}]}

    data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}}

    data: [DONE]


    """
