import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Servers that stop sending.
@Suite(.timeLimit(.minutes(5)))
struct StallTests {
    private let bytes = ServedFile.model(size: 50_000)

    private func server(_ send: @escaping @Sendable (ServerConnection) async throws -> Void) async throws -> ModelServer
    {
        try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await connection.respond(headers: ["Content-Length": "50000", "ETag": "\"v1\""], omitsBody: true)
            try await send(connection)
            return true
        }
    }

    @Test func `No data for some time is a timeout`() async throws {
        let server = try await server { connection in
            try await connection.write("GGUF")
            await connection.waitForClose()
        }
        let hub = try TestHub {
            $0.timeouts.idle = .milliseconds(1500)
            $0.retries.attempts = 1
        }
        guard case .network(.timedOut(_, .idle, .milliseconds(1500))) = await hub.error(server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
    }

    @Test func `A trickle is a stall`() async throws {
        let server = try await server { connection in
            for _ in 0..<40_000 {
                try await connection.write("x")
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let hub = try TestHub {
            $0.timeouts.idle = .milliseconds(1500)
            $0.minimumRate = 100_000
            $0.retries.attempts = 1
        }
        switch await hub.error(server.url("/m/manifest.json")) {
        case .stalled(let url, let bytes, let time):
            #expect(url == server.url("/m/model.gguf").absoluteString)
            #expect(bytes < 50_000 && time >= .milliseconds(1500))
        // On a machine too busy to send the trickle in time.
        case .network(.timedOut(_, .idle, _)): break
        default: Issue.record("unexpected outcome")
        }
    }

    @Test func `A stalled download can be cancelled, and leaves its partial file but no lock`() async throws {
        let arrived = Counter()
        let server = try await server { connection in
            try await connection.write("GGUF")
            arrived.increase()
            await connection.waitForClose()
        }
        let hub = try TestHub()
        let download = Task { try await hub.download(server.url("/m/manifest.json")) }
        while partialSize(hub) < 4 { try await Task.sleep(for: .milliseconds(5)) }
        download.cancel()
        await #expect(throws: CancellationError.self) { _ = try await download.value }
        #expect(partialSize(hub) == 4)
        #expect(hub.files().allSatisfy { !$0.contains("lock") })
    }
}
