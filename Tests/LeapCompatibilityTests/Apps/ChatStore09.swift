import Foundation
import LeapModelDownloader
import LeapSDK
import Testing
import _LeapTestSupport

// A chat app in the style of versions 0.7 to 0.9: streams, switches over the enum, tools, stopping, exporting.

@MainActor
final class ChatStore09 {
    struct Bubble: Identifiable {
        let id = UUID()
        let role: ChatMessageRole
        var text: String
    }

    private(set) var bubbles: [Bubble] = []
    private(set) var reasoning = ""
    private(set) var sums: [String: Double] = [:]
    var temperature: Float = 0.3
    private(set) var isModelLoading = true
    private(set) var errorMessage: String?
    private(set) var lastStats: GenerationStats?
    private var modelRunner: ModelRunner?
    private(set) var conversation: Conversation?
    private var generationTask: Task<Void, Never>?
    private var currentHandler: GenerationHandler?
    private let audioBuffer = FloatAudioBuffer(sampleRate: 24_000)

    func setupModel(url: URL) async {
        guard modelRunner == nil else { return }
        defer { isModelLoading = false }
        do {
            let options = LiquidInferenceEngineOptions(
                bundlePath: url.path, cpuThreads: 1, contextSize: 512, nGpuLayers: 0)
            let modelRunner = try await Leap.load(url: url, options: options)
            self.modelRunner = modelRunner
            let systemMessage = ChatMessage(role: .system, content: [.text("You are a helpful assistant.")])
            let conversation = Conversation(modelRunner: modelRunner, history: [systemMessage])
            conversation.registerFunction(
                LeapFunction(
                    name: "compute_sum",
                    description: "Compute sum of a series of numbers",
                    parameters: [
                        LeapFunctionParameter(
                            name: "values",
                            type: LeapFunctionParameterType.array(
                                ArrayType(itemType: LeapFunctionParameterType.string(StringType()))),
                            description: "Numbers to compute sum. Values should be represented in string."),
                        LeapFunctionParameter(
                            name: "unit", type: .string(StringType(enumValues: ["m", "km"])),
                            description: "The unit", optional: true),
                    ]))
            self.conversation = conversation
        } catch let error as LeapError {
            switch error {
            case .loadModelFailure:
                errorMessage = "load"
            case .modelLoadingFailure(let message, let underlying):
                errorMessage = message + (underlying.map { "\($0)" } ?? "")
            case .generationFailure(let message, _), .serializationFailure(let message, _):
                errorMessage = message
            case .promptExceedContextLengthFailure(let message, _):
                errorMessage = message
            @unknown default:
                errorMessage = error.localizedDescription
            }
        } catch {
            errorMessage = error.localizedDescription
        }
    }

    func send(_ text: String, attaching image: Data? = nil) async {
        guard let conversation, !conversation.isGenerating else { return }
        bubbles.append(Bubble(role: .user, text: text))
        bubbles.append(Bubble(role: .assistant, text: ""))
        var content: [ChatMessageContent] = [.text(text)]
        if let image { content.append(.image(image)) }
        let userMessage = ChatMessage(role: .user, content: content)
        var options = GenerationOptions(temperature: temperature, minP: 0.15, repetitionPenalty: 1.05, rngSeed: 7)
        options.maxOutputTokens = UInt32(24)
        options.functionCallParser = LFMFunctionCallParser()
        let task = Task {
            do {
                for try await response in conversation.generateResponse(
                    message: userMessage, generationOptions: options)
                {
                    handle(response)
                }
            } catch is CancellationError {
                errorMessage = "cancelled"
            } catch {
                errorMessage = "\(error)"
            }
        }
        generationTask = task
        await task.value
        generationTask = nil
    }

