import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Error statuses, and which of them are retried.
@Suite(.timeLimit(.minutes(5)))
struct StatusTests {
    private let bytes = ServedFile.model(size: 5000)

    /// A server that responds to the first requests for the model with an error status.
    private func server(
        refusing times: Int, _ status: Int, headers: [String: String] = [:], text: String = ""
    ) async throws -> ModelServer {
        let count = Counter()
        return try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", count.increase() < times else {
                return false
            }
            try await connection.respond(status, headers: headers, text: text)
            return true
        }
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `Temporary error statuses are retried`(status: Int) async throws {
        let server = try await server(refusing: 2, status)
        _ = try await TestHub().download(server.url("/m/manifest.json"))
        #expect(server.requests("/m/model.gguf").count == 3)
    }

    @Test(arguments: [429, 500, 503])
    func `Persistent error statuses end after some attempts`(status: Int) async throws {
        let server = try await server(refusing: .max, status, text: "{\"error\": {\"message\": \"too busy\"}}")
        let hub = try TestHub()
        let url = server.url("/m/model.gguf").absoluteString
        #expect(await hub.error(server.url("/m/manifest.json")) == .status(url, status, "too busy"))
        #expect(server.requests("/m/model.gguf").count == 4)
    }

    @Test func `A short Retry-After is waited for`() async throws {
        let server = try await server(refusing: 1, 429, headers: ["Retry-After": "1"])
        let hub = try TestHub { $0.retries.longestPause = .seconds(2) }
        let start = ContinuousClock.now
        _ = try await hub.download(server.url("/m/manifest.json"))
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test func `A long Retry-After is not waited for`() async throws {
        let server = try await server(refusing: 1, 503, headers: ["Retry-After": "3600"], text: "maintenance")
        let hub = try TestHub()
        let url = server.url("/m/model.gguf").absoluteString
        #expect(await hub.error(server.url("/m/manifest.json")) == .status(url, 503, "maintenance"))
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test(arguments: [401, 403])
    func `The error for a restricted file says what to do`(status: Int) async throws {
        let server = try await server(
            refusing: .max, status, headers: ["X-Error-Message": "Access to model is restricted"])
        let error = try #require(await TestHub().error(server.url("/m/manifest.json")))
        let url = server.url("/m/model.gguf").absoluteString
        #expect(error == .accessDenied(url, status: status, "Access to model is restricted"))
        #expect("\(error)".contains("HF_TOKEN"))
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test(arguments: [404, 410])
    func `A missing file is not requested twice`(status: Int) async throws {
        let server = try await server(refusing: .max, status)
        let hub = try TestHub()
        #expect(
            await hub.error(server.url("/m/manifest.json")) == .notFound(server.url("/m/model.gguf").absoluteString))
        #expect(server.requests("/m/model.gguf").count == 1)
        #expect(hub.files() == [])
    }

    @Test(arguments: [400, 418, 505])
    func `Other error statuses are not retried`(status: Int) async throws {
        let server = try await server(refusing: .max, status, text: "no\nsecond line")
        let url = server.url("/m/model.gguf").absoluteString
        #expect(try await TestHub().error(server.url("/m/manifest.json")) == .status(url, status, "no"))
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test func `The text of a rejection that does not end is not waited for`() async throws {
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await connection.write("HTTP/1.1 418 No\r\nContent-Length: 4000\r\n\r\nno tea")
            await connection.waitForClose()
            return true
        }
        let url = server.url("/m/model.gguf").absoluteString
        #expect(try await TestHub().error(server.url("/m/manifest.json")) == .status(url, 418, "no tea"))
    }

    // MARK: HEAD

    /// A server that responds to every HEAD for the model with a status, and a length of its own.
    private func serverThatMistakesHead(_ status: Int, length: Int? = nil) async throws -> ModelServer {
        try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "HEAD" else { return false }
            let headers = length.map { ["Content-Length": "\($0)"] } ?? [:]
            try await connection.respond(status, headers: headers, omitsBody: true)
            return true
        }
    }

    @Test(arguments: [404, 410, 418, 429, 500, 503])
    func `A status of HEAD is no error if the file can be downloaded`(status: Int) async throws {
        let server = try await serverThatMistakesHead(status)
        let model = try await TestHub().download(server.url("/m/manifest.json"))
        #expect(model.size == 5000)
        #expect(server.requests("/m/model.gguf", method: "HEAD").count == 1)
        // The first one only asks whether the file is there.
        #expect(server.requests("/m/model.gguf").count == 2)
    }

    @Test(arguments: [0, 1, 4999, 5001, 1 << 40])
    func `A wrong length in a response to HEAD does not make the file wrong`(length: Int) async throws {
        let server = try await serverThatMistakesHead(200, length: length)
        let hub = try TestHub { $0.availableSpace = { _ in nil } }
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(model.size == 5000)
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test func `A forced download of a missing file removes nothing`() async throws {
        let isGone = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", isGone.count > 0 else { return false }
            try await connection.respond(404, omitsBody: true)
            return true
        }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        isGone.increase()
        let url = server.url("/m/model.gguf").absoluteString
        let error = await hub.error { _ = try await hub.download(server.url("/m/manifest.json"), isForced: true) }
        #expect(error == .notFound(url))
        #expect(try hub.hub.store.models() == [model])
    }

    @Test func `A stopped server is reported as a refused connection`() async throws {
        let server = try await modelServer(bytes)
        let url = server.url("/m/manifest.json")
        await server.server.stop()
        guard case .network(.connectionRefused) = try await TestHub().error(url) else {
            Issue.record("unexpected outcome")
            return
        }
    }
}
