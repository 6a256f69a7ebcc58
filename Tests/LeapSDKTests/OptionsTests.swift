import Foundation
import LeapSDK
import Testing

@Suite("Options")
struct OptionsTests {
    @Test("generation options are what they were given, and change in place")
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

    @Test("builders give a copy")
    func builders() {
        let options = GenerationOptions()
        let changed = options.with(temperature: 1).with(topP: 0.5).with(topK: 2).with(minP: 0.2)
            .with(repetitionPenalty: 1.2).with(rngSeed: 3).with(enableThinking: false).with(maxTokens: 9)
            .with(inlineThinkingTags: true)
        let expected = GenerationOptions(
            temperature: 1, topP: 0.5, topK: 2, minP: 0.2, repetitionPenalty: 1.2, rngSeed: 3, enableThinking: false,
            maxTokens: 9, inlineThinkingTags: true)
        #expect(changed.values == expected.values)
        #expect(options.values == GenerationOptions().values)
    }

    @Test("options for loading have the same builders")
    func engineOptions() {
        let options = LiquidInferenceEngineOptions(bundlePath: "m.gguf").with(cpuThreads: 6).with(contextSize: 8192)
            .with(useMmap: false).with(chatTemplate: "t")
        #expect(
            options
                == LiquidInferenceEngineOptions(
                    bundlePath: "m.gguf", cpuThreads: 6, contextSize: 8192, chatTemplate: "t", useMmap: false))
    }

    @Test("parameters are read from a manifest's JSON")
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

    @Test("a finish reason has one spelling more, and a completion tells the exact ending")
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
