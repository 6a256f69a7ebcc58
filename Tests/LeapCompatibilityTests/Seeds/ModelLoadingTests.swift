import Foundation
import LeapSDK
import Testing

/// The snippets of the page on loading models that do not download.
@Suite("The page on loading models")
struct ModelLoadingTests {
    private let ggufURL = modelURL
    private let mmprojURL = URL(fileURLWithPath: "/nowhere/mmproj-model.gguf")

    @Test("loading by URL")
    func url() async throws {
        let runner = try await Leap.load(url: ggufURL)
        #expect(runner.modelId == "leap-tiny-q8_0")
    }

    @Test("a missing vision projector is an error")
    func projector() async throws {
        await #expect {
            let options = LiquidInferenceEngineOptions(
                bundlePath: ggufURL.path,
                mmProjPath: mmprojURL.path
            )
            let runner = try await Leap.load(url: ggufURL, options: options, autoDetectCompanionFiles: false)
            _ = runner
        } throws: { error in
            guard case LeapError.modelLoadingFailure(let text, _) = error else { return false }
            return text.contains("'/nowhere/mmproj-model.gguf': cannot open the file")
        }
    }

    @Test("loading options")
    func options() async throws {
        let manifestOpts = LiquidInferenceEngineManifestOptions(
            contextSize: 8192,
            cpuThreads: 6
        )
        #expect(manifestOpts.contextSize == 8192 && manifestOpts.cpuThreads == 6)

        // Sideloaded variant (URL-based)
        let options = LiquidInferenceEngineOptions(
            bundlePath: ggufURL.path,
            cpuThreads: 6,
            contextSize: 128
        )
        let runner = try await Leap.load(url: ggufURL, options: options)
        #expect(runner is LiquidInferenceEngineRunner)
    }

    @Test("builders of loading options")
    func builders() {
        let cacheDir = FileManager.default.temporaryDirectory
        let opts = LiquidInferenceEngineOptions(bundlePath: ggufURL.path)
            .with(cpuThreads: 6)
            .with(contextSize: 8192)
            .with(useMmap: false)
            .with(cacheOptions: .enabled(path: cacheDir.path))
        #expect(opts.cpuThreads == 6 && opts.contextSize == 8192 && opts.useMmap == false)
        #expect(opts.cacheOptions?.enabled == true && opts.cacheOptions?.maxEntriesDisk == 40)
    }

    @Test("cache options")
    func cache() {
        let cacheDir = FileManager.default
            .urls(for: .cachesDirectory, in: .userDomainMask)[0]
            .appendingPathComponent("leap-kv-cache")
        let options = LiquidInferenceEngineManifestOptions(
            cacheOptions: .enabled(path: cacheDir.path),
            contextSize: 4096
        )
        #expect(options.cacheOptions?.path == cacheDir.path && options.contextSize == 4096)
    }

    @Test("generation parameters give the same answer as options with the same values")
    func parameters() async throws {
        let parameters = GenerationTimeParameters(
            samplingParameters: SamplingParameters(temperature: 0.3, topP: 0.9, minP: 0.15, repetitionPenalty: 3),
            numberOfDecodingThreads: 1)
        let runner = try await Leap.load(url: ggufURL, generationTimeParameters: parameters)
        let plain = try await Leap.load(url: ggufURL)
        func answer(_ runner: any ModelRunner, _ options: GenerationOptions) async throws -> String? {
            let conversation = runner.createConversation(systemPrompt: nil)
            for try await _ in conversation.generateResponse(userTextMessage: "Hi", generationOptions: options) {}
            return conversation.history.last?.text
        }
        let seeded = GenerationOptions(rngSeed: 7, maxOutputTokens: 16)
        let same = GenerationOptions(
            temperature: 0.3, topP: 0.9, minP: 0.15, repetitionPenalty: 3, rngSeed: 7, maxOutputTokens: 16)
        #expect(try await answer(runner, seeded) == answer(plain, same))
        #expect(try await answer(runner, seeded) != answer(plain, seeded))
        await runner.unload()
    }
}
