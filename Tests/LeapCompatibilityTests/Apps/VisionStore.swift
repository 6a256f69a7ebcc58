import Foundation
import LeapImages
import LeapSDK
import Testing
import _LeapTestSupport

// A vision app in the style of the sample apps: the image as JPEG first, then the question, no system prompt.

@MainActor
final class VisionStore {
    private(set) var answer = ""
    private(set) var progress: [String] = []
    private(set) var error: String?
    private var runner: (any ModelRunner)?
    private var conversation: (any Conversation)?

    func load(_ url: URL, mmProjPath: String? = nil) async {
        do {
            let options = LiquidInferenceEngineOptions(bundlePath: url.path, contextSize: 512, mmProjPath: mmProjPath)
            let runner = try await Leap.load(url: url, options: options)
            self.runner = runner
            conversation = runner.createConversation()
        } catch {
            self.error = error.localizedDescription
        }
    }

    func ask(_ question: String, about jpeg: Data) async {
        guard let conversation else { return }
        answer = ""
        let message = ChatMessage(role: .user, content: [ChatMessageContent.Image.fromJPEGData(jpeg), .text(question)])
        var options = GenerationOptions()
        options.temperature = 0
        do {
            for try await response in conversation.generateResponse(message: message, generationOptions: options) {
                switch response {
                case .chunk(let text): answer += text
                case .complete: progress.append("complete")
                default: break
                }
            }
        } catch {
            self.error = "\(error)"
        }
    }

    /// The history, for a conversation that continues elsewhere.
    func export() throws -> [[String: Any]] { try conversation?.exportToJSON() ?? [] }

    func unload() async { await runner?.unload() }
}

@MainActor @Suite("A vision app")
struct VisionStoreTests {
    private static let folder = Fixture.folder.appending(path: "vision")
    private static let model = folder.appending(path: "lfm2-vl-chat-q8_0.gguf")
    private static let projector = folder.appending(path: "mmproj-lfm2-vl-chat-q8_0.gguf")

    private nonisolated static let canReadJPEG = ImageDecoder.obstacle(to: .jpeg) == nil

    private func jpeg() throws -> Data {
        try Data(contentsOf: Self.folder.appending(path: "pictures/red-left-blue-right-exif6.jpg"))
    }

    @Test("uses the projector that the options name", .enabled(if: canReadJPEG))
    func named() async throws {
        let store = VisionStore()
        await store.load(Self.model, mmProjPath: Self.projector.path)
        await store.ask("Which colour is on the left?", about: try jpeg())
        #expect(store.error == nil && store.answer == "Red." && store.progress == ["complete"])
        // The image of the first turn stays in the prompt.
        await store.ask("Which colour is on the right?", about: try jpeg())
        #expect(store.error == nil && store.answer.isEmpty == false)
        let turns = try store.export()
        #expect(turns.count == 4)
        await store.unload()
    }

    @Test("finds a projector next to the model", .enabled(if: canReadJPEG))
    func companion() async throws {
        let folder = try TemporaryFolder()
        for file in [Self.model, Self.projector] {
            try FileManager.default.createSymbolicLink(
                at: folder.url.appending(path: file.lastPathComponent), withDestinationURL: file)
        }
        let store = VisionStore()
        await store.load(folder.url.appending(path: Self.model.lastPathComponent))
        await store.ask("Which colour is on the right?", about: try jpeg())
        #expect(store.error == nil && store.answer == "Blue.")
        await store.unload()
    }

    @Test("without a projector, the generation fails and says why")
    func blind() async throws {
        let store = VisionStore()
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "model.gguf")
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: Self.model)
        await store.load(url)
        await store.ask("Which colour is on the left?", about: try jpeg())
        #expect(store.answer == "" && store.error?.contains("no vision projector") == true)
        await store.unload()
    }
}
