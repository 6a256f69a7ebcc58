import Foundation
import LeapModelDownloader
import LeapSDK
import Testing

@Suite("Downloading.md", .timeLimit(.minutes(5)))
struct DownloadingSnippets {
    @Test("by name")
    func name() async throws {
        try await Vendor.open().serve {
            let runner = try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M") { fraction, bytesPerSecond in
                print("\(Int(fraction * 100))% at \(bytesPerSecond) B/s")
            }
            #expect(runner.modelId == "model")
        }
    }

    @Test("by a manifest")
    func manifest() async throws {
        let vendor = try await Vendor.open()
        let manifestURL = vendor.server.url("/m/manifest.json")
        try await vendor.serve {
            let runner = try await Leap.load(manifestURL: manifestURL)
            #expect(runner.modelId == "model")
        }
    }

    @Test("watching")
    func watching() async throws {
        try await Vendor.open().serve {
            let downloader = ModelDownloader()
            downloader.requestDownloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
            switch await downloader.queryStatus(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") {
            case .notOnLocal: print("not here")
            case .downloadInProgress(let progress): print("\(Int(progress * 100))%")
            case .downloaded: print("here")
            }
            downloader.requestStopDownload(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        }
    }
}
