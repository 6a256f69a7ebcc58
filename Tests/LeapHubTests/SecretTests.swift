import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Secrets in URLs: user names, passwords, signatures.
@Suite(.timeLimit(.minutes(5)))
struct SecretTests {
    private let bytes = ServedFile.model(size: 300_000)

    /// A manifest's URL with a secret in its query, and with a user's name and password.
    private func secretURL(_ server: ModelServer) throws -> URL {
        let port = server.server.port
        return try #require(URL(string: "http://me:hush1@127.0.0.1:\(port)/m/manifest.json?signature=hush2"))
    }

    /// A server whose manifest refers to a signed URL of the model.
    private func server(intercept: @escaping ModelServer.Interception = { _, _ in false }) async throws -> ModelServer {
        try await ModelServer.start(
            files: [
                "/m/manifest.json": ModelServer.manifest(model: "model.gguf?signature=hush3"),
                "/m/model.gguf": ServedFile(bytes),
            ], intercept: intercept)
    }

    /// The files that contain a secret.
    private func leaks(_ hub: TestHub) throws -> [String] {
        try hub.files().filter { name in
            let bytes = try Data(contentsOf: hub.models.appending(path: name))
            return bytes.range(of: Data("hush".utf8)) != nil
        }
    }

    @Test func `The store contains no secrets of URLs`() async throws {
        let server = try await server()
        let hub = try TestHub()
        let model = try await hub.download(secretURL(server))
        #expect(try leaks(hub) == [])
        #expect(model.manifest.originalUrl == server.url("/m/manifest.json").absoluteString)
        #expect(model.files.map(\.url) == [server.url("/m/model.gguf").absoluteString])
        #expect(server.requests("/m/model.gguf").last?.query == ["signature": "hush3"])
        // It is found again by the same URL.
        let count = server.server.requests.count
        #expect(try await hub.download(secretURL(server)) == model)
        #expect(server.server.requests.count == count)
    }

    @Test func `Partial files contain no secrets, are private, and can be resumed`() async throws {
        let file = ServedFile(bytes)
        let isCut = Counter()
        let server = try await server { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", isCut.increase() == 0 else { return false }
            try await connection.serve(file, to: request, cut: 100_000)
            return true
        }
        let hub = try TestHub { $0.retries.attempts = 1 }
        let error = try #require(await hub.error(secretURL(server)))
        #expect(!"\(error)".contains("hush"))
        #expect(partialSize(hub) > 0 && partialSize(hub) <= 100_000)
        #expect(try leaks(hub) == [])
        let record = try #require(hub.files().first { $0.hasSuffix(".incomplete.json") })
        let attributes = try FileManager.default.attributesOfItem(atPath: hub.models.appending(path: record).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let model = try await hub.download(secretURL(server))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").last?.rangeStart ?? 0 > 0)
    }

    @Test(arguments: [
        "file:///etc/x?hush", "http://example.com/x.gguf?s=hush", "/x?hush", "../../../x?hush", "~/x?hush",
    ])
    func `A refused reference is reported without its query`(reference: String) async throws {
        let server = try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: reference)])
        let error = try #require(await TestHub().error(secretURL(server)))
        #expect(!"\(error)".contains("hush"), "\(error)")
    }

    @Test func `The description of a manifest reference has no secrets`() throws {
        let url = try #require(URL(string: "https://me:hush@example.com/m.json?s=hush"))
        #expect("\(ModelReference.manifest(url))" == "https://example.com/m.json?…")
        let error = #expect(throws: HubError.self) { try ModelReference("http://exa mple/m.json?s=hush") }
        #expect(!"\(String(describing: error))".contains("hush"))
    }
}
