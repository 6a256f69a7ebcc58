import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

/// Speech in the API: samples are streamed, the answer holds all of them, and the next turn's prompt includes them.
@Suite("Speech")
struct SpeechTests {
    private static func path(_ name: String) -> String {
        Fixture.folder.appending(path: "audio/\(name).gguf").path
    }

    private func load(tokenizer: String? = path("tokenizer-speech")) async throws -> any ModelRunner {
        let model = Self.path("lfm2-audio-chat-q8_0")
        let options = LiquidInferenceEngineOptions(
            bundlePath: model, cpuThreads: 1, audioDecoderPath: Self.path("vocoder-speech"),
            audioTokenizerPath: tokenizer)
        let parameters = GenerationTimeParameters(
            samplingParameters: SamplingParameters(audioTemperature: 0, audioTopK: 4))
        return try await Leap.load(
            url: URL(fileURLWithPath: model), options: options, generationTimeParameters: parameters)
    }

    /// The model was not trained to speak, so a logit bias makes it begin.
    private static let begins = GenerationOptions(maxTokens: 12).with(logitBias: [387: 1000])

    @Test("samples are streamed, and the answer holds all of them", arguments: [true, false])
    func samples(namesTokenizer: Bool) async throws {
        let runner = try await load(tokenizer: namesTokenizer ? Self.path("tokenizer-speech") : nil)
        let conversation = runner.createConversation(systemPrompt: "Perform TTS. Use the US male voice.")
        let message = ChatMessage(role: .user, textContent: "Hello")
        var samples: [Float] = []
        for response in try await collect(
            conversation.generateResponse(message: message, generationOptions: Self.begins))
        {
            guard case .audioSample(let more, let rate) = response else { continue }
            #expect(rate == 24_000 && !more.isEmpty)
            samples += more
        }
        #expect(samples.count == 11 * 1920)
        let answer = try #require(conversation.history.last)
        let sounds = answer.content.compactMap { if case .audio(let data) = $0 { data } else { nil } }
        let wav = try WAVFile(data: try #require(sounds.first))
        #expect(sounds.count == 1 && wav.sampleRate == 24_000 && wav.samples.count == samples.count)
        #expect(zip(wav.samples, samples).allSatisfy { abs($0 - max(-1, min(1, $1))) <= 1 / 32_768.0 + 1e-6 })

        // The next prompt holds the answer's twelve audio steps, and without the audio only its text.
        let again = ChatMessage(role: .user, textContent: "Again")
        let counter = try #require(runner as? LiquidInferenceEngineRunner)
        let counts = try [conversation.history, conversation.history.map(\.withoutSound)].map {
            try counter.getPromptTokensSize(messages: $0 + [again], addBosToken: true)
        }
        #expect(counts[0] == counts[1] + 12)
        _ = try await collect(conversation.generateResponse(message: again, generationOptions: Self.begins))
        #expect(conversation.history.count == 5)
    }
}

extension ChatMessage {
    fileprivate var withoutSound: ChatMessage {
        var message = self
        message.content = content.filter { if case .audio = $0 { false } else { true } }
        return message
    }
}
