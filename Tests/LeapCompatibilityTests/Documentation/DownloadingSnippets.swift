import Foundation
import LeapModelDownloader
import LeapSDK
import Testing

@Suite("Downloading.md", .timeLimit(.minutes(5)))
struct DownloadingSnippets {
    @Test("loading by name")
    func name() async throws {
        try await Vendor.open().serve {
            let runner = try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M") { fraction, bytesPerSecond in
                print("\(Int(fraction * 100))% at \(bytesPerSecond) B/s")
            }
            #expect(runner.modelId == "model")
        }
    }

    @Test("loading from a manifest's URL")
    func manifest() async throws {
        let vendor = try await Vendor.open()
        let manifestURL = vendor.server.url("/m/manifest.json")
        try await vendor.serve {
            let runner = try await Leap.load(manifestURL: manifestURL)
            #expect(runner.modelId == "model")
        }
    }

    @Test("watching and stopping a download")
    func watching() async throws {
        let vendor = try await Vendor.open { request, _ in
            // The model's file never arrives.
            if request.path == "/m/model.gguf" { try await Task.sleep(for: .seconds(600)) }
            return false
        }
        try await vendor.serve {
            let screen = Screen()
            func print(_ text: String) { screen.show(text) }
            let downloader = ModelDownloader()
            downloader.requestDownloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
            switch await downloader.queryStatus(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") {
            case .notOnLocal: print("not here")
            case .downloadInProgress(let progress): print("\(Int(progress * 100))%")
            case .downloaded: print("here")
            }
            downloader.requestStopDownload(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
            #expect(screen.text == "0%")
            #expect(await downloader.queryStatus(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") == .notOnLocal)
        }
    }
}
