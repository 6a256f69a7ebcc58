import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Model files that end too early, although everything that the server stated is consistent.
@Suite(.timeLimit(.minutes(5)))
struct TruncatedFileTests {
    private let bytes = ServedFile.model(size: 300_000)

    /// How a server that states no length ends a body.
    enum Ending: CaseIterable, Sendable { case chunks, close }

    /// A server that states neither length nor hash, and truncates some of its responses.
    private func silentServer(
        _ ending: Ending, tag: String? = nil, cuts: @escaping @Sendable (Int) -> Int?
    ) async throws -> ModelServer {
        let bytes = bytes
        let requests = Counter()
        return try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: "model.gguf")]) {
            request, connection in
            guard request.path == "/m/model.gguf" else { return false }
            guard request.method == "GET" else {
                try await connection.respond(405)
                return true
            }
            let body = bytes.prefix(cuts(requests.increase()) ?? bytes.count)
            let tag = tag.map { "ETag: \($0)\r\n" } ?? ""
            switch ending {
            case .chunks:
                try await connection.write("HTTP/1.1 200 OK\r\n\(tag)Transfer-Encoding: chunked\r\n\r\n")
                try await connection.write(String(body.count, radix: 16) + "\r\n")
                try await connection.write(body + Data("\r\n0\r\n\r\n".utf8))
            case .close:
                try await connection.write("HTTP/1.1 200 OK\r\n\(tag)Connection: close\r\n\r\n")
                try await connection.write(Data(body))
                connection.close()
            }
            return true
        }
    }

    /// A cut in the header, in the table, in the tensor, and before its last byte.
    @Test(arguments: [7, 40, 100, 150_000, 299_999], Ending.allCases)
    func `A file that ends before its last tensor is refused, even without a stated size`(
        count: Int, ending: Ending
    ) async throws {
        let server = try await silentServer(ending) { _ in count }
        let hub = try TestHub()
        let error = await hub.error(server.url("/m/manifest.json"))
        guard case .incomplete(server.url("/m/model.gguf").absoluteString, let reason) = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
        #expect(reason.contains("Download it again"))
        #expect(hub.files() == [])
        #expect(try hub.hub.store.models() == [])
    }

    @Test(arguments: Ending.allCases, [nil, "\"v1\""])
    func `A truncated response without a length is retried`(ending: Ending, tag: String?) async throws {
        let server = try await silentServer(ending, tag: tag) { $0 == 0 ? 100_000 : nil }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").count == 2)
    }

    @Test func `A truncated file is refused even if the stated length matches`() async throws {
        let cut = bytes.prefix(200_000)
        let server = try await modelServer(Data(cut))
        let hub = try TestHub()
        guard case .incomplete = await hub.error(server.url("/m/manifest.json")) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(hub.files() == [])
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test func `Each part of a split model must be complete`() async throws {
        let parts = (1...3).map { "m-0000\($0)-of-00003.gguf" }
        var files = ["/m/manifest.json": ModelServer.manifest(model: parts[0])]
        for part in parts { files["/m/" + part] = ServedFile(bytes) }
        files["/m/" + parts[1]] = ServedFile(bytes.dropLast(10))
        let server = try await ModelServer.start(files: files)
        guard
            case .incomplete(server.url("/m/" + parts[1]).absoluteString, _) = try await TestHub().error(
                server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
    }

    @Test func `A file with an unknown tensor type is not reported as truncated`() async throws {
        var future = bytes
        // The tensor's type.
        future[90] = 250
        let server = try await modelServer(future)
        let model = try await TestHub().download(server.url("/m/manifest.json"))
        #expect(model.size == 300_000)
    }

    // MARK: Truncated models from older versions

    /// Truncates a model on the disk, and adapts its manifest so that it appears complete.
    private func leaveCut(_ model: StoredModel, at count: Int) throws {
        let file = try #require(model.url(of: .model))
        let cut = try Data(contentsOf: file).prefix(count)
        try cut.write(to: file)
        let manifest = model.folder.appending(path: "manifest.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
            .replacing("\"size\": \(bytes.count)", with: "\"size\": \(count)")
            .replacing(sha256(bytes), with: sha256(Data(cut)))
        try Data(text.utf8).write(to: manifest)
    }

    @Test(arguments: [true, false])
    func `A truncated model is downloaded again without force`(tellsSize: Bool) async throws {
        let server = try await (tellsSize ? modelServer(bytes) : silentServer(.chunks) { _ in nil })
        let hub = try TestHub()
        let reference = ModelReference.manifest(server.url("/m/manifest.json"))
        let model = try await hub.hub.download(reference)
        try leaveCut(model, at: 123_456)
        #expect(try hub.hub.cached(reference)?.size == 123_456)

        let mended = try await hub.hub.download(reference)
        #expect(mended == model)
        #expect(try Data(contentsOf: try #require(mended.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").count == 2)
        _ = try await hub.hub.download(reference)
        #expect(server.requests("/m/model.gguf").count == 2)
    }

    @Test func `A truncated model can be repaired`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let reference = ModelReference.manifest(server.url("/m/manifest.json"))
        let model = try await hub.hub.download(reference)
        try leaveCut(model, at: 200_000)
        let repaired = try await hub.hub.repair(try #require(try hub.hub.cached(reference)))
        #expect(repaired?.size == 300_000)
    }

    @Test func `Offline, a truncated model is an error`() async throws {
        let server = try await modelServer(bytes)
        let hub = try TestHub()
        let reference = ModelReference.manifest(server.url("/m/manifest.json"))
        let model = try await hub.hub.download(reference)
        try leaveCut(model, at: 200_000)
        var configuration = hub.hub.configuration
        configuration.isOffline = true
        let offline = Hub(configuration: configuration)
        guard case .incomplete(let path, _) = await hub.error({ _ = try await offline.download(reference) }) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(path.hasSuffix("model.gguf"))
    }
}
