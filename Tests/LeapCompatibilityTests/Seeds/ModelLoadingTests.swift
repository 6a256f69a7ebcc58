import Foundation
import LeapSDK
import Testing

/// The page on loading models, snippet by snippet, without what downloads.
@Suite("The page on loading models")
struct ModelLoadingTests {
    private let ggufURL = modelURL
    private let mmprojURL = URL(fileURLWithPath: "/nowhere/mmproj-model.gguf")

    @Test("the loader by URL")
    func url() async throws {
        let runner = try await Leap.load(url: ggufURL)
        #expect(runner.modelId == "leap-tiny-q8_0")
    }

    @Test("a projector for pictures has to be there")
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

    @Test("the options")
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

    @Test("the builders")
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

    @Test("the cache's options")
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

    @Test("parameters for generations")
    func parameters() async throws {
        let parameters = GenerationTimeParameters(
            samplingParameters: SamplingParameters(temperature: 0.3, topP: 0.9, minP: 0.15, repetitionPenalty: 1.05),
            numberOfDecodingThreads: 1)
        let runner = try await Leap.load(url: ggufURL, generationTimeParameters: parameters)
        await runner.unload()
    }
}
