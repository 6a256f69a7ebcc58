import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport

/// Each test runs in its own process, so that files that other tests open are not counted.
@Suite(.timeLimit(.minutes(5)))
struct ResourceTests {
    @Test func `A thousand downloads leave nothing open`() async {
        await #expect(processExitsWith: .success) {
            // Several at a time, because each mostly waits for the disk.
            let folders = (1...8).map { "/m\($0)" }
            let files = folders.flatMap { folder in
                [
                    (folder + "/manifest.json", ModelServer.manifest(model: "model.gguf")),
                    (folder + "/model.gguf", ServedFile(ServedFile.model(size: 1000))),
                ]
            }
            let server = try await ModelServer.start(files: Dictionary(uniqueKeysWithValues: files))
            let hub = try TestHub()
            let left = try await OpenResources.left(after: 1000 / folders.count) {
                try await withThrowingTaskGroup { group in
                    for folder in folders {
                        group.addTask {
                            let model = try await hub.download(server.url(folder + "/manifest.json"))
                            try FileManager.default.removeItem(at: model.folder)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }

    @Test func `Hundreds of downloads that fail leave nothing open`() async {
        await #expect(processExitsWith: .success) {
            let bytes = ServedFile.model(size: 20_000)
            let server = try await modelServer(bytes) { request, connection in
                guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
                try await connection.serve(ServedFile(bytes), to: request, cut: 0)
                return true
            }
            let hub = try TestHub { $0.retries.attempts = 1 }
            let left = try await OpenResources.left(after: 100) {
                #expect(await hub.error(server.url("/m/manifest.json")) != nil)
                #expect(await hub.error(server.url("/missing.json")) != nil)
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }

    @Test func `Hundreds of downloads that are cancelled leave nothing open`() async {
        await #expect(processExitsWith: .success) {
            let server = try await modelServer(ServedFile.model(size: 20_000)) { request, connection in
                guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
                try await connection.respond(headers: ["Content-Length": "20000"], omitsBody: true)
                try await connection.write("GGUF")
                await connection.waitForClose()
                return true
            }
            let hub = try TestHub()
            let left = try await OpenResources.left(after: 100) {
                let hasBegun = Signal()
                let download = Task {
                    try await hub.download(server.url("/m/manifest.json")) { progress in
                        if progress.bytes > 0 { Task { await hasBegun.set() } }
                    }
                }
                await hasBegun.wait()
                download.cancel()
                await #expect(throws: CancellationError.self) { try await download.value }
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }

    @Test func `Hundreds of hubs and servers leave nothing open`() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 100) {
                let server = try await modelServer(ServedFile.model(size: 1000))
                let hub = try TestHub()
                _ = try await hub.download(server.url("/m/manifest.json"))
                await hub.hub.shutdown()
                _ = try await TestHub().download(server.url("/m/manifest.json"))
            }
            #expect(left.isNothing(besides: connections), "\(left)")
        }
    }
}

/// Both ends of the connections that a transport keeps for its next requests.
private let connections = 2 * TransportConfiguration().connectionsPerHost
