import Foundation
import LeapEngine
import LeapGeneration
import LeapSDK
import Testing
import _LeapTestSupport

@Suite("Loading")
struct LoadingTests {
    @Test(
        "a file that is not a model is rejected with its path and the reason",
        arguments: [
            ("/nowhere/model.gguf", "/nowhere/model.gguf"), ("/tmp", "/tmp"), ("/dev/null", "/dev/null"),
            ("/nowhere/model.bundle", "is an ExecuTorch bundle: only GGUF files can be loaded"),
        ])
    func refused(path: String, text: String) async {
        await #expect {
            try await Leap.load(url: URL(fileURLWithPath: path))
        } throws: { error in
            guard case LeapError.modelLoadingFailure = error else { return false }
            return "\(error)".hasPrefix("the model cannot be loaded: '\(path)'") && "\(error)".contains(text)
        }
    }

    @Test("a URL that is not a file URL is rejected")
    func notAFile() async {
        await #expect {
            try await Leap.load(url: #require(URL(string: "https://example.com/model.gguf")))
        } throws: {
            "\($0)"
                == "the model cannot be loaded: 'https://example.com/model.gguf' is not a file URL"
        }
    }

    private static let companions: [(options: LiquidInferenceEngineOptions, text: String)] = [
        (.init(bundlePath: "", audioDecoderPath: "/d.gguf"), "'/d.gguf'"),
        (
            .init(bundlePath: "", audioTokenizerPath: "/t.gguf"),
            "the audio tokenizer '/t.gguf' was given without a vocoder"
        ),
        (.init(bundlePath: "", audioDecoderPath: "/d.gguf", audioTokenizerPath: "/t.gguf"), "'/d.gguf'"),
    ]

    @Test("incomplete and missing speech companion files are rejected by name", arguments: companions)
    func companion(options: LiquidInferenceEngineOptions, text: String) async {
        await #expect {
            try await load(options: options)
        } throws: { error in
            guard case LeapError.modelLoadingFailure = error else { return false }
            return "\(error)".contains(text)
        }
    }

    @Test("sampling parameters may be given in the options' extras, which parameters beside them and options override")
    func extras() async throws {
        func extras(_ temperature: Int) -> String {
            #"{"sampling_parameters": {"temperature": \#(temperature)}, "number_of_decoding_threads": 1, "other": 1}"#
        }
        let options = LiquidInferenceEngineOptions(bundlePath: "", extras: extras(0))
        #expect(try options.toGenerationTimeParameters()?.samplingParameters?.temperature == 0)
        #expect(try options.with(extras: nil).toGenerationTimeParameters() == nil)
        func answer(_ extras: String?, beside parameters: Double? = nil, _ temperature: Float? = nil) async throws
            -> String
        {
            let runner = try await load(
                options: .init(bundlePath: "", extras: extras),
                parameters: parameters.map { .init(samplingParameters: .init(temperature: $0)) })
            let options = GenerationOptions(temperature: temperature, rngSeed: 1, maxOutputTokens: 8)
            return try await collect(
                runner.createConversation().generateResponse(userTextMessage: "Hi", generationOptions: options)
            ).text
        }
        let greedy = try await answer(nil, 0)
        #expect(try await answer(extras(0)) == greedy)
        #expect(try await answer(extras(2)) != greedy)
        #expect(try await answer(extras(2), beside: 0) == greedy)
        #expect(try await answer(extras(2), 0) == greedy)
    }

    @Test("extras without parameters give no parameters")
    func emptyExtras() throws {
        let options = LiquidInferenceEngineOptions(bundlePath: "", extras: #"{"x": 1}"#)
        #expect(try options.toGenerationTimeParameters() == nil)
    }

    @Test("the call's parameters override the extras', which override the manifest's")
    func partialParameters() throws {
        let recommended = GenerationTimeParameters(
            samplingParameters: .init(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05), numberOfDecodingThreads: 4
        )
        let extras = #"{"sampling_parameters": {"temperature": 0.7, "top_k": 9}}"#
        let options = LiquidInferenceEngineOptions(bundlePath: "", extras: extras)
        let given = GenerationTimeParameters(samplingParameters: .init(temperature: 0.5))
        let parameters = try options.parameters(beside: given)?.over(recommended)
        #expect(
            parameters?.samplingParameters
                == SamplingParameters(temperature: 0.5, minP: 0.15, repetitionPenalty: 1.05, topK: 9))
        #expect(parameters?.numberOfDecodingThreads == 4)
        #expect(try options.parameters(beside: nil)?.samplingParameters == .init(temperature: 0.7, topK: 9))
    }

    @Test("invalid extras are rejected", arguments: ["", "[]", #"{"number_of_decoding_threads": "x"}"#])
    func brokenExtras(extras: String) async {
        await #expect {
            try await load(options: .init(bundlePath: "", extras: extras))
        } throws: {
            "\($0)"
                == "the model cannot be loaded: the options' extras must be a JSON object of parameters, found: \(extras)"
        }
    }

    @Test("a model can be loaded with every loading function")
    func spellings() async throws {
        let path = Fixture(name: "lfm2-tied-f32").path
        let url = URL(fileURLWithPath: path)
        let options = LiquidInferenceEngineOptions(bundlePath: path, cpuThreads: 1)
        let runners: [any ModelRunner] = [
            try await Leap.load(url: url, options: options, generationTimeParameters: nil),
            try await Leap.load(url: url, contextSize: 64), try await Leap.load(url: url, cpuThreads: 1),
            try await Leap.shared.load(url: url, autoDetectCompanionFiles: false),
            try await Leap.shared.load(url: url, contextSize: nil, cpuThreads: 1, autoDetectCompanionFiles: true),
            try await LiquidInferenceEngineRunner.create(options: options),
            try await LiquidInferenceEngineRunner.create(url: url, options: options, autoDetectCompanionFiles: false),
            try await LiquidInferenceEngineRunner.companion.create(options: options, generationTimeParameters: nil),
            try await LiquidInferenceEngineRunner.companion.create(url: url), try loadHere(url),
            try LiquidInferenceEngineRunner(options: options), try LiquidInferenceEngineRunner(path: path),
        ]
        #expect(Set(runners.map(\.modelId)) == ["lfm2-tied-f32"])
    }

    /// Not asynchronous, so that the synchronous overload is chosen.
    private func loadHere(_ url: URL) throws -> any ModelRunner {
        try Leap.load(url: url)
    }

    @Test("a context size outside the model's range is rejected", arguments: [0, 513, UInt32.max])
    func context(size: UInt32) async throws {
        await #expect {
            try await load(options: .init(bundlePath: "", contextSize: size))
        } throws: {
            "\($0)".contains("the requested context is \(size) tokens, but must be 1 to 512 for this model")
        }
        _ = try await load(options: .init(bundlePath: "", contextSize: 512))
    }

    @Test("a model answers with every KV cache type", arguments: KeyValueCacheType.allCases)
    func cacheTypes(type: KeyValueCacheType) async throws {
        let options = LiquidInferenceEngineOptions(bundlePath: Fixture(name: "lfm2-k-quants").path)
            .with(keyCacheType: type).with(valueCacheType: type)
        let runner = try await LiquidInferenceEngineRunner.create(options: options)
        var answering = AnswerOptions()
        answering.maxTokens = 8
        let request = try runner.model().request(continuing: "Hello", answering)
        let answer = try await runner.answer(request, cancellation: CancellationFlag()) { _ in }
        #expect(!answer.result.tokens.isEmpty)
    }

    @Test("LoRA adapters change the answer according to their scale")
    func adapters() async throws {
        var answers: [String] = []
        for scale in [nil, 0, 1] as [Float?] {
            var options = LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1)
            let path = AdapterFixtures.path("all", of: "lfm2-tied-f32")
            options.adapters = scale.map { [LoRAAdapter(path: path, scale: $0)] } ?? []
            let conversation = try await load(options: options).createConversation()
            let message = ChatMessage(role: .user, textContent: "Hi")
            answers.append(
                try await collect(conversation.generateResponse(message: message, generationOptions: short)).text)
        }
        #expect(answers[1] == answers[0] && answers[2] != answers[0])
        // Each generation may set its own scales, whatever the model was loaded with.
        var options = LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1)
        options.adapters = [LoRAAdapter(path: AdapterFixtures.path("all", of: "lfm2-tied-f32"), scale: 0)]
        let runner = try await load(options: options)
        for (scales, expected) in [([1], answers[2]), ([0], answers[0]), (nil, answers[0])] as [([Float]?, String)] {
            let message = ChatMessage(role: .user, textContent: "Hi")
            let generation = short.with(adapterScales: scales)
            #expect(generation.adapterScales == scales)
            let found = try await collect(
                runner.createConversation().generateResponse(message: message, generationOptions: generation))
            #expect(found.text == expected)
        }
        await #expect {
            var options = LiquidInferenceEngineOptions(bundlePath: "")
            options.adapters = [LoRAAdapter(path: AdapterFixtures.path("all", of: "llama-tied-f32"))]
            _ = try await load(options: options)
        } throws: {
            "\($0)".contains(
                "it was trained for a model of architecture 'llama', but this model's architecture is 'lfm2'")
        }
    }

    @Test("KV cache types that the model's head size does not allow are rejected with both names")
    func unsupportedCacheTypes() async {
        await #expect {
            var options = LiquidInferenceEngineOptions(bundlePath: "")
            options.valueCacheType = .q8_0
            _ = try await load(options: options)
        } throws: {
            "\($0)".contains("keys of type f32 and values of type q8_0 are not supported for this model")
        }
    }

    @Test("reading a file into memory gives the same answers as mapping it")
    func withoutMap() async throws {
        var answers: [String] = []
        for useMmap in [true, false] {
            let runner = try await load(options: .init(bundlePath: "", useMmap: useMmap))
            answers.append(
                try await collect(
                    runner.createConversation().generateResponse(
                        message: ChatMessage(role: .user, textContent: "Hi"), generationOptions: short)
                ).text)
        }
        #expect(answers[0] == answers[1])
    }

    @Test("concurrent loads all succeed")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await load().modelId } }
            for try await name in group { #expect(name == "lfm2-tied-f32") }
        }
    }
}
