import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Resolving a name to a manifest: the registry, the bundles, the repository.
@Suite(.timeLimit(.minutes(5)))
struct ResolutionTests {
    private let bytes = ServedFile.model(size: 1000)
    private let listing = "/hf/api/models/LiquidAI/M-GGUF"
    private let bundles = "/hf/api/models/LiquidAI/LeapBundles"

    /// A model in the bundles.
    private var bundle: [String: ServedFile] {
        [
            "/hf/LiquidAI/LeapBundles/resolve/main/M-GGUF/Q4_0.json": ModelServer.manifest(model: "m.gguf"),
            "/hf/LiquidAI/LeapBundles/resolve/main/M-GGUF/m.gguf": ServedFile(bytes),
        ]
    }

    private func source(_ files: [String: ServedFile], _ reference: String) async throws -> (String, StoredModel) {
        let server = try await ModelServer.start(files: files)
        let hub = try TestHub(server)
        let model = try await hub.hub.download(ModelReference(reference))
        let manifest = (model.manifest.originalUrl ?? "").dropFirst(server.base.count)
        return (String(manifest), model)
    }

    private func error(_ files: [String: ServedFile], _ reference: String) async throws -> HubError? {
        let hub = try TestHub(try await ModelServer.start(files: files))
        return await hub.error { _ = try await hub.hub.download(ModelReference(reference)) }
    }

    @Test func `The registry is tried first`() async throws {
        let (manifest, model) = try await source(
            bundle.merging([
                "/registry/api/edge-sdk/model-manifest": ServedFile(text: "{\"manifest_url\": \"/r/Q4_0.json\"}"),
                "/r/Q4_0.json": ModelServer.manifest(model: "m.gguf"), "/r/m.gguf": ServedFile(bytes),
            ]) { $1 }, "M:q4_0")
        #expect(manifest == "/r/Q4_0.json")
        #expect(model.location.description == "M:Q4_0")
        #expect(model.folder.path.hasSuffix("models/M/Q4_0"))
    }

    @Test func `The registry is queried with the model's and the quantisation's name`() async throws {
        let server = try await ModelServer.start()
        let hub = try TestHub(server)
        _ = await hub.error { _ = try await hub.hub.download(.named("A B&c", quantization: "q4_0")) }
        let query = try #require(server.requests("/registry/api/edge-sdk/model-manifest").first).query
        #expect(query == ["model_name": "A B&c", "quantization_method": "Q4_0"])
    }

    @Test(arguments: [
        ServedFile(text: "<html>shut down</html>"), ServedFile(text: "{}"), ServedFile(text: ""),
    ])
    func `A registry with an invalid response is skipped`(answer: ServedFile) async throws {
        let files = bundle.merging(["/registry/api/edge-sdk/model-manifest": answer]) { $1 }
        #expect(try await source(files, "M:Q4_0").0 == "/hf/LiquidAI/LeapBundles/resolve/main/M-GGUF/Q4_0.json")
    }

