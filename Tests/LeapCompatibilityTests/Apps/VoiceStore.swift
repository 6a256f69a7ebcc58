import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

// A voice app in the style of the sample apps: a system message that asks for text and audio, microphone samples, audio that is
// played as it arrives, and all of it with the answer, as a WAV file.

@MainActor
final class VoiceStore {
    struct Bubble: Equatable {
        let role: ChatMessageRole
        let text: String
        let audioData: Data?
    }

    private(set) var bubbles: [Bubble] = []
    private(set) var streamingText = ""
    private(set) var status: String?
    private(set) var isGenerating = false
    /// The samples that were played during the generation.
    private(set) var played: [Float] = []
    private(set) var playedRate = 0
    private var runner: ModelRunner?
    private var conversation: Conversation?
    private var task: Task<Void, Never>?

    func setUp(_ url: URL, vocoder: String?, projector: String) async {
        guard runner == nil else { return }
        do {
            let runner = try await Leap.load(
                url: url,
                options: LiquidInferenceEngineOptions(
                    bundlePath: url.path, cpuThreads: 1, contextSize: 1024, nGpuLayers: 0, mmProjPath: projector,
                    audioDecoderPath: vocoder),
                generationTimeParameters: GenerationTimeParameters(
                    samplingParameters: SamplingParameters(audioTemperature: 0)))
            self.runner = runner
            conversation = Conversation(
                modelRunner: runner,
                history: [
                    ChatMessage(role: .system, content: [.text("Respond with interleaved text and audio.")])
                ])
            status = "Ready"
        } catch {
            status = "Failed: \(error.localizedDescription)"
        }
    }

    /// Sends a microphone recording.
    func say(samples: [Float], sampleRate: Int) async {
        let content = ChatMessageContent.fromFloatSamples(samples, sampleRate: sampleRate)
        var audioData: Data?
        if case .audio(let data) = content { audioData = data }
        bubbles.append(Bubble(role: .user, text: "(\(samples.count) samples)", audioData: audioData))
        await stream(ChatMessage(role: .user, content: [content]))
    }

    func unload() async { await runner?.unload() }

    private func stream(_ message: ChatMessage) async {
        guard let conversation else { return }
        task?.cancel()
        (streamingText, played, isGenerating) = ("", [], true)
        let stream = conversation.generateResponse(message: message)
        task = Task { [weak self] in
            do {
                for try await event in stream {
                    if Task.isCancelled { break }
                    await MainActor.run { self?.handle(event) }
                }
            } catch {
                await MainActor.run { self?.status = "Generation failed: \(error.localizedDescription)" }
            }
        }
        await task?.value
        isGenerating = false
    }

    private func handle(_ event: MessageResponse) {
        switch event {
        case .chunk(let text): streamingText.append(text)
        case .reasoningChunk: status = "Thinking"
        case .audioSample(let samples, let sampleRate):
            played += samples
            playedRate = sampleRate
        case .functionCall(let calls): status = "\(calls.count) calls"
        case .complete(let completion):
            let text = completion.message.content.compactMap { content -> String? in
                if case .text(let value) = content { return value }
                return nil
            }.joined()
            bubbles.append(Bubble(role: .assistant, text: text, audioData: completion.message.content.firstAudioData))
            status = completion.finishReason == .stop ? "Complete" : "Cut"
        }
    }
}

extension Array where Element == ChatMessageContent {
    fileprivate var firstAudioData: Data? {
        for content in self {
            if case .audio(let data) = content { return data }
        }
        return nil
    }
}

@MainActor @Suite("A voice app")
struct VoiceStoreTests {
    private static let folder = Fixture.folder.appending(path: "audio")
    private static func path(_ name: String) -> String { folder.appending(path: name).path }
    private static let model = folder.appending(path: "lfm2-audio-chat-q8_0.gguf")
    private static let projector = path("mmproj-lfm2-audio-chat-q8_0.gguf")
    private static let vocoder = path("vocoder-lfm2-audio-chat-q8_0.gguf")

    private func beeps() throws -> WAVFile {
        try WAVFile(data: Data(contentsOf: Self.folder.appending(path: "sounds/two-high.wav")))
    }

    @Test("a recording is answered with text and audio, and the conversation continues")
    func talk() async throws {
        let store = VoiceStore()
        await store.setUp(Self.model, vocoder: Self.vocoder, projector: Self.projector)
        #expect(store.status == "Ready")
        let recording = try beeps()
        await store.say(samples: recording.samples, sampleRate: recording.sampleRate)
        #expect(store.status == "Complete" && !store.isGenerating)
        let answer = try #require(store.bubbles.last)
        #expect(answer.role == .assistant && answer.text == store.streamingText && !answer.text.isEmpty)
        #expect(store.playedRate == 24_000 && !store.played.isEmpty)
        let wav = try WAVFile(data: try #require(answer.audioData))
        #expect(wav.sampleRate == 24_000 && wav.samples.count == store.played.count)
        await store.say(samples: recording.samples, sampleRate: recording.sampleRate)
        #expect(store.bubbles.count == 4 && store.status == "Complete")
        await store.unload()
    }

    @Test("without a vocoder the answer is text only")
    func written() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "model.gguf")
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: Self.model)
        let store = VoiceStore()
        await store.setUp(url, vocoder: nil, projector: Self.projector)
        let recording = try beeps()
        await store.say(samples: recording.samples, sampleRate: recording.sampleRate)
        #expect(store.played.isEmpty && store.bubbles.last?.audioData == nil)
        #expect(store.bubbles.last?.text.isEmpty == false)
        await store.unload()
    }
}
