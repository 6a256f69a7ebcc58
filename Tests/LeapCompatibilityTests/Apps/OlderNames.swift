import Foundation
import LeapModelDownloader
import LeapSDKConstrainedGeneration
import Testing
import _LeapTestSupport

// Names from older versions that are available alongside the current ones in the same build.

@Suite struct OlderNames {
    private static let model = URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path)

    @Test("The earliest engine API delivers text and a completion")
    func liquidEngine() async throws {
        let engine = try await LiquidEngine(modelURL: Self.model, model: "LFM-1B", quantization: "F32")
        let conversation = engine.runner.createConversationFromHistory(
            history: [ChatMessage(role: .system, textContent: "Be brief.")])
        let options = GenerationOptionsCompat().with(temperature: 0).with(maxTokens: 8)
        var (text, end): (String, MessageCompletion?) = ("", nil)
        for await response in conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: "Hello"), generationOptions: options)
        {
            switch onEnum(of: response) {
            case .chunk(let chunk): text += chunk.delta
            case .complete(let complete): end = complete.completion
            case .functionCall(let call): Issue.record("unexpected call: \(call.name)(\(call.arguments))")
            case .error(let error): Issue.record("\(error.message)")
            case .reasoningChunk, .audioSample: break
            }
        }
        #expect(!text.isEmpty && text == end?.message.text)
        let messages = [ChatMessage(role: .user, textContent: "Hello")]
        #expect(try await engine.runner.getPromptTokensSize(messages: messages, addBosToken: true) > 0)
        await engine.runner.unload()
    }

    @Test("The earliest engine API delivers an error as its last response")
    func liquidEngineFails() async throws {
        let engine = try await LiquidEngine(modelURL: Self.model)
        let conversation = engine.runner.createConversationFromHistory(history: [])
        let message = ChatMessage(role: .user, textContent: String(repeating: "word ", count: 100_000))
        var responses: [LiquidMessageResponse] = []
        for await response in conversation.generateResponse(message: message) { responses.append(response) }
        guard case .error(let failure)? = responses.last else {
            Issue.record("expected an error, found \(responses)")
            return
        }
        #expect(responses.count == 1 && failure.message.contains("context"))
    }

    @Test("Loading options convert between their types, and a seed makes answers reproducible")
    func loadingOptions() async throws {
        let cache = ModelLoadingOptions.companion.cacheOptions(path: "/tmp/cache", maxEntriesDisk: 7)
        #expect(cache == EngineOptions.CacheOptions(path: "/tmp/cache", enabled: true, maxEntriesDisk: 7))
        #expect(ModelLoadingOptions.LEGACY_CACHE_MAX_ENTRIES_DISK == 40)
        let advised = CpuThreadAdvisor.shared.getRecommendedThreadCount()
        #expect(1...8 ~= advised && ModelLoadingOptions().cpuThreads == advised)
        let options = ModelLoadingOptions(
            randomSeed: 7, cpuThreads: 1, chatTemplate: nil, cacheOptions: nil, contextSize: 256, extras: nil)
        let engine = options.engineOptions(bundlePath: Self.model.path)
        #expect(engine.contextSize == 256 && engine.cpuThreads == 1 && engine.randomSeed == 7)
        #expect(engine.toModelLoadingOptions() == options)
        let texts = try await [Self.answer(engine), Self.answer(engine), Self.answer(engine.with(randomSeed: 8))]
        #expect(texts[0] == texts[1] && texts[0] != texts[2])
    }

    private static func answer(_ options: LiquidInferenceEngineOptions) async throws -> String {
        let runner = try Leap.load(options: options)
        let hot = GenerationOptions(temperature: 2, maxOutputTokens: 24)
        var text = ""
        let conversation = runner.createConversation()
        for try await response in conversation.generateResponse(userTextMessage: "Hello", generationOptions: hot) {
            if case .chunk(let chunk) = response { text += chunk }
        }
        return text
    }

    @Test("A history round-trips through LeapJson")
    func json() throws {
        let history = [
            ChatMessage(role: .user, textContent: "a/b"),
            ChatMessage(role: .assistant, content: [.text("c")], reasoningContent: "d", functionCalls: nil),
        ]
        let text = try LeapJson.encodeToString(history)
        #expect(text.contains("a/b"))
        #expect(try LeapJson.shared.decodeFromString(text, as: [ChatMessage].self) == history)
        #expect(throws: LeapError.self) { try LeapJson.decodeFromString("[3]", as: [ChatMessage].self) }
    }

    @Generatable("A city")
    struct City: Codable, Equatable {
        @Guide("Its name") var name: String
        @Guide("Who lives there") var people: Int
    }

    @Test("JSON objects are decoded into generatable values")
    func values() throws {
        let city: City = try GeneratableFactory.createFromJsonObject(jsonObject: ["name": "Oslo", "people": 700_000])
        #expect(city == City(name: "Oslo", people: 700_000))
        #expect(
            try GeneratableFactory.shared.createFromJsonObject(jsonObject: #"{"name": "Oslo", "people": 1}"#)
                == City(name: "Oslo", people: 1))
        #expect(throws: LeapError.self) { try GeneratableFactory.createFromJsonObject(jsonObject: "[]", as: City.self) }
    }

    @Test("A negative token limit is rejected as invalid input")
    func invalidInput() async throws {
        let runner = try await Leap.load(url: Self.model)
        let options = GenerationOptions(maxOutputTokens: -1)
        do {
            for try await _ in runner.createConversation().generateResponse(
                userTextMessage: "Hello", generationOptions: options)
            {}
            Issue.record("a negative number of tokens was accepted")
        } catch LeapError.invalidInput(let text) {
            #expect(text.contains("maxOutputTokens") && text.contains("-1"))
        }
    }

    @Test("An unparseable call throws an error with its position")
    func syntax() throws {
        let parser = LFMFunctionCallParser()
        parser.append(chunk: "[f(a=\n1, b=])]")
        do {
            _ = try parser.parse()
            Issue.record("the call was read")
        } catch let error as PythonicSyntaxError {
            #expect(error.pos == 11 && !error.reason.isEmpty)
        }
    }

    @Test("PCM samples convert to audio content")
    func recording() {
        let samples = ChatMessageContent.AudioPcmF32(samples: [0, 0.5], sampleRate: 24_000)
        #expect(samples.toAudio() == .fromFloatSamples([0, 0.5], sampleRate: 24_000))
        #expect(samples.toWavBytes().count > 8)
    }

    @Test("A manifest is saved in its model's folder, and a model file is deleted, if it is there")
    func downloader() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "older-names-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: folder.path))
        // A downloaded model's manifest lists its files.
        let json =
            #"{"load_time_parameters": {"model": "https://example.com/a/b/model-Q4.gguf?x=1"}, "#
            + #""files": [{"name": "model-Q4.gguf", "role": "model", "size": 5}]}"#
        let manifest = try Manifest(Data(json.utf8), source: "test")
        let path = try await downloader.saveManifestToDisk(
            manifest: manifest, modelName: "Some-Model", quantizationType: "Q4_0")
        let saved = try Manifest(Data(contentsOf: URL(filePath: path)), source: path)
        #expect(saved.loadTimeParameters.model == "model-Q4.gguf")
        let file = downloader.getPathFromUrl(
            modelUrl: "https://example.com/model-Q4.gguf?x=1", modelName: "Some-Model", quantizationType: "Q4_0")
        #expect(
            URL(filePath: file).deletingLastPathComponent().path == URL(filePath: path).deletingLastPathComponent().path
        )
        #expect(file.hasSuffix("/model-Q4.gguf"))
        try Data("model".utf8).write(to: URL(filePath: file))
        // Deleting a missing file is not an error.
        for _ in 0..<2 {
            try await downloader.deleteModelFile(
                modelUrl: "https://example.com/model-Q4.gguf", modelName: "Some-Model", quantizationType: "Q4_0")
            #expect(!FileManager.default.fileExists(atPath: file) && FileManager.default.fileExists(atPath: path))
        }
        _ = ModelDownloader(notificationConfig: LeapModelDownloaderNotificationConfig())
    }
}
