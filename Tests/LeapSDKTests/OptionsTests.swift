import Foundation
import LeapJSON
import LeapSDK
import Testing

@Suite("Options")
struct OptionsTests {
    @Test("generation options keep their values and can be changed in place")
    func generationOptions() {
        let options = GenerationOptions(
            temperature: 0.5, topP: 0.9, topK: 40, minP: 0.1, repetitionPenalty: 1.1, rngSeed: 7, enableThinking: true,
            maxOutputTokens: 100, sequenceLength: 200, maxTokens: 50, inlineThinkingTags: true)
        #expect(options.temperature == 0.5 && options.topP == 0.9 && options.topK == 40 && options.minP == 0.1)
        #expect(options.repetitionPenalty == 1.1 && options.rngSeed == 7 && options.enableThinking == true)
        #expect(options.maxOutputTokens == 100 && options.sequenceLength == 200 && options.maxTokens == 50)
        #expect(options.inlineThinkingTags)
        options.temperature = nil
        options.topK = 3
        #expect(options.temperature == nil && options.values.topK == 3)
    }

    @Test("builders return a changed copy")
    func builders() {
        let options = GenerationOptions()
        let changed = options.with(temperature: 1).with(topP: 0.5).with(topK: 2).with(minP: 0.2)
            .with(repetitionPenalty: 1.2).with(rngSeed: 3).with(enableThinking: false).with(maxTokens: 9)
            .with(inlineThinkingTags: true).with(jsonSchema: "{}").with(injectSchemaIntoPrompt: false)
            .with(maxOutputTokens: 7).with(sequenceLength: 8).with(resetHistory: false).with(cacheControl: .noCache)
            .with(extras: "{}")
        let expected = GenerationOptions(
            temperature: 1, topP: 0.5, topK: 2, minP: 0.2, repetitionPenalty: 1.2, rngSeed: 3, enableThinking: false,
            resetHistory: false, maxOutputTokens: 7, sequenceLength: 8, cacheControl: .noCache,
            jsonSchemaConstraint: "{}", maxTokens: 9, inlineThinkingTags: true, injectSchemaIntoPrompt: false,
            extras: "{}")
        #expect(changed.values == expected.values)
        #expect(options.values == GenerationOptions().values)
    }

    @Test("builders cover the settings that the original SDK does not have")
    func extensions() {
        let options = GenerationOptions().with(frequencyPenalty: 0.1).with(presencePenalty: 0.2)
            .with(dry: DRYSampling(multiplier: 1)).with(xtc: XTCSampling(probability: 0.25)).with(logitBias: [3: -1])
            .with(topLogprobs: 5).with(thinkingBudget: 100).with(stopStrings: ["END"]).with(regexConstraint: "a+")
            .with(grammarConstraint: "root ::= \"a\"").with(typicalP: 0.5).with(topNSigma: 1).with(penaltyWindow: 9)
            .with(mirostat: MirostatSampling(target: 3)).with(templateVariables: ["a": 1])
        #expect(options.typicalP == 0.5 && options.topNSigma == 1 && options.penaltyWindow == 9)
        #expect(options.mirostat == MirostatSampling(version: .v2, target: 3, learningRate: 0.1))
        #expect(options.templateVariables == ["a": 1])
        #expect(options.frequencyPenalty == 0.1 && options.presencePenalty == 0.2)
        #expect(options.dry == DRYSampling(multiplier: 1, base: 1.75, allowedLength: 2))
        #expect(options.xtc == XTCSampling(probability: 0.25, threshold: 0.1))
        #expect(options.logitBias == [3: -1] && options.topLogprobs == 5 && options.thinkingBudget == 100)
        #expect(options.stopStrings == ["END"] && options.regexConstraint == "a+")
        #expect(options.grammarConstraint == "root ::= \"a\"")
    }

