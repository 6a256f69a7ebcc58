import Foundation
import LeapJSON
import LeapSDK
import Testing

/// Aliases from all versions of the API.
@Suite("API aliases")
struct AliasTests {
    private static let message = ChatMessage(role: .assistant, textContent: "Hi")
    private static let completion = MessageCompletion(
        message: message, finishReason: .exceed_context,
        stats: GenerationStats(promptTokens: 1, completionTokens: 2, totalTokens: 3, tokenPerSecond: 4))

    @Test("every response has a payload with the property names of version 0.10")
    func responses() throws {
        let calls = [LeapFunctionCall(name: "f", argumentsJSON: ["n": 1])]
        let responses: [MessageResponse] = [
            .chunk("a"), .reasoningChunk("b"), .functionCall(calls), .audioSample(samples: [0.5], sampleRate: 24_000),
            .complete(Self.completion),
        ]
        var seen: [String] = []
        for response in responses {
            switch onEnum(of: response) {
            case .chunk(let chunk): seen.append(chunk.text)
            case .reasoningChunk(let chunk): seen.append(chunk.reasoning)
            case .functionCalls(let payload): seen.append(payload.functionCalls.map(\.name).joined())
            case .audioSample(let sample): seen.append("\(sample.samples.toFloatArray()) \(sample.sampleRate)")
            case .complete(let complete):
                #expect(complete.fullMessage == Self.message && complete.finishReason == .exceedContext)
                #expect(complete.stats?.totalTokens == 3 && complete.completion == Self.completion)
                seen.append("complete")
            }
        }
        #expect(seen == ["a", "b", "f", "[0.5] 24000", "complete"])
    }

    @Test("every parameter type has a payload with the name of version 0.10")
    func parameterTypes() {
        let types: [LeapFunctionParameterType] = [
            .LeapStr(enumValues: ["a"], description: "A letter."), .LeapNum(), .LeapInt(), .LeapBool(),
            .LeapArr(itemType: .LeapNull()), .LeapObj(properties: [:], required: ["b"]), .LeapNull(),
        ]
        let seen = types.map { type in
            switch onEnum(of: type) {
            case .leapStr(let text): "\(text.enumValues ?? []) \(text.description ?? "")"
            case .leapNum: "number"
            case .leapInt: "integer"
            case .leapBool: "boolean"
            case .leapArr(let list): list.itemType == .LeapNull() ? "nothings" : "list"
            case .leapObj(let object): object.required.joined()
            case .leapNull: "nothing"
            }
        }
        #expect(seen == [#"["a"] A letter."#, "number", "integer", "boolean", "nothings", "b", "nothing"])
    }

