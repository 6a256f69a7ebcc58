import Foundation
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

/// A mock of the vendor's registry and Hugging Face with one small model, and a separate cache.
struct Vendor {
    let server: ModelServer
    let folder: TemporaryFolder
    let model: Data

    static func open(
        model: Data? = nil, announcing headers: [String: String] = [:],
        intercept: @escaping ModelServer.Interception = { _, _ in false }
    ) async throws -> Vendor {
        let model = try model ?? Data(contentsOf: URL(filePath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path))
        let server = try await ModelServer.start(
            files: [
                "/hf/LiquidAI/LeapBundles/resolve/main/Tiny-GGUF/Q8_0.json": ModelServer.manifest(model: "tiny.gguf"),
                "/hf/LiquidAI/LeapBundles/resolve/main/Tiny-GGUF/tiny.gguf": ServedFile(model, headers: headers),
                "/hf/api/models/LiquidAI/LeapBundles": ModelServer.listing([
                    ("Tiny-GGUF/Q8_0.json", 1, nil), ("Other-GGUF/Q4_0.json", 1, nil),
                ]),
                "/hf/api/models/owner/tiny": ModelServer.listing([("tiny-Q8_0.gguf", model.count, nil)]),
                "/hf/owner/tiny/resolve/main/tiny-Q8_0.gguf": ServedFile(model, headers: headers),
            ], intercept: intercept)
        return Vendor(server: server, folder: try TemporaryFolder(), model: model)
    }

    /// The path of the model on the server.
    static let path = "/hf/LiquidAI/LeapBundles/resolve/main/Tiny-GGUF/tiny.gguf"

    var environment: [String: String] {
        [
            "LEAP_CACHE": folder.url.path, "LEAP_REGISTRY": server.url("/registry").absoluteString,
            "HF_ENDPOINT": server.url("/hf").absoluteString, "HF_HOME": folder.url.appending(path: "none").path,
            "HF_TOKEN": "hf_secret", "http_proxy": "", "no_proxy": "*",
        ]
    }

    /// Where the model is downloaded to.
    var file: URL { folder.url.appending(path: "leap_models/Tiny/Q8_0/tiny.gguf") }

    /// Runs `leap` with this vendor.
    func leap(_ arguments: String..., environment: [String: String] = [:]) async throws -> Tool.Outcome {
        try await Tool.leap.run(arguments, environment: self.environment.merging(environment) { $1 })
    }

    /// Runs `leap-bench` with this vendor.
    func leapBench(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.leapBench.run(arguments, environment: environment)
    }

    /// Runs a line of Bash with this vendor, in which `$LEAP` is the tool.
    func leap(bash line: String) async throws -> Tool.Outcome {
        try await Tool.leap.run(bash: line, environment: environment)
    }

    /// The requests for the model's bytes.
    var transfers: [ServerRequest] { server.requests(Self.path) }
}