    @Test("initialisers accept the argument order and number types of every API version")
    func spellings() {
        let (limit, top, seed) = (UInt32(512), Int32(40), Int64(-1))
        let native = GenerationOptions(
            temperature: 0.5, repetitionPenalty: 1, rngSeed: 7, jsonSchemaConstraint: nil, resetHistory: false,
            sequenceLength: 4096, maxOutputTokens: limit, enableThinking: true, cacheControl: nil)
        #expect(native.maxOutputTokens == 512 && native.sequenceLength == 4096 && !native.resetHistory)
        let kotlin = GenerationOptions(
            minP: 0.1, repetitionPenalty: 1.05, topK: top, rngSeed: 1, injectSchemaIntoPrompt: false, maxTokens: 9,
            inlineThinkingTags: true, enableThinking: true)
        #expect(kotlin.topK == 40 && kotlin.maxTokens == 9 && !kotlin.injectSchemaIntoPrompt)
        #expect(kotlin.with(rngSeed: seed).rngSeed == UInt64.max)
        #expect(GenerationOptions(temperature: 0.5, rngSeed: seed).values.rngSeed == .max)
        let seeded = GenerationOptions(
            temperature: 0.5, topP: 0.9, minP: 0.1, repetitionPenalty: 1.05, topK: top,
            rngSeed: KotlinLong(longLong: 5),
            jsonSchemaConstraint: "{}", functionCallParser: nil, injectSchemaIntoPrompt: false, maxTokens: 9,
            inlineThinkingTags: true, enableThinking: false, extras: "{}")
        let expected = GenerationOptions(
            temperature: 0.5, topP: 0.9, topK: 40, minP: 0.1, repetitionPenalty: 1.05, rngSeed: 5,
            enableThinking: false,
            jsonSchemaConstraint: "{}", functionCallParser: nil, maxTokens: 9, inlineThinkingTags: true,
            injectSchemaIntoPrompt: false, extras: "{}")
        #expect(seeded.values == expected.values)
        let built = GenerationOptions.companion.build { $0.temperature = 0.5 }
        #expect(built.values == GenerationOptions(temperature: 0.5).values)
    }

    @Test("fields can be read and written with the types of older versions")
    func types() {
        let options = GenerationOptions()
        options.maxOutputTokens = UInt32(3)
        options.sequenceLength = UInt32(4)
        options.maxTokens = Int32(5)
        options.topK = Int32(6)
        options.rngSeed = Int64(-1)
        #expect(options.values.maxOutputTokens == 3 && options.values.sequenceLength == 4)
        #expect(options.values.maxTokens == 5 && options.values.topK == 6 && options.values.rngSeed == .max)
        let (limit, length): (UInt32?, UInt32?) = (options.maxOutputTokens, options.sequenceLength)
        let (tokens, top): (Int32?, Int32?) = (options.maxTokens, options.topK)
        let seed: Int64? = options.rngSeed
        #expect(limit == 3 && length == 4 && tokens == 5 && top == 6 && seed == -1)
        let thinks: Bool = options.enableThinking
        #expect(!thinks && options.values.enableThinking == nil)
        options.enableThinking = true
        if options.enableThinking { #expect(options.values.enableThinking == true) }
    }

    @Test("a response format's schema must be valid JSON")
    func responseFormat() throws {
        let options = GenerationOptionsCompat()
        try options.setResponseFormat(jsonSchema: #"{"type": "object"}"#)
        #expect(options.withDefaults().toKmpGenerationOptions().jsonSchemaConstraint == #"{"type": "object"}"#)
        for broken in ["", " ", "{"] {
            #expect {
                try options.setResponseFormat(jsonSchema: broken)
            } throws: {
                "\($0)".hasPrefix("the JSON cannot be used: the schema is not valid JSON: ")
            }
        }
        #expect(options.jsonSchemaConstraint == #"{"type": "object"}"#)
    }

    @Test("loading options have builders too")
    func engineOptions() {
        let options = LiquidInferenceEngineOptions(bundlePath: "m.gguf").with(cpuThreads: 6).with(contextSize: 8192)
            .with(useMmap: false).with(chatTemplate: "t")
        #expect(
            options
                == LiquidInferenceEngineOptions(
                    bundlePath: "m.gguf", cpuThreads: 6, contextSize: 8192, chatTemplate: "t", useMmap: false))
    }