    private func handle(_ response: MessageResponse) {
        switch response {
        case .chunk(let delta):
            bubbles[bubbles.count - 1].text += delta
        case .reasoningChunk(let thought):
            reasoning += thought
        case .audioSample(samples: let samples, sampleRate: _):
            audioBuffer.append(samples: samples)
        case .functionCall(let calls):
            for call in calls {
                let values = call.arguments["values"] as? [String] ?? []
                print("\(call.name)(\(values)) \(call.arguments as Any)")
                sums[call.name] = values.compactMap(Double.init).reduce(0, +)
            }
        case .complete(let completion):
            lastStats = completion.stats
            if completion.finishReason == .exceed_context { errorMessage = "context" }
            if let stats = completion.info.stats {
                print(String(format: "%.1f tok/s, %d tokens", stats.tokenPerSecond, Int(stats.totalTokens)))
            }
        }
    }

    /// The runner's own interface, with both callbacks.
    func regenerate(onEnd: @escaping () -> Void) {
        guard let modelRunner, let conversation else { return }
        currentHandler = modelRunner.generateResponse(
            conversation: conversation,
            generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 4, enableThinking: false),
            onResponseCallback: { response in
                if case .complete(_) = response { onEnd() }
            },
            onErrorCallback: { error in
                print(error.localizedDescription)
                onEnd()
            })
    }

    func stop() {
        currentHandler?.stop()
        generationTask?.cancel()
    }

    /// Returns a function's result to the model through a new conversation.
    func answer(tool result: String) async throws -> String {
        guard let conversation else { return "" }
        let toolMessage = ChatMessage(role: .tool, content: [.text(result)])
        let next = conversation.modelRunner.createConversationFromHistory(
            history: conversation.history + [toolMessage])
        var text = ""
        for try await response in next.generateResponse(
            userTextMessage: "Go on.", generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 4))
        {
            guard case let .chunk(delta) = response else { continue }
            text += delta
        }
        self.conversation = next
        return text
    }

    func save() throws -> Data {
        let history: [[String: Any]] = try conversation?.exportToJSON() ?? []
        return try JSONSerialization.data(withJSONObject: history)
    }

    func restore(_ data: Data) throws {
        guard let modelRunner, let json = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] else {
            return
        }
        conversation = Conversation(modelRunner: modelRunner, history: try json.map { try ChatMessage(from: $0) })
    }

    func countTokens() throws -> Int {
        guard let runner = modelRunner as? LiquidInferenceEngineRunner, let conversation else { return 0 }
        return try runner.getPromptTokensSize(messages: conversation.history, addBosToken: true)
    }

    func tearDown() async {
        await modelRunner?.unload()
        modelRunner = nil
    }
}

@Suite("An app in the style of version 0.9")
struct ChatStore09Tests {
    @Test("chats, counts tokens, saves, restores and unloads")
    @MainActor func run() async throws {
        let store = ChatStore09()
        await store.setupModel(url: modelURL)
        #expect(store.errorMessage == nil && !store.isModelLoading)
        await store.send("Hello")
        #expect(store.errorMessage == nil && store.lastStats?.completionTokens ?? 0 > 0)
        #expect(store.bubbles.last?.text.isEmpty == false)
        #expect(try store.countTokens() > 10)
        let saved = try store.save()
        let history = store.conversation?.history
        try store.restore(saved)
        #expect(store.conversation?.history == history)
        _ = try await store.answer(tool: #"{"sum": 5}"#)
        #expect(store.conversation?.history.contains { $0.role == .tool } == true)
        await withCheckedContinuation { continuation in store.regenerate { continuation.resume() } }
        store.stop()
        await store.tearDown()
    }

    @Test("runs the function that the model calls")
    @MainActor func tools() async throws {
        let model = try ScriptedModel("<|tool_call_start|>[compute_sum(values=['2', '3'])]<|tool_call_end|>")
        let store = ChatStore09()
        store.temperature = 0
        await store.setupModel(url: URL(fileURLWithPath: model.path))
        await store.send("2 + 3?")
        #expect(store.errorMessage == nil && store.sums == ["compute_sum": 5])
        #expect(store.conversation?.history.last?.functionCalls?.map(\.name) == ["compute_sum"])
    }

    @Test("a missing file is an error that the app can switch over")
    @MainActor func missing() async {
        let store = ChatStore09()
        await store.setupModel(url: URL(fileURLWithPath: "/nowhere/model.gguf"))
        #expect(store.errorMessage?.contains("/nowhere/model.gguf") == true)
    }
}
