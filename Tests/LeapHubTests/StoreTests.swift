import Foundation
import LeapHub
import LeapJSON
import Testing
import _LeapHTTPTestSupport

/// The models on the disk.
@Suite(.timeLimit(.minutes(5)))
struct StoreTests {
    private let bytes = ServedFile.model(size: 5000)

    @Test func `A downloaded model causes no further requests`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        let count = server.server.requests.count
        #expect(try await hub.download(server.url("/m/manifest.json")) == model)
        #expect(server.server.requests.count == count)
    }

    @Test func `Models are listed, and removed with their folders`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        #expect(try hub.hub.store.models() == [])
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try hub.hub.store.models() == [model])
        #expect(try hub.hub.store.remove(model.location))
        #expect(try hub.hub.store.models() == [])
        #expect(try !hub.hub.store.remove(model.location))
        #expect(try FileManager.default.contentsOfDirectory(atPath: hub.models.path) == [])
    }

    @Test func `A model can be removed by several processes at once`() async throws {
        let hub = try TestHub()
        let store = hub.hub.store
        let location = ModelLocation(model: try FileName("mine"), quantization: try FileName("Q4_0"))
        let folder = store.url(of: location)
        for _ in 0..<50 {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for index in 0..<50 { try Data().write(to: folder.appending(path: "\(index)")) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try store.remove(location) } }
                try await group.waitForAll()
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test func `A model from a manifest is found by the name it is listed under`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        let listed = try ModelReference("\(model.location)")
        #expect(try hub.hub.cached(listed) == model)
        #expect(try await hub.hub.download(listed) == model)
        #expect(server.requests("/m/model.gguf").count == 1)
        #expect(try await hub.hub.download(listed, isForced: true) == model)
        #expect(server.requests("/m/model.gguf").count == 2)
        try hub.hub.store.remove(model.location)
        #expect(try hub.hub.cached(listed) == nil)
    }

    @Test func `A model from a manifest is downloaded again by its name if its file was truncated`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        try bytes.prefix(100).write(to: try #require(model.url(of: .model)))
        #expect(try await hub.hub.download(ModelReference("\(model.location)")) == model)
        #expect(server.requests("/m/model.gguf").count == 2)
    }

    @Test func `A name does not stand for a URL whose query is not stored`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub(server)
        let first = try await hub.download(server.url("/m/manifest.json?key=secret&model=a"))
        let second = try await hub.download(server.url("/m/manifest.json?model=b"))
        #expect(first.location != second.location)
        let count = server.server.requests.count
        let reference = try ModelReference("\(first.location)")
        let error = await hub.error { _ = try await hub.hub.download(reference, isForced: true) }
        guard case .unresolved("\(reference)", let reasons) = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
        let url = server.url("/m/manifest.json").absoluteString
        #expect(reasons.count == 1 && reasons[0].hasPrefix("it came from \(url)?…"))
        #expect(server.server.requests.count == count)
        #expect(try hub.hub.store.models().count == 2)
    }

    @Test func `Old temporary files of killed processes are removed by the next download`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let manifest = ModelReference.manifest(server.url("/m/manifest.json"))
        let folder = try await hub.hub.download(manifest).folder
        let names = ["manifest.json", "model.gguf"].map { ".\($0).\(UUID().uuidString)" } + [".notes.txt"]
        let young = ".manifest.json.\(UUID().uuidString)"
        for name in names + [young] { try Data("{".utf8).write(to: folder.appending(path: name)) }
        let date = Date.now.addingTimeInterval(-3600)
        for name in names {
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: folder.appending(path: name).path)
        }
        try FileManager.default.removeItem(at: folder.appending(path: "manifest.json"))
        _ = try await hub.hub.download(manifest)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
        #expect(left.sorted() == [young, ".notes.txt"].sorted())
    }

    @Test func `A model whose file was truncated or removed is downloaded again`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let manifest = ModelReference.manifest(server.url("/m/manifest.json"))
        let model = try await hub.hub.download(manifest)
        let file = try #require(model.url(of: .model))
        for damage in [bytes.dropLast(), nil] {
            if let damage { try damage.write(to: file) } else { try FileManager.default.removeItem(at: file) }
            #expect(try hub.hub.cached(manifest) == nil)
            _ = try await hub.hub.download(manifest)
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    @Test func `A broken manifest does not hide other models`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        let broken = hub.models.appending(path: "broken/Q4_0")
        try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: broken.appending(path: "manifest.json"))
        #expect(try hub.hub.store.models() == [model])
    }

    @Test func `A forced download removes nothing before it has the manifest`() async throws {
        let isDown = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard isDown.count == 1 else { return false }
            try await connection.respond(404)
            return true
        }
        let hub = try TestHub()
        let manifest = ModelReference.manifest(server.url("/m/manifest.json"))
        let model = try await hub.hub.download(manifest)
        isDown.increase()
        guard case .notFound = await hub.error({ _ = try await hub.hub.download(manifest, isForced: true) }) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(try hub.hub.cached(manifest) == model)
        isDown.increase()
        #expect(try await hub.hub.download(manifest, isForced: true) == model)
        #expect(server.requests("/m/model.gguf").count == 2)
    }

    @Test func `A forced download that fails leaves the model that is here`() async throws {
        let isGone = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", isGone.count > 0 else { return false }
            try await connection.respond(404, omitsBody: true)
            return true
        }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        let files = hub.files()
        isGone.increase()
        let error = await hub.error { _ = try await hub.download(server.url("/m/manifest.json"), isForced: true) }
        #expect(error == .notFound(server.url("/m/model.gguf").absoluteString))
        #expect(try hub.hub.store.models() == [model])
        #expect(hub.files() == files)
    }

    @Test func `A forced download needs space for a second copy`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub { $0.availableSpace = { _ in 7000 } }
        let model = try await hub.download(server.url("/m/manifest.json"))
        var configuration = hub.hub.configuration
        configuration.availableSpace = { _ in 4000 }
        let full = Hub(configuration: configuration)
        let error = await hub.error {
            _ = try await full.download(.manifest(server.url("/m/manifest.json")), isForced: true)
        }
        guard case .insufficientSpace(_, need: 5000, have: 4000) = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
        #expect(try hub.hub.store.models() == [model])
    }

    @Test func `A forced download removes the files of the old model that the new one does not have`() async throws {
        let isNew = Counter()
        let server = try await ModelServer.start(files: [
            "/m/a.gguf": ServedFile(bytes), "/m/mmproj-a.gguf": ServedFile(bytes), "/m/b.gguf": ServedFile(bytes),
        ]) { request, connection in
            guard request.path == "/m/manifest.json" else { return false }
            let manifest =
                isNew.count > 0
                ? ModelServer.manifest(model: "b.gguf")
                : ModelServer.manifest(model: "a.gguf", projector: "mmproj-a.gguf")
            try await connection.serve(manifest, to: request)
            return true
        }
        let hub = try TestHub()
        let url = server.url("/m/manifest.json")
        #expect(try await hub.download(url).files.count == 2)
        isNew.increase()
        #expect(try await hub.download(url, isForced: true).files.map(\.name.text) == ["b.gguf"])
        #expect(hub.files().map { $0.split(separator: "/").last } == ["b.gguf", "manifest.json"])
    }

    @Test func `Repair downloads only the files whose bytes changed`() async throws {
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(model: "a.gguf", projector: "mmproj-a.gguf"),
            "/m/a.gguf": ServedFile(bytes), "/m/mmproj-a.gguf": ServedFile(bytes),
        ])
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try await hub.hub.repair(model) == nil)
        var damaged = bytes
        damaged[3000] ^= 0xFF
        try damaged.write(to: try #require(model.url(of: .model)))
        let repaired = try #require(try await hub.hub.repair(model))
        #expect(try Data(contentsOf: try #require(repaired.url(of: .model))) == bytes)
        #expect(repaired.manifest.json["from_the_future"] != nil)
        #expect(server.requests("/m/a.gguf").count == 2)
        #expect(server.requests("/m/mmproj-a.gguf").count == 1)
    }

    @Test func `Hugging Face's cache is used if it has the file with the same hash`() async throws {
        let files = [
            "/hf/api/models/org/repo": ModelServer.listing([("m-Q4_0.gguf", 5000, sha256(bytes))]),
            "/hf/org/repo/resolve/main/m-Q4_0.gguf": ServedFile(bytes),
        ]
        for isSame in [true, false] {
            let server = try await ModelServer.start(files: files)
            let hub = try TestHub(server) { configuration in
                configuration.huggingFaceCache = configuration.models.deletingLastPathComponent().appending(path: "hub")
            }
            let blobs = hub.folder.appending(path: "hub/models--org--repo/blobs")
            try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: true)
            let blob = blobs.appending(path: sha256(isSame ? bytes : Data()))
            try bytes.write(to: blob)
            let model = try await hub.hub.download(ModelReference("hf:org/repo"))
            #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
            #expect(server.requests("/hf/org/repo/resolve/main/m-Q4_0.gguf").count == (isSame ? 0 : 1))
            try hub.hub.store.remove(model.location)
            #expect(FileManager.default.fileExists(atPath: blob.path))
        }
    }

    @Test func `Individual files are downloaded into a model's folder`() async throws {
        let server = try await ModelServer.start(files: [
            "/a/x.gguf": ServedFile(bytes), "/b/y.gguf": ServedFile(bytes),
        ])
        let hub = try TestHub()
        let location = ModelLocation(model: try FileName("mine"), quantization: try FileName("Q4_0"))
        let files = [ModelFileRole.model: server.url("/a/x.gguf"), .multimodalProjector: server.url("/b/y.gguf")]
        let model = try await hub.hub.download(files: files, to: location)
        #expect(model.url(of: .multimodalProjector)?.lastPathComponent == "y.gguf")
        let count = server.server.requests.count
        #expect(try await hub.hub.download(files: files, to: location) == model)
        #expect(server.server.requests.count == count)
    }

    @Test func `A file of the same name and size but another hash is downloaded again`() async throws {
        var other = bytes
        other[other.count - 1] ^= 1
        let server = try await ModelServer.start(files: [
            "/v1/x.gguf": ServedFile(bytes),
            "/v2/x.gguf": ServedFile(other, headers: ["X-Linked-Etag": "\"\(sha256(other))\""]),
        ])
        let hub = try TestHub()
        let location = ModelLocation(model: try FileName("mine"), quantization: try FileName("Q4_0"))
        _ = try await hub.hub.download(files: [.model: server.url("/v1/x.gguf")], to: location)
        let model = try await hub.hub.download(files: [.model: server.url("/v2/x.gguf")], to: location)
        #expect(try Data(contentsOf: #require(model.url(of: .model))) == other)
    }
}
