import LeapModelDownloader
import LeapOpenAIClient
import Testing
import _LeapHTTPTestSupport

#if canImport(Combine)
import Combine
#else
protocol ObservableObject: AnyObject {}
#endif

/// The example that routes between a model on the device and one in the cloud.
@MainActor
final class HybridChatViewModel: ObservableObject {
    private let onDevice: Conversation
    private let cloud: OpenAiClient

    init(onDevice: Conversation, cloud: OpenAiClient) {
        self.onDevice = onDevice
        self.cloud = cloud
    }

    func send(_ text: String, useCloud: Bool) async throws {
        if useCloud {
            let request = ChatCompletionRequest(
                model: "gpt-4o-mini",
                messages: [ChatMessage.User(content: text)]
            )
            for try await event in cloud.streamChatCompletion(request: request) {
                if case let .delta(d) = onEnum(of: event) { appendChunk(d.content) }
            }
        } else {
            let userMessage = LeapModelDownloader.ChatMessage(role: .user, content: [.text(text)])
            for try await response in onDevice.generateResponse(message: userMessage) {
                if case let .chunk(c) = onEnum(of: response) { appendChunk(c.text) }
            }
        }
    }

    private(set) var chunks: [String] = []

    private func appendChunk(_ text: String) { chunks.append(text) }

    deinit { cloud.close() }
}

@Suite("The page on the client for OpenAI's API: hybrid routing", .timeLimit(.minutes(1)))
struct HybridRoutingTests {
    @Test("the hybrid example, with both modules imported")
    @MainActor func hybrid() async throws {
        let server = try await ScriptedServer.start { _, connection in
            try await connection.respond(headers: ["Content-Type": "text/event-stream"], text: tokyo)
        }
        let cloud = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: server.base))
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation()
        let model = HybridChatViewModel(onDevice: conversation, cloud: cloud)

        try await model.send("Hello", useCloud: false)
        #expect(model.chunks.joined() == conversation.history.last?.text && server.requests.isEmpty)
        let count = model.chunks.count
        try await model.send("What is the capital of Japan?", useCloud: true)
        #expect(model.chunks[count...].joined() == "Tokyo." && server.requests.count == 1)
    }
}
