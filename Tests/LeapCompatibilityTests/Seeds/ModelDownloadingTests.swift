import Foundation
import LeapHub
import LeapModelDownloader
import Testing
import _LeapHTTPTestSupport
import _LeapTestSupport

/// The snippets of the page on loading models that download. They use test servers, and a shorter context than the page's,
/// which the small model supports.
@Suite("The page on loading models: downloading", .timeLimit(.minutes(5)))
struct ModelDownloadingTests {
    @Test("the downloader's initialisers")
    func initialisers() async throws {
        let modelsDir = NSTemporaryDirectory()
        _ = ModelDownloader()
        _ = ModelDownloader(config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true))
        #if canImport(Darwin)
        let backgroundConfig = URLSessionConfiguration.background(
            withIdentifier: "com.myapp.leap.downloads"
        )
        let downloader = ModelDownloader(sessionConfiguration: backgroundConfig)
        downloader.handleBackgroundEvents(completionHandler: {})
        #endif
        let downloader = LeapDownloader(
            config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true)
        )
        #expect(downloader.config == .with(saveDir: modelsDir))
        #expect(downloader.config.requestTimeoutMillis == 600_000)
    }

    @Test("loading a model by name")
    func loadModel() async throws {
        try await Vendor.open().serve {
            let screen = Screen()
            func print(_ text: String) { screen.show(text) }
            let modelsDir = NSTemporaryDirectory() + "leap-models-\(UUID())"
            let downloader = ModelDownloader(
                config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true)
            )

            let runner = try await downloader.loadModel(
                modelName: "LFM2.5-1.2B-Instruct",
                quantizationType: "Q4_K_M"
            ) { fraction, _ in
                print("Loading \(Int(fraction * 100))%")
            }
            #expect(runner.modelId == "model")
            #expect(screen.text.hasSuffix("Loading 100%"))
            try FileManager.default.removeItem(atPath: modelsDir)
        }
    }

    @Test("LeapDownloader and ModelDownloader share a folder")
    func leapDownloader() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let modelsDir = vendor.folder.path
            let downloader = LeapDownloader(
                config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true)
            )

            let runner = try await downloader.loadModel(
                modelName: "LFM2.5-1.2B-Instruct",
                quantizationType: "Q4_K_M"
            )
            _ = runner
            let requests = vendor.server.server.requests.count
            let other = ModelDownloader(config: .with(saveDir: modelsDir))
            _ = try await other.loadModel(modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M")
            #expect(vendor.server.server.requests.count == requests)
        }
    }

    @Test("Leap.load by name, as a static and as an instance method")
    func leapLoad() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let screen = Screen()
            func print(_ text: String) { screen.show(text) }
            let runner = try await Leap.load(
                model: "LFM2.5-1.2B-Instruct",
                quantization: "Q4_K_M",
                options: LiquidInferenceEngineManifestOptions(contextSize: 512)
            ) { fraction, bytesPerSecond in
                print("Loading \(Int(fraction * 100))% at \(bytesPerSecond) B/s")
            }
            #expect(runner is LiquidInferenceEngineRunner)
            #expect(screen.text.contains("Loading 100% at"))

            let requests = vendor.server.server.requests.count
            _ = try await Leap.load(model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M")
            _ = try await Leap.shared.load(
                model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M", options: nil, progress: { _, _ in })
            _ = try await LiquidInferenceEngineRunner(model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M")
            _ = try await LiquidInferenceEngineRunner.companion.create(
                model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M")
            #expect(vendor.server.server.requests.count == requests)
        }
    }

    @Test("loading from a manifest's URL, in both spellings")
    func manifestURL() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let url = vendor.server.url("/m/manifest.json")
            _ = try await Leap.load(manifestURL: url) { _, _ in }
            _ = try await Leap.shared.load(manifestUrl: url, options: nil, downloadProgressHandler: nil)
            _ = try await LiquidInferenceEngineRunner(manifestURL: url)
            _ = try await ModelDownloader().loadModel(manifestUrl: url)
            _ = try await LeapDownloader().loadModelFromManifestUrl(manifestUrl: url)
            #expect(vendor.server.requests("/m/model.gguf").count == 1)
        }
    }

    @Test("sideloading local and remote files")
    func sideloaded() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            let ggufURL = modelURL
            let runner = try await downloader.loadSimpleModel(
                model: ModelSource(
                    modelPath: ggufURL.path,
                    modelName: "LFM2-1.2B-Instruct",
                    quantizationId: "Q4_K_M"
                )
            )
            #expect(runner.modelId == "leap-tiny-q8_0")
            #expect(vendor.server.server.requests.isEmpty)

            let elsewhere = ModelSource(
                modelPath: vendor.server.url("/m/model.gguf?token=x").absoluteString, modelName: "LFM2-1.2B-Instruct",
                quantizationId: "Q4_K_M")
            for _ in 0..<2 { _ = try await downloader.loadSimpleModel(model: elsewhere) }
            _ = try await downloader.loadSimpleModel(
                model: ModelSource(
                    modelPath: ggufURL.absoluteString, modelName: "LFM2-1.2B-Instruct", quantizationId: "Q4_K_M"))
            #expect(vendor.server.requests("/m/model.gguf").count == 1)
        }
    }

    @Test("companion files are downloaded and listed, and unusable ones rejected when the model is loaded")
    func companions() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            let visionURL = modelURL
            let mmprojURL = URL(fileURLWithPath: "/nowhere/mmproj-model.gguf")
            await #expect {
                let visionRunner = try await downloader.loadSimpleModel(
                    model: ModelSource(
                        modelPath: visionURL.path,
                        mmprojPath: mmprojURL.path,
                        modelName: "LFM2.5-VL-1.6B",
                        quantizationId: "Q4_K_M"
                    )
                )
                _ = visionRunner
            } throws: { error in
                "\(error)".contains("'/nowhere/mmproj-model.gguf': cannot open the file")
            }

            let audioURL = modelURL
            let decoderURL = URL(fileURLWithPath: "/nowhere/decoder-model.gguf")
            let tokenizerURL = URL(fileURLWithPath: "/nowhere/tokenizer-model.gguf")
            await #expect {
                let audioRunner = try await downloader.loadSimpleModel(
                    model: ModelSource(
                        modelPath: audioURL.path,
                        audioDecoderPath: decoderURL.path,
                        audioTokenizerPath: tokenizerURL.path,
                        modelName: "LFM2.5-Audio-1.5B",
                        quantizationId: "Q4_0"
                    )
                )
                _ = audioRunner
            } throws: { error in
                "\(error)".contains("'/nowhere/decoder-model.gguf': cannot open the file")
            }

            let model = try await downloader.downloadModel(modelName: "LFM2.5-VL-1.6B", quantizationType: "Q4_0")
            #expect(model.localMultimodalProjectorPath?.hasSuffix("LFM2.5-VL-1.6B/Q4_0/mmproj-model.gguf") == true)
            #expect(model.localAudioDecoderURL == nil && model.localAudioTokenizerPath == nil)
            await #expect {
                try await downloader.loadModel(modelName: "LFM2.5-VL-1.6B", quantizationType: "Q4_0")
            } throws: { error in
                guard case LeapError.modelLoadingFailure(let text, _) = error else { return false }
                return text.contains("mmproj-model.gguf' cannot be used: the file has architecture")
            }
            let source = try ModelSource(
                detectingCompanionsOf: model.localModelURL, modelName: "LFM2.5-VL-1.6B", quantizationId: "Q4_0")
            #expect(source.mmprojPath == model.localMultimodalProjectorPath)
            #expect(source.downloads.count == 2)
        }
    }

    @Test("companion files that are not named are not used, even next to the model")
    func onlyWhatIsNamed() async throws {
        let url = URL(fileURLWithPath: Fixture(name: "vision/lfm2-vl-chat-q8_0").path)
        let folder = url.deletingLastPathComponent()
        let picture = try Data(contentsOf: folder.appendingPathComponent("pictures/green.png"))
        func answer(_ source: ModelSource) async throws {
            let runner = try await ModelDownloader().loadSimpleModel(model: source)
            let question = ChatMessage(role: .user, content: [.text("What?"), .fromImageData(picture)])
            for try await _ in runner.createConversation().generateResponse(
                message: question, generationOptions: GenerationOptions(maxOutputTokens: 1))
            {}
        }
        await #expect(throws: LeapError.self) {
            try await answer(ModelSource(modelPath: url.path, modelName: "vision", quantizationId: "Q8_0"))
        }
        try await answer(
            ModelSource(detectingCompanionsOf: url, modelName: "vision", quantizationId: "Q8_0"))
    }

    @Test("a local model with a remote companion, which is used, and downloaded once")
    func localModelWithRemoteCompanion() async throws {
        let url = URL(fileURLWithPath: Fixture(name: "vision/lfm2-vl-chat-q8_0").path)
        let projector = try #require(
            ModelSource(detectingCompanionsOf: url, modelName: "vision", quantizationId: "Q8_0").mmprojPath)
        let picture = try Data(
            contentsOf: url.deletingLastPathComponent().appendingPathComponent("pictures/green.png"))
        let server = try await ModelServer.start(
            files: ["/mmproj.gguf": ServedFile(try Data(contentsOf: URL(filePath: projector)))])
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let source = ModelSource(
                modelPath: url.path, mmprojPath: server.url("/mmproj.gguf").absoluteString, modelName: "local/vision",
                quantizationId: "Q8_0")
            for _ in 0..<2 {
                let runner = try await ModelDownloader().loadSimpleModel(model: source)
                #expect(runner.modelId == "lfm2-vl-chat-q8_0")
                let question = ChatMessage(role: .user, content: [.text("What?"), .fromImageData(picture)])
                for try await _ in runner.createConversation().generateResponse(
                    message: question, generationOptions: GenerationOptions(maxOutputTokens: 1))
                {}
            }
            #expect(server.requests("/mmproj.gguf").count == 1)
            let missing = ModelSource(
                modelPath: "/nowhere/model.gguf", mmprojPath: source.mmprojPath, modelName: "missing",
                quantizationId: "Q8_0")
            await #expect {
                try await ModelDownloader().loadSimpleModel(model: missing)
            } throws: { error in
                "\(error)".contains("/nowhere/model.gguf: cannot open: there is no such file")
            }
        }
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test("whichever way a model is loaded, a damaged file is downloaded again")
    func damaged() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let source = ModelSource(
                modelPath: vendor.server.url("/m/model.gguf").absoluteString, modelName: "LFM2-1.2B-Instruct",
                quantizationId: "Q4_K_M")
            let ways: [() async throws -> any ModelRunner] = [
                { try await ModelDownloader().loadSimpleModel(model: source) },
                { try await LiquidInferenceEngineRunner(model: source.modelName, quantization: source.quantizationId) },
                { try await Leap.load(model: source.modelName, quantization: source.quantizationId) },
            ]
            let file = vendor.folder.appending(
                path: "\(HubConfiguration.modelsFolder)/LFM2-1.2B-Instruct/Q4_K_M/model.gguf")
            for (index, load) in ways.enumerated() {
                _ = try await load()
                try Data(count: Data(contentsOf: file).count).write(to: file)
                _ = try await load()
                #expect(vendor.server.requests("/m/model.gguf").count == index + 2)
            }
        }
    }

    @Test("loading a file from the app's bundle")
    func bundled() async throws {
        /// As on the page, but only compiled: the tests' bundle has no such file.
        func load(_ downloader: ModelDownloader) async throws -> any ModelRunner {
            guard
                let ggufURL = Bundle.main.url(
                    forResource: "lfm2-1_2b-q4_k_m", withExtension: "gguf"
                )
            else { fatalError("missing model") }

            let runner = try await downloader.loadSimpleModel(
                model: ModelSource(
                    modelPath: ggufURL.path,
                    modelName: "LFM2-1.2B-Instruct",
                    quantizationId: "Q4_K_M"
                )
            )
            return runner
        }
        _ = load
        let runner = try await ModelDownloader().loadSimpleModel(
            model: ModelSource(
                modelPath: modelURL.path,
                modelName: "LFM2-1.2B-Instruct",
                quantizationId: "Q4_K_M"
            )
        )
        #expect(runner.modelId == "leap-tiny-q8_0")
    }

    @Test("manifest options set the context size and a disk cache in a folder that the app creates")
    func manifestOptions() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let runner = try await Leap.load(
                model: "LFM2.5-1.2B-Instruct",
                quantization: "Q4_K_M",
                options: LiquidInferenceEngineManifestOptions(contextSize: 256)
            ) { fraction, bytesPerSecond in
                print("Loading \(Int(fraction * 100))% at \(bytesPerSecond) B/s")
            }
            let text = String(repeating: "word ", count: 300)
            await #expect(throws: LeapError.self) {
                for try await _ in runner.createConversation().generateResponse(userTextMessage: text) {}
            }

            let downloader = ModelDownloader()
            let cacheDir = FileManager.default.temporaryDirectory
                .appendingPathComponent("leap-kv-cache-\(UUID())")
            try? FileManager.default.createDirectory(at: cacheDir, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: cacheDir) }

            let options = LiquidInferenceEngineManifestOptions(
                cacheOptions: .enabled(path: cacheDir.path),
                contextSize: 512
            )

            let cached = try await downloader.loadModel(
                modelName: "LFM2.5-1.2B-Instruct",
                quantizationType: "Q4_K_M",
                options: options
            )
            let few = GenerationOptions(maxOutputTokens: 2)
            let question = String(repeating: "word ", count: 160)
            for try await _ in cached.createConversation().generateResponse(
                userTextMessage: question, generationOptions: few)
            {}
            await cached.unload()
            #expect(try !FileManager.default.contentsOfDirectory(atPath: cacheDir.path).isEmpty)
        }
    }

    @Test("a corrupt file is downloaded again once without an error")
    func repair() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            let model = try await downloader.downloadModel(modelName: "LFM2-350M", quantizationType: "Q4_0")
            let size = try Data(contentsOf: model.localModelURL).count
            try Data(repeating: 0, count: size).write(to: model.localModelURL)
            _ = try await downloader.loadModel(modelName: "LFM2-350M", quantizationType: "Q4_0")
            #expect(vendor.server.requests("/m/model.gguf").count == 2)
        }
    }

    @Test("an unknown model is an error that names it")
    func unknown() async throws {
        try await Vendor.open().serve {
            await #expect {
                try await Leap.load(model: "Mistral", quantization: "Q4_0")
            } throws: { error in
                "\(error)" == "the model cannot be loaded: model 'Mistral' not found"
            }
        }
    }
}
