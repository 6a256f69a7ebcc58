import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Wrong lengths, encodings and hashes.
@Suite(.timeLimit(.minutes(5)))
struct IntegrityTests {
    private let bytes = ServedFile.model(size: 50_000)

    /// A server whose model is sent by a test.
    private func server(
        announcing headers: [String: String] = [:], _ send: @escaping @Sendable (ServerConnection) async throws -> Void
    ) async throws -> ModelServer {
        try await modelServer(bytes, headers: headers) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await send(connection)
            return true
        }
    }

    private func expectNothing(in hub: TestHub) {
        #expect(hub.files().filter { $0.hasSuffix("model.gguf") || $0.hasSuffix("manifest.json") } == [])
    }

    @Test(arguments: ["60000", "40000"])
    func `A length other than the announced one is refused`(length: String) async throws {
        let bytes = bytes
        let server = try await server(announcing: ["X-Linked-Size": "50000"]) {
            try await $0.respond(headers: ["Content-Length": length], body: bytes)
        }
        let hub = try TestHub()
        let url = server.url("/m/model.gguf").absoluteString
        let expected = HubError.sizeMismatch(url, expected: 50_000, found: Int64(length) ?? 0)
        #expect(await hub.error(server.url("/m/manifest.json")) == expected)
        expectNothing(in: hub)
        #expect(partial(hub) == nil)
    }

    @Test func `A download without an announced length succeeds`() async throws {
        let bytes = bytes
        let server = try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: "model.gguf")])
        {
            request, connection in
            guard request.path == "/m/model.gguf" else { return false }
            guard request.method == "GET" else {
                try await connection.respond(405)
                return true
            }
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: bytes.count, by: 7000) {
                let piece = bytes[start..<min(bytes.count, start + 7000)]
                try await connection.write(String(piece.count, radix: 16) + "\r\n")
                try await connection.write(Data(piece) + Data("\r\n".utf8))
            }
            try await connection.write("0\r\n\r\n")
            return true
        }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
    }

    @Test func `A negative length is an invalid response`() async throws {
        let server = try await server {
            try await $0.write("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nGGUF")
            $0.close()
        }
        let hub = try TestHub()
        guard case .network(.invalidResponse) = await hub.error(server.url("/m/manifest.json")) else {
            Issue.record("unexpected outcome")
            return
        }
        expectNothing(in: hub)
    }

    @Test func `A body larger than announced is aborted`() async throws {
        let bytes = bytes
        let server = try await server(announcing: ["X-Linked-Size": "50000"]) {
            try await $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<200 {
                try await $0.write(String(bytes.count, radix: 16) + "\r\n")
                try await $0.write(bytes + Data("\r\n".utf8))
            }
            try await $0.write("0\r\n\r\n")
        }
        let hub = try TestHub()
        guard case .sizeMismatch(_, expected: 50_000, let found) = await hub.error(server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(found > 50_000 && found < 5_000_000)
        expectNothing(in: hub)
    }

    @Test(arguments: ["gzip", "deflate", "br"])
    func `An unrequested content encoding is refused`(encoding: String) async throws {
        let bytes = bytes
        let server = try await server { try await $0.respond(headers: ["Content-Encoding": encoding], body: bytes) }
        let hub = try TestHub()
        #expect(
            await hub.error(server.url("/m/manifest.json"))
                == .unexpectedContent(
                    server.url("/m/model.gguf").absoluteString, expected: "unencoded content",
                    found: "'\(encoding)' encoding"))
        expectNothing(in: hub)
        #expect(server.requests("/m/model.gguf").first?.headers["accept-encoding"] == "identity")
    }

    @Test func `A wrong hash is an error with both hashes, and the file is deleted`() async throws {
        let other = sha256(Data("other".utf8))
        let bytes = bytes
        let server = try await server(announcing: ["X-Linked-Size": "50000", "X-Linked-Etag": "\"\(other)\""]) {
            try await $0.respond(headers: ["ETag": "\"v1\""], body: bytes)
        }
        let hub = try TestHub()
        let expected = HubError.sha256Mismatch(
            server.url("/m/model.gguf").absoluteString, expected: other, found: sha256(bytes))
        #expect(await hub.error(server.url("/m/manifest.json")) == expected)
        #expect(hub.files() == [])
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test func `A wrong hash is ignored if validation is off`() async throws {
        let server = try await modelServer(bytes, headers: ["X-Linked-Etag": "\"\(sha256(Data()))\""])
        let hub = try TestHub { $0.validatesSHA256 = false }
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
    }

    @Test(arguments: ["9223372036854775807", "99999999999999999999", "-1", "many"])
    func `An impossible announced size is ignored`(size: String) async throws {
        let file = ServedFile(bytes, headers: ["X-Linked-Size": size])
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(model: "model.gguf", projector: "mmproj-model.gguf"),
            "/m/model.gguf": file, "/m/mmproj-model.gguf": file,
        ])
        let hub = try TestHub()
        #expect(try await hub.download(server.url("/m/manifest.json")).size == 100_000)
    }

    @Test func `An HTML page in place of a model is refused`() async throws {
        let page = Data("<html>Please log in</html>".utf8)
        for type in ["text/html; charset=utf-8", "application/octet-stream"] {
            let server = try await ModelServer.start(files: [
                "/m/manifest.json": ModelServer.manifest(model: "model.gguf"),
                "/m/model.gguf": ServedFile(page, headers: ["Content-Type": type]),
            ])
            let hub = try TestHub()
            guard case .unexpectedContent(_, expected: _, found: _) = await hub.error(server.url("/m/manifest.json"))
            else {
                Issue.record("unexpected outcome")
                continue
            }
            #expect(hub.files() == [])
        }
    }
}
