import Foundation
import LeapHub
import LeapSDK
import _LeapHTTPTestSupport

/// Stands in for the vendor's registry and Hugging Face, with one small model under the names that the documentation's
/// programs request.
struct Vendor {
    let server: ModelServer
    let folder: URL

    static func open(intercept: @escaping ModelServer.Interception = { _, _ in false }) async throws -> Vendor {
        let model = ServedFile(try Data(contentsOf: modelURL))
        let manifest = ModelServer.manifest(model: "model.gguf")
        let sees = ModelServer.manifest(model: "model.gguf", projector: "mmproj-model.gguf", type: "image-to-text")
        let server = try await ModelServer.start(
            files: [
                "/m/model.gguf": model, "/m/mmproj-model.gguf": model, "/m/manifest.json": manifest,
                "/m/sees.json": sees,
            ]
        ) { request, connection in
            if try await intercept(request, connection) { return true }
            guard request.path == "/api/edge-sdk/model-manifest" else { return false }
            guard let name = request.query["model_name"], name.hasPrefix("LFM2") else { return false }
            let file = name.contains("VL") ? "sees" : "manifest"
            try await connection.respond(text: "{\"manifest_url\": \"/m/\(file).json\"}")
            return true
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-vendor-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return Vendor(server: server, folder: folder)
    }

    /// Runs a closure with this vendor in place of the real services.
    func serve<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = HubConfiguration(
            models: folder.appending(path: HubConfiguration.modelsFolder), registry: server.url(""),
            huggingFace: server.url("/hf"))
        configuration.retries = RetryPolicy(attempts: 3, firstPause: .milliseconds(1), longestPause: .milliseconds(5))
        return try await SharedHub.$override.withValue(configuration) { try await body() }
    }
}
