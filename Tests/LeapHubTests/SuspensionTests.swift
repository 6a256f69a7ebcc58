import Foundation
import LeapHub
import Synchronization
import Testing
import _LeapHTTPTestSupport

/// A system that suspends processes, as on phones.
private final class SuspendingSystem: Sendable {
    private let bodies = Mutex<[@Sendable (Bool) -> Void]>([])
    /// The threads of activities that have returned to the system.
    let returned = Counter()

    /// - Parameter grants: Whether activities may run at all.
    func activity(grants: Bool = true) -> ProcessActivity {
        ProcessActivity(
            perform: { body in
                self.bodies.withLock { $0.append(body) }
                Thread.detachNewThread {
                    body(!grants)
                    self.returned.increase()
                }
            }, pause: .milliseconds(1))
    }

    var activities: Int { bodies.withLock { $0.count } }

    /// Tells the latest activity to end.
    func suspend() { bodies.withLock { $0.last }?(true) }
}

@Suite(.timeLimit(.minutes(5)))
struct SuspensionTests {
    private let bytes = ServedFile.model(size: 300_000)

    /// A server that says nothing more after the first 100,000 bytes until it is asked again.
    private func pausingServer() async throws -> ModelServer {
        let bytes = bytes
        let isPaused = Counter()
        return try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", isPaused.increase() == 0 else {
                return false
            }
            try await connection.respond(headers: ["ETag": "\"v1\"", "Content-Length": "300000"], omitsBody: true)
            try await connection.write(bytes.prefix(100_000))
            await connection.waitForClose()
            return true
        }
    }

    /// Waits until a download has begun its activity, and has got no further than the server lets it.
    private func waitForHalf(_ hub: TestHub, _ system: SuspendingSystem) async throws {
        while partialSize(hub) < 100_000 { try await Task.sleep(for: .milliseconds(5)) }
        while system.activities < 1 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `A download ends before the process is suspended, and goes on when it runs again`() async throws {
        let server = try await pausingServer()
        let system = SuspendingSystem()
        let hub = try TestHub { $0.activity = system.activity() }
        let download = Task { try await hub.download(server.url("/m/manifest.json")) }
        try await waitForHalf(hub, system)
        #expect(system.activities == 1 && system.returned.count == 0)
        system.suspend()
        let model = try await download.value
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").compactMap(\.rangeStart) == [100_000])
        #expect(system.activities == 2)
        while system.returned.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `A cancelled download ends its activity and does not begin again`() async throws {
        let server = try await pausingServer()
        let system = SuspendingSystem()
        let hub = try TestHub { $0.activity = system.activity() }
        let download = Task { try await hub.download(server.url("/m/manifest.json")) }
        try await waitForHalf(hub, system)
        download.cancel()
        await #expect(throws: CancellationError.self) { _ = try await download.value }
        while system.returned.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(system.activities == 1)
    }

    @Test func `A process that is granted no activity downloads as long as it runs`() async throws {
        let server = try await modelServer(bytes)
        let system = SuspendingSystem()
        let hub = try TestHub { $0.activity = system.activity(grants: false) }
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(system.activities == 1)
    }

    @Test func `Work that was done in spite of a cancellation counts`() async throws {
        let system = SuspendingSystem()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await system.activity().run { 1 }
        }
        #expect(try await task.value == 1)
    }

    @Test func `Errors of the work are those of the activity`() async throws {
        struct Failure: Error {}
        let system = SuspendingSystem()
        await #expect(throws: Failure.self) { try await system.activity().run { throw Failure() } }
        while system.returned.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