    @Test func `A registry that refers to an unsafe URL is an error`() async throws {
        let answer = ServedFile(text: "{\"manifest_url\": \"file:///etc/passwd\"}")
        let files = bundle.merging(["/registry/api/edge-sdk/model-manifest": answer]) { $1 }
        let error = try await error(files, "M:Q4_0")
        guard case .redirectRefused = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `An unreachable registry is skipped without waiting for retries`() async throws {
        let server = try await ModelServer.start(files: bundle)
        let hub = try TestHub(server) {
            $0.registry = URL(string: "http://nowhere.invalid") ?? $0.registry
            $0.retries = RetryPolicy(attempts: 5, firstPause: .seconds(60))
        }
        _ = try await hub.hub.download(ModelReference("M:Q4_0"))
    }

    @Test func `A repository's own manifest is tried next`() async throws {
        let (manifest, _) = try await source(
            [
                listing: ModelServer.listing([("M-Q4_0.gguf", 1000, nil), ("leap/Q4_0.json", 10, nil)]),
                "/hf/LiquidAI/M-GGUF/resolve/main/leap/Q4_0.json": ModelServer.manifest(model: "../M-Q4_0.gguf"),
                "/hf/LiquidAI/M-GGUF/resolve/main/M-Q4_0.gguf": ServedFile(bytes),
            ], "M:Q4_0")
        #expect(manifest == "/hf/LiquidAI/M-GGUF/resolve/main/leap/Q4_0.json")
    }

    @Test func `As a last resort, a manifest is made from file names`() async throws {
        let (manifest, model) = try await source(
            [
                listing: ModelServer.listing([
                    ("README.md", 10, nil), ("M-Q4_0.gguf", 1000, sha256(bytes)), ("M-Q8_0.gguf", 2000, nil),
                    ("mmproj-M-Q8_0.gguf", 1000, nil), ("mmproj-M-F16.gguf", 1000, nil),
                ]),
                "/hf/LiquidAI/M-GGUF/resolve/main/M-Q4_0.gguf": ServedFile(bytes),
                "/hf/LiquidAI/M-GGUF/resolve/main/mmproj-M-F16.gguf": ServedFile(bytes),
            ], "M:Q4_0")
        #expect(manifest == "/hf/LiquidAI/M-GGUF")
        #expect(model.manifest.inferenceType == "llama.cpp/image-to-text")
        #expect(model.files.map(\.name.text) == ["M-Q4_0.gguf", "mmproj-M-F16.gguf"])
        #expect(model.files.first?.sha256 == sha256(bytes))
    }

    @Test func `An audio model's files are found by name, preferring its quantisation`() async throws {
        let names = ["M-Q4_0.gguf", "mmproj-M-Q4_0.gguf", "vocoder-M-Q4_0.gguf", "tokenizer-M-Q4_0.gguf"]
        var files = [listing: ModelServer.listing(names.map { ($0, 1000, nil) } + [("vocoder-M-F16.gguf", 9, nil)])]
        for name in names { files["/hf/LiquidAI/M-GGUF/resolve/main/\(name)"] = ServedFile(bytes) }
        let (_, model) = try await source(files, "M:Q4_0")
        #expect(model.files.map(\.name.text) == names)
        #expect(model.manifest.inferenceType == "llama.cpp/lfm2-audio-v1")
    }

    @Test(arguments: [("hf:org/repo", "Q4_K_M"), ("hf:org/repo:q8_0", "Q8_0")])
    func `Any repository works, with a default quantisation`(
        reference: String, quantization: String
    ) async throws {
        let commit = String(repeating: "0a", count: 20)
        let file = "sub/model.\(quantization).gguf"
        let (_, model) = try await source(
            [
                "/hf/api/models/org/repo": ServedFile(
                    text: "{\"sha\": \"\(commit)\", \"siblings\": [{\"rfilename\": \"sub/model.Q4_K_M.gguf\"}, "
                        + "{\"rfilename\": \"sub/model.Q8_0.gguf\"}, {\"rfilename\": \"../../evil.Q8_0.gguf\"}]}"),
                "/hf/org/repo/resolve/\(commit)/\(file)": ServedFile(bytes),
            ], reference)
        #expect(model.location.description == "hf:org/repo:\(quantization)")
        #expect(model.folder.path.hasSuffix("models/org--repo/\(quantization)"))
    }

    @Test func `The parts of a split set are one model`() async throws {
        let names = (1...2).map { "M-Q4_0-0000\($0)-of-00002.gguf" }
        var files = [listing: ModelServer.listing(names.map { ($0, 1000, nil) })]
        for name in names { files["/hf/LiquidAI/M-GGUF/resolve/main/\(name)"] = ServedFile(bytes) }
        #expect(try await source(files, "M").1.files.map(\.name.text) == names)
    }

    /// As many files as a list of four megabytes holds. Reading it once took half a minute.
    @Test(.timeLimit(.minutes(1)))
    func `A model is found among eighty-five thousand files`() async throws {
        let names = (0..<45_000).map { "data/part-\($0).bin" } + (0..<40_000).map { "m\($0)-Q8_0.gguf" }
        let siblings = names.map { "{\"rfilename\":\"\($0)\"}" }.joined(separator: ",")
        let (_, model) = try await source(
            [
                "/hf/api/models/org/repo": ServedFile(text: "{\"siblings\":[\(siblings)]}"),
                "/hf/org/repo/resolve/main/m0-Q8_0.gguf": ServedFile(bytes),
            ], "hf:org/repo:Q8_0")
        #expect(model.files.map(\.name.text) == ["m0-Q8_0.gguf"])
    }

    @Test func `The error for an unknown model lists the available ones, closest first`() async throws {
        let error = try await error(
            [
                bundles: ModelServer.listing([
                    ("LFM2-700M-GGUF/Q4_0.json", 1, nil), ("LFM2-1.2B-GGUF/Q4_0.json", 1, nil), ("README.md", 1, nil),
                ]),
                "/registry/api/models": ServedFile(
                    text: "{\"models\": [{\"name\": \"LFM2 350M\", \"model_slug\": \"LFM2-350M\", "
                        + "\"quantization_slugs\": [\"Q8_0\"], \"quantization_types\": []}]}"),
            ], "LFM2-1.3B:Q4_0")
        #expect(error == .unknownModel("LFM2-1.3B", available: ["LFM2-1.2B", "LFM2-350M", "LFM2-700M"]))
    }

    @Test func `The error for an unknown quantisation lists the available ones, closest first`() async throws {
        let expected = HubError.unknownQuantization("Q4_1", model: "M", available: ["Q4_0", "Q8_0"])
        #expect(
            try await error(
                [listing: ModelServer.listing([("M-Q8_0.gguf", 1, nil), ("M-Q4_0.gguf", 1, nil)])], "M:Q4_1")
                == expected)
        let repository = ModelServer.listing([("M-Q8_0.gguf", 1, nil), ("M-Q4_0.gguf", 1, nil)])
        #expect(
            try await error(["/hf/api/models/org/repo": repository], "hf:org/repo:Q4_1")
                == .unknownQuantization("Q4_1", model: "org/repo", available: ["Q4_0", "Q8_0"]))
    }

    @Test func `A name is found ignoring case`() async throws {
        let (_, model) = try await source(
            [
                bundles: ModelServer.listing([("LFM2-1.2B-GGUF/Q4_0.json", 1, nil)]),
                "/hf/LiquidAI/LeapBundles/resolve/main/LFM2-1.2B-GGUF/Q4_0.json": ModelServer.manifest(model: "m.gguf"),
                "/hf/LiquidAI/LeapBundles/resolve/main/LFM2-1.2B-GGUF/m.gguf": ServedFile(bytes),
            ], "lfm2-1.2b")
        #expect(model.location.description == "LFM2-1.2B:Q4_0")
    }

    @Test func `A repository without models is an error`() async throws {
        let error = try await error(
            ["/hf/api/models/org/repo": ModelServer.listing([("README.md", 1, nil)])], "hf:org/repo")
        guard case .unexpectedContent(_, expected: "a repository with GGUF files", found: "one without") = error else {
            Issue.record("unexpected outcome")
            return
        }
    }

    @Test func `If no source responds, the error lists the failure of each`() async throws {
        let server = try await ModelServer.start { _, connection in
            try await connection.respond(500, text: "broken")
            return true
        }
        let hub = try TestHub(server)
        let error = await hub.error { _ = try await hub.hub.download(ModelReference("M:Q4_0")) }
        guard case .unresolved("M:Q4_0", let reasons) = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
        // The registry, the bundles, the repository, and both lists of available models.
        #expect(reasons.count == 5 && reasons.allSatisfy { $0.contains("500: broken") })
    }

    @Test func `Offline, only downloaded models are available`() async throws {
        let server = try await ModelServer.start(files: [
            "/registry/api/edge-sdk/model-manifest": ServedFile(text: "{\"manifest_url\": \"/r/Q4_0.json\"}"),
            "/r/Q4_0.json": ModelServer.manifest(model: "m.gguf"), "/r/m.gguf": ServedFile(bytes),
        ])
        let hub = try TestHub(server)
        let model = try await hub.hub.download(ModelReference("M:Q4_0"))
        var configuration = hub.hub.configuration
        configuration.isOffline = true
        let offline = Hub(configuration: configuration)
        let count = server.server.requests.count
        #expect(try await offline.download(ModelReference("M:Q4_0")) == model)
        #expect(try await offline.download(ModelReference("M")) == model)
        for reference in [ModelReference.named("N", quantization: "Q4_0"), .repository("a/b", quantization: nil)] {
            guard case .offline = await hub.error({ _ = try await offline.download(reference) }) else {
                Issue.record("unexpected outcome")
                continue
            }
        }
        #expect(server.server.requests.count == count)
    }
}