    @Test("loading options accept the argument order and layer-count types of the API's documentation")
    func engineSpellings() {
        let (layers, none) = (UInt32(7), UInt32?.none)
        let options = LiquidInferenceEngineOptions(
            bundlePath: "m.gguf", cacheOptions: nil, cpuThreads: 2, contextSize: 64, nGpuLayers: layers,
            mmProjPath: "p", audioDecoderPath: "d", audioTokenizerPath: "t", audioDecoderUseGpu: true,
            chatTemplate: "c", extras: "{}")
        #expect(
            options
                == LiquidInferenceEngineOptions(
                    bundlePath: "m.gguf", cpuThreads: 2, contextSize: 64, nGpuLayers: 7, mmProjPath: "p",
                    audioDecoderPath: "d", chatTemplate: "c", audioTokenizerPath: "t", audioDecoderUseGpu: true,
                    extras: "{}"))
        var manifest = LiquidInferenceEngineManifestOptions(nGpuLayers: layers)
        #expect(manifest == LiquidInferenceEngineManifestOptions(nGpuLayers: 7))
        #expect(LiquidInferenceEngineManifestOptions(nGpuLayers: none) == LiquidInferenceEngineManifestOptions())
        #expect(LiquidInferenceEngineOptions(bundlePath: "", nGpuLayers: none).nGpuLayers == nil)
        manifest.nGpuLayers = -1
        let (all, some): (UInt32?, UInt32?) = (manifest.nGpuLayers, options.nGpuLayers)
        #expect(all == .max && some == 7)
        manifest.nGpuLayers = layers
        #expect(manifest.nGpuLayers == 7)
    }

    @Test("KV cache types have builders and are passed from manifest options to engine options")
    func cacheTypes() {
        let manifest = LiquidInferenceEngineManifestOptions().with(keyCacheType: .q8_0).with(valueCacheType: .bf16)
        let options = LiquidInferenceEngineOptions(bundlePath: "m.gguf").with(keyCacheType: .q8_0)
        #expect(options.keyCacheType == .q8_0 && options.valueCacheType == nil)
        #expect(manifest.engineOptions(bundlePath: "m.gguf") == options.with(valueCacheType: .bf16))
    }

    @Test("cache options encoded before the byte limit existed can be decoded")
    func olderCacheOptions() throws {
        var options = LiquidCacheOptions(path: "c", enabled: true)
        let older = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        #expect(!older.contains("maxBytesDisk"))
        #expect(try JSONDecoder().decode(LiquidCacheOptions.self, from: Data(older.utf8)) == options)
        options.maxBytesDisk = 1 << 20
        let newer = try JSONEncoder().encode(options)
        #expect(try JSONDecoder().decode(LiquidCacheOptions.self, from: newer).maxBytesDisk == 1 << 20)
    }

    @Test("manifest options pass on whether bus errors are caught")
    func busErrors() {
        var options = LiquidInferenceEngineManifestOptions()
        #expect(options.engineOptions(bundlePath: "m.gguf").catchesBusErrors)
        options.catchesBusErrors = false
        #expect(!options.engineOptions(bundlePath: "m.gguf").catchesBusErrors)
    }

    @Test("manifest options pass on whether control tokens in messages are trusted")
    func controlTokens() {
        var options = LiquidInferenceEngineManifestOptions()
        #expect(!options.engineOptions(bundlePath: "m.gguf").trustsControlTokens)
        options.trustsControlTokens = true
        #expect(options.engineOptions(bundlePath: "m.gguf").trustsControlTokens)
    }

    @Test("generation parameters are decoded from a manifest's JSON")
    func parameters() throws {
        let json = """
            {"sampling_parameters": {"temperature": 0.3, "min_p": 0.15, "repetition_penalty": 1.05, "top_k": 50},
             "number_of_decoding_threads": 4, "audio_temperature": 1.0}
            """
        let parameters = try JSONDecoder().decode(GenerationTimeParameters.self, from: Data(json.utf8))
        #expect(parameters.numberOfDecodingThreads == 4)
        #expect(
            parameters.samplingParameters
                == SamplingParameters(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05, topK: 50))
    }

    @Test("exceedContext has an alias, and a completion derives its ending from the finish reason")
    func finishReasons() {
        #expect(GenerationFinishReason.exceedContext == .exceed_context)
        let message = ChatMessage(role: .assistant, textContent: "")
        #expect(MessageCompletion(message: message, finishReason: .stop, stats: nil).ending == .endOfTurn)
        #expect(
            MessageCompletion(message: message, finishReason: .exceed_context, stats: nil).ending == .contextFull)
    }

    @Test("the version has three parts")
    func version() {
        #expect(LeapSDKVersion.shared.version.split(separator: ".").count == 3)
    }
}
