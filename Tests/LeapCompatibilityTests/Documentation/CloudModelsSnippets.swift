import LeapHybrid
import LeapOpenAIClient
import LeapSDK
import Testing
import _LeapHTTPTestSupport

@Suite("CloudModels.md", .timeLimit(.minutes(1)))
struct CloudModelsSnippets {
    private let screen = Screen()

    private func print(_ text: String, terminator: String = "\n") { screen.show(text + terminator) }

    /// Only compiled: nothing listens at this address.
    private func client() async throws {
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: "http://127.0.0.1:8080/v1"))
        let request = ChatCompletionRequest(model: "lfm2", messages: [ChatMessage.User(content: "Why blue?")])
        for try await event in client.streamChatCompletion(request: request) {
            switch event {
            case .delta(let delta): print(delta.content, terminator: "")
            case .done(let end): print("\n\(end.usage?.totalTokens ?? 0) tokens")
            case .error(let error): print("\n\(error.message)")
            }
        }
    }

    @Test("a hybrid conversation")
    func hybrid() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.respond(headers: ["Content-Type": "text/event-stream"], text: tokyo)
        }
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: server.base))
        let runner = try await Leap.load(url: modelURL, contextSize: 512)
        let conversation = HybridConversation(
            modelRunner: runner, remote: RemoteModel(client: client, model: "gpt-4o-mini"),
            policy: .first(of: [.capabilities, .failures(for: .seconds(30)), .longPrompts(over: 2000, to: .remote)])
                .firstToken(within: .seconds(10)))
        for try await response in conversation.generateResponse(userTextMessage: "Why is the sky blue?") {
            switch response {
            case .route(let route): print("(\(route.side.rawValue): \(route.reason))")
            case .chunk(let text): print(text, terminator: "")
            default: break
            }
        }
        let answer = try #require(conversation.history.last?.text)
        #expect(screen.text.hasPrefix("(local: the local model is the default)\n"))
        #expect(screen.text.hasSuffix(answer))
    }

    @Test("a custom routing policy")
    func policy() async throws {
        let policy = RoutingPolicy { request in
            request.messages.count > 20 ? RoutingDecision(.remote, reason: "a long talk") : nil
        }
        let runner = try await Leap.load(url: modelURL, contextSize: 512)
        let message = LeapSDK.ChatMessage(role: .user, textContent: "Hello")
        func decision(_ count: Int) async -> RoutingDecision? {
            let messages = Array(repeating: message, count: count)
            return await policy.decision(
                for: RoutingRequest(
                    messages: messages, functions: [], options: .init(), capabilities: [:], failures: [:],
                    modelRunner: runner))
        }
        #expect(await decision(20) == nil)
        #expect(await decision(21)?.side == .remote)
    }
}
