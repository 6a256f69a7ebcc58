import Foundation
import LeapModelDownloader
import Testing
import _LeapTestSupport

// A chat app in the style of version 0.10: onEnum, builders, Kotlin's argument labels, one import.

@MainActor
final class ChatStore010 {
    private(set) var text = ""
    private(set) var reasoning = ""
    private(set) var calls: [LeapFunctionCall] = []
    private(set) var summary = ""
    var temperature: Float = 0.1
    private var runner: (any ModelRunner)?
    private(set) var conversation: (any Conversation)?

    func load(url: URL) async throws {
        let runner = try await Leap.shared.load(
            url: url,
            options: LiquidInferenceEngineOptions(
                bundlePath: url.path, cacheOptions: nil, cpuThreads: KotlinUInt(unsignedInt: 1), contextSize: 512,
                nGpuLayers: nil, mmProjPath: nil, audioDecoderPath: nil, chatTemplate: nil, audioTokenizerPath: nil,
                audioDecoderUseGpu: false, useMmap: nil, extras: nil),
            generationTimeParameters: GenerationTimeParameters(
                samplingParameters: SamplingParameters(
                    temperature: 0.3, topP: nil, minP: 0.15, repetitionPenalty: 1.05, topK: nil),
                numberOfDecodingThreads: nil),
            autoDetectCompanionFiles: false)
        self.runner = runner
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        conversation.registerFunction(
            function: LeapFunction(
                name: "get_weather",
                functionDescription: "Query the weather of a city",
                parameters: [
                    LeapFunctionParameter(
                        name: "city",
                        type: LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil),
                        parameterDescription: "The city to query weather for",
                        optional: false),
                    LeapFunctionParameter(
                        name: "days",
                        type: LeapFunctionParameterType.LeapInt(enumValues: [KotlinInt(int: 1), 7], description: nil),
                        parameterDescription: "How many days",
                        optional: true),
                ]))
        self.conversation = conversation
    }

    func send(_ text: String) async throws {
        guard let conversation else { return }
        let message = ChatMessage_withArray(role: .user, content: [ChatMessageContent.Text(text: text)])
        let options = GenerationOptions()
            .with(temperature: temperature)
            .with(topK: 50)
            .with(rngSeed: 42)
            .with(maxTokens: KotlinInt(int: 48))
        for try await response in conversation.generateResponse(message: message, generationOptions: options) {
            switch onEnum(of: response) {
            case .chunk(let chunk):
                self.text += chunk.text
            case .reasoningChunk(let chunk):
                reasoning += chunk.reasoning
            case .functionCalls(let payload):
                calls += payload.functionCalls
            case .audioSample(let sample):
                play(sample.samples.toFloatArray(), rate: sample.sampleRate)
            case .complete(let completion):
                summary = describe(completion)
            }
        }
    }

    private func describe(_ completion: MessageResponseComplete) -> String {
        let parts = completion.fullMessage.content.map { part -> String in
            switch onEnum(of: part) {
            case .text(let text): return text.text
            case .image(let image): return image.imageUrl
            case .audio(let audio): return "\(audio.data.toData().count) bytes"
            case .audioPcmF32(let pcm): return "\(pcm.samples.count) samples"
            }
        }
        let reason = completion.finishReason == .exceedContext ? "context" : "stop"
        let speed: Float = completion.stats?.tokenPerSecond ?? 0
        let tokens: Int64 = completion.stats?.totalTokens ?? 0
        return "\(completion.fullMessage.role.type) \(parts.joined()) \(reason) \(speed > 0) \(tokens > 0)"
    }

    private func play(_ samples: [Float], rate: Int32) {
        let wav = ChatMessageContent.AudioPcmF32(samples: samples, sampleRate: rate)
        _ = ChatMessage(role: .assistant, content: wav)
    }

    /// Returns a function's result to the model through a new conversation.
    func answer(_ call: LeapFunctionCall?) async throws {
        guard let conversation else { return }
        let arguments: [String: Any] = call?.arguments ?? [:]
        let toolMessage = ChatMessage(role: .tool, textContent: "\(arguments.count)")
        let updatedHistory = conversation.history + [toolMessage]
        self.conversation = conversation.modelRunner.createConversationFromHistory(history: updatedHistory)
    }

    func export() -> String {
        guard let conversation else { return "" }
        let json: String = conversation.exportToJSON()
        return json
    }

    func countTokens() async throws -> Int {
        guard let runner, let conversation else { return 0 }
        return Int(try await runner.getPromptTokensSize(messages: conversation.history, addBosToken: true).intValue)
    }

    func edit() {
        conversation?.appendToHistory(message: ChatMessage(role: .user, textContent: "Never mind."))
        conversation?.removeLastMessage()
    }

    func unload() async throws {
        try await runner?.unload()
    }
}

/// A structured answer, requested as in a sample app.
@MainActor
func generateSlogan(of business: String, with runner: any ModelRunner) async throws -> String {
    let conversation = runner.createConversation(systemPrompt: nil)
    let options = GenerationOptions.companion.build { options in
        options.temperature = 0.7
        options.minP = 0.15
        options.rngSeed = 7
        options.jsonSchemaConstraint = #"{"type": "object", "properties": {"ok": {"type": "boolean"}}}"#
        options.injectSchemaIntoPrompt = false
        options.maxTokens = 64
    }
    var slogan = ""
    let flow: SkieSwiftFlow<MessageResponse> = conversation.generateResponse(
        message: ChatMessage(role: .user, textContent: business), generationOptions: options)
    for try await response in flow {
        if case .chunk(let chunk) = onEnum(of: response) { slogan += chunk.text }
    }
    return slogan
}

@Suite("An app in the style of version 0.10")
struct ChatStore010Tests {
    @Test("chats, counts tokens, exports and unloads")
    @MainActor func run() async throws {
        let store = ChatStore010()
        try await store.load(url: modelURL)
        try await store.send("Hello")
        #expect(store.summary == "assistant \(store.text) stop true true")
        #expect(try await store.countTokens() > 10)
        #expect(store.export().hasPrefix(#"[{"role":"system","content":[{"type":"text""#))
        store.edit()
        try await store.answer(store.calls.first)
        #expect(store.conversation?.history.last?.role == .tool)
        try await store.unload()
    }

    @Test("handles function calls")
    @MainActor func tools() async throws {
        let model = try ScriptedModel(
            "<think>Cologne, then.</think><|tool_call_start|>[get_weather(city=\"Köln\", days=7)]<|tool_call_end|>")
        let store = ChatStore010()
        store.temperature = 0
        try await store.load(url: URL(fileURLWithPath: model.path))
        try await store.send("Weather?")
        #expect(store.reasoning == "Cologne, then.")
        #expect(store.calls.first?.arguments["city"] as? String == "Köln")
        #expect(store.calls.first?.arguments["days"] as? Int == 7)
        try await store.answer(store.calls.first)
        #expect(store.conversation?.history.last?.text == "2")
    }

    @Test("options can be built in a closure")
    @MainActor func slogan() async throws {
        let runner = try await LiquidInferenceEngineRunner.companion.create(url: modelURL)
        #expect(try await generateSlogan(of: "Coffee", with: runner).hasPrefix("{"))
    }
}
