import LeapModelDownloader
import Testing

/// The example that routes between a model on the device and one in the cloud, without the cloud.
@MainActor
final class HybridChatViewModel {
    private let onDevice: Conversation
    private(set) var chunks: [String] = []

    init(onDevice: Conversation) {
        self.onDevice = onDevice
    }

    func send(_ text: String) async throws {
        let userMessage = LeapModelDownloader.ChatMessage(role: .user, content: [.text(text)])
        for try await response in onDevice.generateResponse(message: userMessage) {
            if case let .chunk(c) = onEnum(of: response) { appendChunk(c.text) }
        }
    }

    private func appendChunk(_ text: String) { chunks.append(text) }
}

@Suite("The page on the client for OpenAI's API")
struct HybridRoutingTests {
    @Test("the half of the hybrid example that runs on the device")
    @MainActor func onDevice() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation()
        let model = HybridChatViewModel(onDevice: conversation)
        try await model.send("Hello")
        #expect(model.chunks.joined() == conversation.history.last?.text)
    }
}
