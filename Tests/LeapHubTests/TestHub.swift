import Foundation
import LeapDigest
import LeapHTTP
import LeapHub
import Synchronization
import _LeapHTTPTestSupport

/// A hub with its own folder, short pauses, and test servers in place of the vendor's and Hugging Face's.
final class TestHub: Sendable {
    let hub: Hub
    /// Removed with this hub. A download that outlives the hub creates the folder again, and leaves it behind.
    let folder: URL
    /// Kept alive, and serving, as long as this hub.
    private let server: ModelServer?

    init(
        _ server: ModelServer? = nil, token: String? = nil, configure: (inout HubConfiguration) -> Void = { _ in }
    ) throws {
        self.server = server
        folder = FileManager.default.temporaryDirectory.appending(path: "leap-hub-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = HubConfiguration(models: folder.appending(path: "models"), token: token)
        if let server {
            configuration.registry = server.url("/registry")
            configuration.huggingFace = server.url("/hf")
        }
        configuration.retries = RetryPolicy(
            attempts: 4, firstPause: .milliseconds(1), longestPause: .milliseconds(40))
        configuration.timeouts = TransportTimeouts(connect: .seconds(10), idle: .seconds(10))
        configure(&configuration)
        hub = Hub(configuration: configuration)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var models: URL { hub.configuration.models }

    /// Downloads the model of a manifest. Unlike a download of ``hub``, it keeps the folder until it has ended.
    func download(
        _ manifest: URL, isForced: Bool = false,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> StoredModel {
        try await hub.download(.manifest(manifest), isForced: isForced, progress: progress)
    }

    /// The error of a download.
    func error(_ manifest: URL) async -> HubError? { await error { _ = try await self.download(manifest) } }

    func error(_ body: () async throws -> Void) async -> HubError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? HubError
        }
    }

    /// All files below the folder of models, by their paths.
    func files() -> [String] {
        let names = FileManager.default.enumerator(atPath: models.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let path = models.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? !isFolder.boolValue : true
        }.sorted()
    }
}

/// A server with one model: `/m/manifest.json` refers to `model.gguf` beside it.
func modelServer(
    _ bytes: Data, tag: String? = "\"v1\"", headers: [String: String] = [:],
    intercept: @escaping ModelServer.Interception = { _, _ in false }
) async throws -> ModelServer {
    try await ModelServer.start(
        files: [
            "/m/manifest.json": ModelServer.manifest(model: "model.gguf"),
            "/m/model.gguf": ServedFile(bytes, tag: tag, headers: headers),
        ], intercept: intercept)
}

func sha256(_ bytes: Data) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// Counts events in a server or a handler.
final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    /// - Returns: The previous count.
    @discardableResult
    func increase() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}

/// Records the values passed to a handler.
final class Log<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var elements: [Element] { list.withLock { $0 } }

    func add(_ element: Element) { list.withLock { $0.append(element) } }
}
