import Foundation
import LeapHub
import LeapJSON
import Testing
import _LeapHTTPTestSupport

/// Models that are available without the network, from Hugging Face's own cache.
@Suite(.timeLimit(.minutes(5)))
struct OfflineTests {
    private let bytes = ServedFile.model(size: 5000)
    private let commit = String(repeating: "0123456789", count: 4)

    /// A hub in offline mode, whose servers do not exist.
    private func hub() throws -> TestHub {
        try TestHub { configuration in
            configuration.isOffline = true
            configuration.huggingFaceCache = configuration.models.deletingLastPathComponent().appending(path: "hub")
        }
    }

    /// Fills the cache as Hugging Face's programs do: blobs, links to them by commit, and the commit of `main`.
    private func fill(
        _ hub: TestHub, _ files: [String: Data], of repository: String = "org/repo", commits: [String]? = nil,
        main: String? = "0123456789012345678901234567890123456789\n", hashesBlobs: Bool = true
    ) throws {
        let name = "models--" + repository.replacing("/", with: "--")
        let folder = hub.folder.appending(path: "hub").appending(path: name)
        func write(_ data: Data, _ path: String) throws {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
        for (path, data) in files {
            let blob = hashesBlobs ? sha256(data) : String(sha256(data).prefix(40))
            try write(data, "blobs/\(blob)")
            for commit in commits ?? [commit] {
                let link = folder.appending(path: "snapshots/\(commit)/\(path)")
                try FileManager.default.createDirectory(
                    at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
                let up = String(repeating: "../", count: path.split(separator: "/").count + 1)
                try FileManager.default.createSymbolicLink(
                    atPath: link.path, withDestinationPath: "\(up)blobs/\(blob)")
            }
        }
        if let main { try write(Data(main.utf8), "refs/main") }
    }

    private func available(_ hub: TestHub, _ reference: String) async -> [String]? {
        let error = await hub.error { _ = try await hub.hub.download(ModelReference(reference)) }
        guard case .offline(_, let available) = error else {
            Issue.record("\(reference): unexpected outcome: \(String(describing: error))")
            return nil
        }
        return available
    }

    @Test(arguments: ["hf:org/repo", "hf:org/repo:Q4_0", "hf:org/repo:q4_0"], [true, false])
    func `A repository is found in Hugging Face's cache`(reference: String, hashesBlobs: Bool) async throws {
        let hub = try hub()
        try fill(hub, ["m-Q4_0.gguf": bytes, "README.md": Data("# M".utf8)], hashesBlobs: hashesBlobs)
        let model = try await hub.hub.download(ModelReference(reference))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(model.location.description == "hf:org/repo:Q4_0")
        #expect(model.files.map(\.sha256) == [sha256(bytes)])
        #expect(try hub.hub.cached(ModelReference(reference)) == model)
    }

    @Test func `A vendor model's name is found in Hugging Face's cache`() async throws {
        let hub = try hub()
        try fill(hub, ["M-Q8_0.gguf": bytes], of: "LiquidAI/M-GGUF")
        let model = try await hub.hub.download(ModelReference("M"))
        #expect(model.location.description == "M:Q8_0")
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
    }

    @Test func `A repository's own manifest is used if its files are in the cache`() async throws {
        for projector in ["mmproj-m.gguf", "mmproj-lost.gguf"] {
            let hub = try hub()
            let manifest = ModelServer.manifest(model: "../m-Q4_0.gguf", projector: "../\(projector)")
            try fill(
                hub,
                ["leap/Q4_0.json": manifest.bytes, "m-Q4_0.gguf": bytes, "mmproj-m.gguf": ServedFile.model(size: 5001)])
            let model = try await hub.hub.download(ModelReference("hf:org/repo:Q4_0"))
            #expect((model.manifest.json["from_the_future"] != nil) == (projector == "mmproj-m.gguf"))
            #expect(model.files.map(\.name.text) == ["m-Q4_0.gguf", "mmproj-m.gguf"])
        }
    }

    @Test func `Without a ref for main, the only commit is used`() async throws {
        let other = String(commit.reversed())
        for (commits, main) in [([commit], nil), ([commit, other], nil), ([commit], "../../org"), ([commit], other)] {
            let hub = try hub()
            try fill(hub, ["m-Q4_0.gguf": bytes], commits: commits, main: main)
            if commits.count == 1, main == nil {
                _ = try await hub.hub.download(ModelReference("hf:org/repo"))
            } else {
                #expect(await available(hub, "hf:org/repo") == [])
            }
        }
    }

    @Test func `A model with missing parts or files is not available`() async throws {
        let part = { (number: Int) in "m-Q4_0-0000\(number)-of-00002.gguf" }
        for second in [part(2), part(3)] {
            let hub = try hub()
            try fill(hub, [part(1): bytes, second: ServedFile.model(size: 5002)])
            if second == part(2) {
                #expect(try await hub.hub.download(ModelReference("hf:org/repo")).files.count == 2)
            } else {
                #expect(await available(hub, "hf:org/repo:Q4_0") != nil)
                #expect(hub.files() == [])
            }
        }
        let hub = try hub()
        try fill(hub, ["m-Q4_0.gguf": bytes])
        let blob = hub.folder.appending(path: "hub/models--org--repo/blobs").appending(path: sha256(bytes))
        try FileManager.default.removeItem(at: blob)
        #expect(await available(hub, "hf:org/repo") == [])
    }

    @Test func `The error lists the available models, closest names first`() async throws {
        let hub = try hub()
        try fill(hub, ["m-Q4_0.gguf": bytes, "m-Q8_0.gguf": bytes])
        try fill(hub, ["M-Q4_0.gguf": bytes], of: "LiquidAI/M-GGUF")
        _ = try await hub.hub.download(ModelReference("M:Q4_0"))
        let names = await available(hub, "hf:org/repo:Q5_0") ?? []
        #expect(names.prefix(2) == ["hf:org/repo:Q4_0", "hf:org/repo:Q8_0"])
        #expect(names.dropFirst(2).sorted() == ["M:Q4_0", "hf:LiquidAI/M-GGUF:Q4_0"])
        #expect(await available(hub, "N:Q4_0")?.first == "M:Q4_0")
        #expect(await available(try self.hub(), "hf:org/repo") == [])
    }
}