    @Test("every content part has a payload")
    func contents() {
        let jpeg = Data([0xFF, 0xD8])
        let parts: [ChatMessageContent] = [
            ChatMessageContent.Text(text: "t"), ChatMessageContent.Image(jpegByteArray: jpeg),
            ChatMessageContent.Image.fromJPEGData(jpeg), ChatMessageContent.Audio(data: Data([1])),
            ChatMessageContent.AudioPcmF32(samples: [0.5], sampleRate: 24_000),
        ]
        var seen: [String] = []
        for part in parts {
            switch onEnum(of: part) {
            case .text(let text): seen.append(text.text)
            case .image(let image): seen.append(image.imageUrl)
            case .audio(let audio): seen.append("\(audio.data.toData().count) \(audio.inputAudio.format)")
            case .audioPcmF32(let samples): seen.append("\(samples.toWavBytes().count)")
            }
        }
        let url = "data:image/jpeg;base64,/9g="
        #expect(seen == ["t", url, url, "1 wav", "48 wav"])
        #expect(ChatMessageContent.Image(imageUrl: url) == .image(jpeg))
        #expect(ChatMessageContentFactory.shared.text(text: "t") == .text("t"))
        let recording = ChatMessageContent.InputAudio(data: "AQ==")
        #expect(ChatMessageContent.Audio(inputAudio: recording) == .audio(data: Data([1]), format: "wav"))
        #expect(
            ChatMessageContent.Audio.fromFloatSamples([0.5], sampleRate: 24_000)
                == ChatMessageContent.AudioPcmF32(samples: [0.5], sampleRate: Int32(24_000)))
    }

    @Test("messages can be created in four ways, and roles have type strings")
    func messages() throws {
        let expected = ChatMessage(role: .user, content: [.text("Hi")])
        #expect(ChatMessage(role: .user, content: .text("Hi")) == expected)
        #expect(ChatMessage(role: .user, textContent: "Hi") == expected)
        #expect(ChatMessage_withArray(role: .user, content: [.text("Hi")]) == expected)
        #expect(
            ChatMessage(role: .user, content: [.text("Hi")], reasoningContent: nil, functionCalls: nil) == expected)
        #expect(ChatMessage.Role.entries.map(\.type) == ["user", "system", "assistant", "tool"])
        #expect(try ChatMessage.Role.companion.fromTypeString(type: "tool") == .tool)
        #expect {
            try ChatMessage.Role.companion.fromTypeString(type: "robot")
        } throws: {
            guard case LeapError.serializationFailure = $0 else { return false }
            return "\($0)".contains("must be one of 'user', 'system', 'assistant', 'tool', found \"robot\"")
        }
    }

    @Test("Kotlin's number and array types map to Swift's")
    func kotlin() {
        #expect(KotlinInt(int: 4) == 4 && KotlinInt(value: 4).intValue == 4 && KotlinInt(int: 4).int32Value == 4)
        #expect(4.intValue == 4 && 4.int32Value == 4)
        #expect(KotlinUInt(unsignedInt: 4) == 4 && KotlinUInt(value: 4).uint32Value == 4)
        #expect(KotlinLong(longLong: 4) == 4 && KotlinLong(value: 4).int64Value == 4)
        #expect(KotlinULong(unsignedLongLong: 4) == 4 && KotlinULong(value: 4).uint64Value == 4)
        #expect(KotlinFloat(float: 0.5) == 0.5 && KotlinFloat(value: 0.5).floatValue == 0.5)
        #expect(KotlinDouble(double: 0.5) == 0.5 && KotlinDouble(value: 0.5).doubleValue == 0.5)
        #expect(KotlinBoolean(bool: true) && KotlinBoolean(value: true).boolValue)
        let floats: KotlinFloatArray = [0.5, -1, .pi]
        let data = ArrayConversionsKt.floatArrayToNSData(array: floats)
        #expect(data.count == 12 && ArrayConversionsKt.nsDataToFloatArray(data: data) == floats)
        #expect(ArrayConversionsKt.nsDataToFloatArray(data: data.dropLast()) == floats.dropLast())
        #expect(ArrayConversionsKt.nsDataToFloatArray(data: Data()).isEmpty)
    }

    @Test("manifest options accept both argument orders and convert to engine options")
    func manifestOptions() {
        let one = LiquidInferenceEngineManifestOptions(
            cacheOptions: .enabled(path: "c"), cpuThreads: 6, contextSize: 8192, nGpuLayers: 0,
            audioDecoderUseGpu: true, chatTemplate: "t", useMmap: false, extras: "{}")
        let other = LiquidInferenceEngineManifestOptions(contextSize: 8192, cpuThreads: 6)
            .with(cacheOptions: .enabled(path: "c")).with(nGpuLayers: UInt32(0)).with(audioDecoderUseGpu: true)
            .with(chatTemplate: "t").with(useMmap: false).with(extras: "{}")
        #expect(one == other)
        let options = LiquidInferenceEngineOptions(
            bundlePath: "m.gguf", cacheOptions: .enabled(path: "c"), cpuThreads: 6, contextSize: 8192,
            nGpuLayers: UInt32(0), chatTemplate: "t", audioDecoderUseGpu: true, useMmap: false, extras: "{}")
        #expect(one.engineOptions(bundlePath: "m.gguf") == options)
        #expect(options.with(nGpuLayers: -1).nGpuLayers == -1)
        #expect(
            options.with(mmProjPath: "p").with(audioDecoderPath: "d").with(audioTokenizerPath: "t")
                == LiquidInferenceEngineOptions(
                    bundlePath: "m.gguf", cacheOptions: .enabled(path: "c"), cpuThreads: 6, contextSize: 8192,
                    nGpuLayers: 0, mmProjPath: "p", audioDecoderPath: "d", chatTemplate: "t", audioTokenizerPath: "t",
                    audioDecoderUseGpu: true, useMmap: false, extras: "{}"))
    }

    @Test("the initialiser of version 0.9 enables the cache, and later ones need the flag")
    func cacheOptions() {
        #expect(LiquidCacheOptions(path: "c", maxEntries: 40).enabled)
        #expect(!LiquidCacheOptions(path: "c").enabled)
        #expect(LiquidCacheOptions(path: "c", enabled: true).maxBytesMemory == 512 << 20)
        let enabled = LiquidCacheOptions.enabled(path: "c")
        #expect(enabled.enabled && enabled.maxEntriesDisk == 40 && enabled.maxEntriesMemory == 256)
        #expect(CacheControl(policy: .nocache) == .noCache && CacheControlPolicy.noCache == .nocache)
    }

    @Test("numbers can be read with the types of version 0.10")
    func numbers() {
        let stats = GenerationStats(
            promptTokens: 1, completionTokens: 2, totalTokens: 3, tokenPerSecond: 4, cachedPromptTokens: 5)
        let prompt: Int64 = stats.promptTokens
        let completion: Int64 = stats.completionTokens
        let total: Int64 = stats.totalTokens
        let cached: Int64 = stats.cachedPromptTokens
        #expect(prompt == 1 && completion == 2 && total == 3 && cached == 5)
        #expect(stats.totalTokens == 3 && stats.promptTokens + stats.completionTokens == stats.totalTokens)
        let rate: Int32 = AudioSamplePayload(samples: [], sampleRate: 24_000).sampleRate
        #expect(rate == 24_000)
    }

    @Test("an error has a message and a cause")
    func errors() {
        struct Cause: Error {}
        let error: LeapException = .generationFailure("no tokens", Cause())
        #expect(error.message == "the generation failed: no tokens" && error.cause is Cause)
        #expect(LeapError.loadModelFailure.cause == nil)
        let busy: any Error = ConversationBusyError()
        #expect(busy.localizedDescription == "\(busy)")
    }
}
