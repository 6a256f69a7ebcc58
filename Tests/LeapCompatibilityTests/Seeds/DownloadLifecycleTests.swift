import Foundation
import LeapModelDownloader
import Testing
import _LeapHTTPTestSupport
import _LeapTestSupport

/// Downloads that are requested, watched, stopped and removed.
@Suite("The page on loading models: downloading without loading", .timeLimit(.minutes(5)))
struct DownloadLifecycleTests {
    private let name = "LFM2-1.2B"
    private let quantization = "Q4_0"

    /// A vendor that serves the first half of the model at once, and the rest when a gate opens.
    private func slowVendor(_ gate: Gate) async throws -> Vendor {
        let file = ServedFile(try Data(contentsOf: modelURL))
        return try await Vendor.open { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", request.rangeStart == nil else {
                return false
            }
            try await connection.respond(
                headers: ["Content-Length": "\(file.bytes.count)", "ETag": "\"v1\""], omitsBody: true)
            try await connection.write(file.bytes.prefix(file.bytes.count / 2))
            await gate.pass()
            try await connection.write(file.bytes.dropFirst(file.bytes.count / 2))
            return true
        }
    }

    @Test("a model's status goes from not local through in progress to downloaded, and back when removed")
    func lifecycle() async throws {
        let gate = Gate()
        let vendor = try await slowVendor(gate)
        try await vendor.serve {
            let downloader = ModelDownloader()
            var status = await downloader.queryStatus(modelName: name, quantizationType: quantization)
            #expect(status == .notOnLocal && status.type == .notOnLocal)

            downloader.requestDownloadModel(modelName: name, quantizationType: quantization)
            downloader.requestDownloadModel(modelName: name, quantizationType: quantization)
            #expect(downloader.queryStatus(name, quantization: quantization).type == .downloadInProgress)
            try await eventually { downloader.queryStatus(name, quantization: quantization).fraction > 0.4 }
            await gate.open()
            try await eventually {
                await downloader.queryStatus(modelName: name, quantizationType: quantization) == .downloaded
            }
            // On a busy machine the connection may time out; then only the rest is requested.
            #expect(vendor.server.requests("/m/model.gguf").count { $0.rangeStart == nil } == 1)

            downloader.requestDownloadModel(modelName: name, quantizationType: quantization)
            #expect(downloader.queryStatus(name, quantization: quantization) == .downloaded)
            await downloader.removeModel(modelName: name, quantizationType: quantization)
            status = await downloader.queryStatus(modelName: name, quantizationType: quantization)
            #expect(status == .notOnLocal)
        }
    }

    @Test("a stopped download resumes where it stopped")
    func stop() async throws {
        let vendor = try await slowVendor(Gate())
        try await vendor.serve {
            let downloader = ModelDownloader()
            let download = Task {
                try await downloader.downloadModel(modelName: name, quantizationType: quantization)
            }
            try await eventually { downloader.queryStatus(name, quantization: quantization).fraction > 0.4 }
            downloader.requestStopDownload(modelName: name, quantizationType: quantization)
            await #expect {
                try await download.value
            } throws: { error in
                if case ModelDownloadError.downloadCancelled = error { true } else { false }
            }
            #expect(downloader.queryStatus(name, quantization: quantization) == .notOnLocal)

            let manifest = try await downloader.downloadModel(modelName: name, quantizationType: quantization)
            #expect(try Data(contentsOf: manifest.localModelURL) == Data(contentsOf: modelURL))
            #expect(vendor.server.requests("/m/model.gguf").last?.rangeStart != nil)
        }
    }

    @Test("a download that is requested again right after it was stopped completes")
    func requestAfterStop() async throws {
        let vendor = try await slowVendor(Gate())
        try await vendor.serve {
            let downloader = ModelDownloader()
            downloader.requestDownloadModel(modelName: name, quantizationType: quantization)
            try await eventually { downloader.queryStatus(name, quantization: quantization).fraction > 0.4 }
            downloader.requestStopDownload(modelName: name, quantizationType: quantization)
            downloader.requestDownloadModel(modelName: name, quantizationType: quantization)
            try await eventually {
                await downloader.queryStatus(modelName: name, quantizationType: quantization) == .downloaded
            }
        }
    }

    @Test("a downloaded model's size, manifest, paths and download plan can be queried")
    func lookingUp() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            let size = try Data(contentsOf: modelURL).count
            #expect(try await downloader.getModelSize(modelName: name, quantizationType: quantization) == Int64(size))
            #expect(await downloader.getCachedManifest(modelName: name, quantizationType: quantization) == nil)
            let model = try await downloader.downloadModel(name, quantization: quantization) { _, _ in }
            #expect(model.manifest.schemaVersion == "1.0.0")
            #expect(model.chatTemplate == "{{ bos_token }}")
            #expect(model.localModelPath == model.localModelURL.path)
            let manifest: Manifest? = await downloader.getCachedManifest(
                modelName: name, quantizationType: quantization)
            #expect(manifest?.loadTimeParameters.model == "model.gguf")
            let here = try #require(manifest).loadTimeParameters
            let question = [ChatMessage(role: .user, textContent: "Hi")]
            var sizes: [Int] = []
            for parameters in [here, LoadTimeParameters(model: model.localModelPath)] {
                let runner = try await LeapClient.shared.loadModel(params: parameters)
                #expect(runner.modelId == "model")
                sizes.append(try await runner.getPromptTokensSize(messages: question, addBosToken: true))
            }
            // The template of the model's file comes before that of its manifest.
            #expect(sizes[0] == sizes[1] && sizes[0] > 1)
            let options = LiquidInferenceEngineOptions(
                bundlePath: model.localModelPath, chatTemplate: "{{ messages[0].content }}")
            let runner = try await LeapClient.shared.loadModel(params: here, options: options)
            #expect(try await runner.getPromptTokensSize(messages: question, addBosToken: true) < sizes[0])
            #expect(manifest?.generationTimeParameters?.samplingParameters?.temperature == 0.3)
            #expect(
                downloader.getCachedFilePath(
                    modelUrl: "https://elsewhere.example/model.gguf?download=true#x", modelName: name,
                    quantizationType: quantization) == model.localModelPath)
            #expect(
                downloader.getModelResourceFolder(modelName: name, quantizationType: quantization)
                    == model.localModelURL.deletingLastPathComponent().path)
            #expect((downloader.getAvailableDiskSpace() ?? 0) > 0)

            let plan = try await LeapDownloader().resolveDownloadPlan(modelName: name, quantizationType: quantization)
            #expect(plan.resources.map(\.localPath) == [model.localModelPath])
            #expect(plan.resources.first?.isCached == true)
            #expect(plan.resources.first?.expectedSize == Int64(size))
            try await LeapDownloader().deleteModelResources(modelName: name, quantizationType: quantization)
            #expect(downloader.queryStatus(name, quantization: quantization) == .notOnLocal)
        }
    }

    @Test("manifests can be given as NSURL or URL")
    func manifests() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            let url = vendor.server.url("/m/manifest.json")
            let manifestUrl = try #require(NSURL(string: url.absoluteString))
            #expect(await downloader.queryStatus(manifestUrl: manifestUrl) == .notOnLocal)
            let model = try await downloader.downloadModelFromManifest(manifestUrl: manifestUrl) { _, _ in }
            #expect(await downloader.queryStatus(manifestUrl: manifestUrl) == .downloaded)
            #expect(try await downloader.downloadModelFromManifest(url) == model)
            #expect(downloader.queryStatus(url) == .downloaded)
            downloader.requestDownloadModel(manifestUrl: manifestUrl, forceDownload: true)
            try await eventually { downloader.queryStatus(url) == .downloaded }
            #expect(vendor.server.requests("/m/model.gguf").count == 2)
            await downloader.removeModel(manifestUrl: manifestUrl)
            #expect(downloader.queryStatus(url) == .notOnLocal)
            try downloader.removeModel(fromManifestURL: url)
        }
    }

    @Test("a model that is here is found by its name in other letters too")
    func otherLetters() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            _ = try await downloader.downloadModel(modelName: name, quantizationType: quantization)
            let requests = vendor.server.server.requests.count
            let (small, large) = (name.lowercased(), name.uppercased())
            #expect(downloader.queryStatus(small, quantization: quantization.lowercased()) == .downloaded)
            let manifest = try await downloader.downloadModel(modelName: small, quantizationType: quantization)
            #expect(manifest.localModelURL.path.contains(name) && vendor.server.server.requests.count == requests)
            await downloader.removeModel(modelName: large, quantizationType: quantization)
            #expect(downloader.queryStatus(name, quantization: quantization) == .notOnLocal)
        }
    }

    @Test("single files, as in versions 0.2 to 0.9")
    func singleFiles() async throws {
        let file = ServedFile(try Data(contentsOf: modelURL))
        let vendor = try await Vendor.open { request, connection in
            let paths = ["model-Q4_0.gguf", "other/model-Q4_0.gguf"].map { "/hf/owner/repo/resolve/main/\($0)" }
            guard paths.contains(request.path) else { return false }
            try await connection.serve(file, to: request)
            return true
        }
        try await vendor.serve {
            let downloader = ModelDownloader()
            let model = HuggingFaceDownloadableModel(ownerName: "owner", repoName: "repo", filename: "model-Q4_0.gguf")
            #expect(downloader.queryStatus(model) == .notOnLocal)
            let url = try await downloader.downloadModel(model, forceDownload: false).get()
            #expect(url == downloader.getModelFile(model))
            #expect(downloader.getModelFileSize(model) == Int64(file.bytes.count))
            #expect(downloader.queryStatus(model) == .downloaded)
            let nested = HuggingFaceDownloadableModel(
                ownerName: "owner", repoName: "repo", filename: "other/model-Q4_0.gguf")
            #expect(downloader.queryStatus(nested) == .notOnLocal)
            #expect(try await downloader.downloadModel(nested, forceDownload: false).get() != url)
            try downloader.removeModel(model)
            #expect(downloader.queryStatus(model) == .notOnLocal)
            let resolved = await LeapDownloadableModel.resolve(modelSlug: name, quantizationSlug: quantization)
            #expect(resolved?.localFilename == "model.gguf")
            #expect(await LeapDownloadableModel.resolve(modelSlug: "none", quantizationSlug: quantization) == nil)
        }
    }

    @Test("errors are ModelDownloadErrors")
    func errors() async throws {
        let vendor = try await Vendor.open()
        try await vendor.serve {
            let downloader = ModelDownloader()
            await #expect {
                try await downloader.downloadModel(modelName: "none", quantizationType: quantization)
            } throws: { error in
                guard case ModelDownloadError.downloadFailed(let text, _) = error else { return false }
                return text == "model 'none' not found"
            }
            let models = LeapModelsApi(baseUrl: vendor.server.base)
            await #expect(throws: ModelDownloadError.self) { try await models.fetchAvailableModels() }
            let nonsense = ModelDownloader(config: LeapDownloaderConfig(baseUrl: "nonsense"))
            await #expect(throws: ModelDownloadError.self) {
                try await nonsense.downloadModel(modelName: name, quantizationType: quantization)
            }
        }
        #expect(ProgressData(bytes: 25, total: 100).progress == 0.25)
        #expect(ProgressData(bytes: 25, total: 0).progress == 0)
    }
}

extension ModelDownloader.ModelDownloadStatus {
    fileprivate var fraction: Double {
        if case .downloadInProgress(let progress) = self { progress } else { 0 }
    }
}

/// Makes a server wait until a test lets it continue; a connection that is closed in the meantime stops waiting.
private actor Gate {
    private var isOpen = false

    func open() { isOpen = true }

    func pass() async {
        // A cancelled task stops waiting.
        while !isOpen { do { try await Task.sleep(for: .milliseconds(5)) } catch { return } }
    }
}
