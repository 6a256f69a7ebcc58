import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Full disks, concurrent downloads, and cancellation.
@Suite(.timeLimit(.minutes(5)))
struct SharingTests {
    private let bytes = ServedFile.model(size: 2_000_000)

    @Test func `A file that does not fit is refused before the download starts`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub { $0.availableSpace = { _ in 1_000_000 } }
        guard
            case .insufficientSpace(_, need: 2_000_000, have: 1_000_000) = await hub.error(
                server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(server.requests("/m/model.gguf") == [])
        #expect(hub.files() == [])
    }

    @Test func `A disk that fills up during a download gets its space back`() async throws {
        let questions = Counter()
        let isCut = Counter()
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", isCut.increase() == 0 else { return false }
            try await connection.serve(file, to: request, cut: 500_000)
            return true
        }
        // Enough at first, and almost none at the second attempt.
        let hub = try TestHub { $0.availableSpace = { _ in questions.increase() < 2 ? .max : 1000 } }
        let error = await hub.error(server.url("/m/manifest.json"))
        guard case .insufficientSpace(_, need: 1..<2_000_000, have: 1000) = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
        #expect(hub.files() == [])
    }

    @Test func `Concurrent downloads of one model transfer it once`() async throws {
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await Task.sleep(for: .milliseconds(100))
            try await connection.serve(file, to: request)
            return true
        }
        let hub = try TestHub()
        let other = Hub(configuration: hub.hub.configuration)
        let manifest = ModelReference.manifest(server.url("/m/manifest.json"))
        async let first = hub.hub.download(manifest)
        async let second = other.download(manifest)
        async let third = hub.hub.download(manifest)
        let models = try await [first, second, third]
        #expect(Set(models).count == 1)
        #expect(server.requests("/m/model.gguf").count == 1)
        #expect(try Data(contentsOf: try #require(models[0].url(of: .model))) == bytes)
        #expect(hub.files().count == 2)
    }

    @Test func `A download that waits for another takes over when that is cancelled`() async throws {
        let file = ServedFile(bytes)
        let requests = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", requests.increase() == 0 else {
                return false
            }
            try await connection.respond(headers: ["Content-Length": "2000000", "ETag": "\"v1\""], omitsBody: true)
            try await connection.write(file.bytes.prefix(1_000_000))
            await connection.waitForClose()
            return true
        }
        let hub = try TestHub()
        let first = Task { try await hub.download(server.url("/m/manifest.json")) }
        while partialSize(hub) < 1_000_000 { try await Task.sleep(for: .milliseconds(5)) }
        let second = Task { try await hub.download(server.url("/m/manifest.json")) }
        try await Task.sleep(for: .milliseconds(50))
        first.cancel()
        let model = try await second.value
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").map(\.rangeStart) == [nil, 1_000_000])
    }

    @Test func `A forced download waits for one that is running, and takes its file`() async throws {
        let file = ServedFile(bytes)
        let (requests, goesOn) = (Counter(), Counter())
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", requests.increase() == 0 else {
                return false
            }
            try await connection.respond(headers: ["Content-Length": "2000000", "ETag": "\"v1\""], omitsBody: true)
            try await connection.write(file.bytes.prefix(1_000_000))
            while goesOn.count == 0 { try await Task.sleep(for: .milliseconds(2)) }
            try await connection.write(file.bytes.dropFirst(1_000_000))
            return true
        }
        let hub = try TestHub()
        let first = Task { try await hub.download(server.url("/m/manifest.json")) }
        while partialSize(hub) < 1_000_000 { try await Task.sleep(for: .milliseconds(5)) }
        let forced = Task { try await hub.download(server.url("/m/manifest.json"), isForced: true) }
        while server.requests("/m/manifest.json").count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(200))
        goesOn.increase()
        let models = try await [first.value, forced.value]
        #expect(try Data(contentsOf: try #require(models[0].url(of: .model))) == bytes)
        #expect(models[0] == models[1])
        #expect(server.requests("/m/model.gguf").count == 1)
        #expect(hub.files().count == 2)
    }

    @Test func `A download whose file is removed ends long before all of it has arrived`() async throws {
        let file = ServedFile(bytes)
        let pieces = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await connection.respond(headers: ["Content-Length": "2000000", "ETag": "\"v1\""], omitsBody: true)
            for start in stride(from: 0, to: 2_000_000, by: 10_000) {
                try await connection.write(file.bytes[start..<start + 10_000])
                pieces.increase()
                try await Task.sleep(for: .milliseconds(100))
            }
            return true
        }
        let hub = try TestHub()
        let download = Task { try await hub.download(server.url("/m/manifest.json")) }
        while partialSize(hub) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try FileManager.default.removeItem(at: hub.models)
        guard case .file(_, "continue the download", _) = await hub.error({ _ = try await download.value }) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(pieces.count < 200)
        #expect(hub.files() == [])
    }

    @Test(arguments: [0, 1, 2, 5, 10, 20, 40])
    func `After cancellation at any moment, the next download completes the model`(milliseconds: Int) async throws {
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", request.rangeStart == nil else {
                return false
            }
            try await connection.respond(headers: ["Content-Length": "2000000", "ETag": "\"v1\""], omitsBody: true)
            for start in stride(from: 0, to: 2_000_000, by: 100_000) {
                try await connection.write(file.bytes[start..<start + 100_000])
                try await Task.sleep(for: .milliseconds(1))
            }
            return true
        }
        let hub = try TestHub()
        let first = Task { try await hub.download(server.url("/m/manifest.json")) }
        try await Task.sleep(for: .milliseconds(milliseconds))
        first.cancel()
        _ = await first.result
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(hub.files().count == 2)
    }

    @Test func `Several files are downloaded concurrently, with one progress`() async throws {
        let file = ServedFile(bytes)
        let running = Counter()
        let together = Counter()
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(model: "a.gguf", projector: "mmproj-a.gguf", type: "image-to-text")
        ]) { request, connection in
            guard request.path.hasSuffix(".gguf") else { return false }
            guard request.method == "GET" else {
                try await connection.serve(file, to: request)
                return true
            }
            running.increase()
            // Neither continues before both have arrived.
            while running.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
            together.increase()
            try await connection.serve(file, to: request)
            return true
        }
        let log = Log<TransferProgress>()
        let model = try await TestHub().download(server.url("/m/manifest.json")) { log.add($0) }
        #expect(together.count == 2)
        #expect(model.files.map(\.role) == [.model, .multimodalProjector])
        let progress = log.elements
        #expect(progress.allSatisfy { $0.total == 4_000_000 })
        #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
        #expect(progress.last?.bytes == 4_000_000)
        #expect(progress.last?.fraction == 1)
    }
}
