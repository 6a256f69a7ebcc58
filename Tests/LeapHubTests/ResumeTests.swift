import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Connections that break, and servers that do not support resuming correctly.
@Suite(.timeLimit(.minutes(5)))
struct ResumeTests {
    private let bytes = ServedFile.model(size: 300_000)

    private func download(_ server: ModelServer) async throws -> (Data, TestHub) {
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        return (try Data(contentsOf: try #require(model.url(of: .model))), hub)
    }

    @Test func `A complete file is byte-identical, and no other file remains`() async throws {
        let server = try await modelServer(bytes)
        let (found, hub) = try await download(server)
        #expect(found == bytes)
        #expect(hub.files().map { ($0 as NSString).lastPathComponent } == ["manifest.json", "model.gguf"])
        #expect(server.requests("/m/model.gguf").count == 1)
    }

    @Test func `A download whose connection is cut repeatedly resumes where it stopped`() async throws {
        let tenth = bytes.count / 10
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await connection.serve(file, to: request, cut: tenth)
            return true
        }
        let (found, _) = try await download(server)
        #expect(found == bytes)
        let requests = server.requests("/m/model.gguf")
        // Bytes in flight when a connection was cut may be lost.
        let starts = requests.compactMap(\.rangeStart)
        #expect(starts.count >= 9 && starts == starts.sorted() && starts.allSatisfy { $0 > 0 && $0 < bytes.count })
        #expect(requests.dropFirst().allSatisfy { $0.headers["if-range"] == "\"v1\"" })
    }

    @Test func `Another process resumes where one was stopped`() async throws {
        let file = ServedFile(bytes)
        let isCut = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET", isCut.increase() == 0 else { return false }
            try await connection.respond(headers: ["ETag": "\"v1\"", "Content-Length": "300000"], omitsBody: true)
            try await connection.write(file.bytes.prefix(100_000))
            await connection.waitForClose()
            return true
        }
        let hub = try TestHub()
        let first = Task { try await hub.download(server.url("/m/manifest.json")) }
        while partialSize(hub) < 100_000 { try await Task.sleep(for: .milliseconds(5)) }
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }

        // A new hub, which knows only what is on the disk.
        let second = Hub(configuration: hub.hub.configuration)
        let model = try await second.download(.manifest(server.url("/m/manifest.json")))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").last?.rangeStart == 100_000)
    }

    @Test(arguments: [["Content-Type": "text/html"], ["Content-Length": "23"], ["Content-Encoding": "gzip"]])
    func `A response that cannot be the file leaves the partial file intact`(headers: [String: String]) async throws {
        let isLoggedOut = Counter()
        let server = try await modelServer(bytes, headers: linked(bytes)) { request, connection in
            guard request.path == "/m/model.gguf", request.rangeStart != nil, isLoggedOut.increase() == 0 else {
                return false
            }
            try await connection.respond(headers: ["Content-Length": "23"].merging(headers) { $1 }, omitsBody: true)
            try await connection.write(Data(repeating: 0x20, count: 23))
            return true
        }
        let hub = try TestHub()
        try await leavePart(hub, server, count: 100_000)
        _ = try #require(await hub.error(server.url("/m/manifest.json")))
        #expect(partialSize(hub) == 100_000)
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").last?.rangeStart == 100_000)
    }

    @Test func `A damaged partial file is detected by its hash, and restarted`() async throws {
        let server = try await modelServer(bytes, headers: linked(bytes))
        let hub = try TestHub()
        try await leavePart(hub, server, count: 100_000)
        let part = try #require(partial(hub))
        var damaged = try Data(contentsOf: part)
        damaged[50_000] ^= 1
        try damaged.write(to: part)
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(server.requests("/m/model.gguf").map(\.rangeStart) == [nil, 100_000, nil])
    }

    @Test func `A server that ignores ranges restarts the file, and nothing is appended`() async throws {
        let file = ServedFile(bytes)
        let attempts = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            let isFirst = attempts.increase() == 0
            try await connection.serve(file, to: request, cut: isFirst ? 100_000 : nil, knowsRanges: false)
            return true
        }
        let (found, _) = try await download(server)
        #expect(found == bytes)
        let starts = server.requests("/m/model.gguf").map(\.rangeStart)
        #expect(starts.count == 2 && starts[0] == nil && starts[1] ?? 1 <= 100_000)
    }

    @Test(arguments: [
        "bytes 99999-299999/300000", "bytes 100001-299999/300000", "bytes 100000-299998/300000",
        "bytes 100000-299999/300001", "bytes 100000-299999/*", "bytes 0-299999/300000", "bytes */300000",
        "items 100000-299999/300000", "bytes 100000-99999999999999999999/300000", "", "nonsense",
    ])
    func `A wrong range is never appended`(range: String) async throws {
        let file = ServedFile(bytes)
        let attempts = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            if attempts.increase() == 0 {
                try await connection.serve(file, to: request, cut: 100_000)
            } else if request.rangeStart != nil {
                try await connection.respond(
                    206, headers: ["ETag": "\"v1\"", "Content-Range": range], body: file.bytes.dropFirst(100_000))
            } else {
                return false
            }
            return true
        }
        let (found, _) = try await download(server)
        #expect(found == bytes)
        let starts = server.requests("/m/model.gguf").map(\.rangeStart)
        #expect(starts.count <= 3 && starts.first == .some(nil) && starts.last == .some(nil))
    }

    @Test func `After status 416 a file is restarted`() async throws {
        let file = ServedFile(bytes)
        let attempts = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            switch attempts.increase() {
            case 0: try await connection.serve(file, to: request, cut: 100_000)
            case 1: try await connection.respond(416, headers: ["Content-Range": "bytes */300000"])
            default: return false
            }
            return true
        }
        let (found, _) = try await download(server)
        #expect(found == bytes)
    }

    @Test(arguments: [true, false])
    func `A file that changed on the server is restarted`(serverHeedsIfRange: Bool) async throws {
        let old = ServedFile(bytes, tag: "\"v1\"")
        let new = ServedFile(ServedFile.model(size: 300_000, seed: 2), tag: "\"v2\"")
        let attempts = Counter()
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            if attempts.increase() == 0 {
                try await connection.serve(old, to: request, cut: 100_000)
            } else if !serverHeedsIfRange, let start = request.rangeStart {
                try await connection.respond(
                    206, headers: ["ETag": "\"v2\"", "Content-Range": "bytes \(start)-299999/300000"],
                    body: new.bytes.dropFirst(start))
            } else {
                try await connection.serve(new, to: request)
            }
            return true
        }
        let (found, _) = try await download(server)
        #expect(found == new.bytes)
    }

    @Test(arguments: ["W/\"v1\"", nil])
    func `Without a strong ETag a truncated file is restarted`(tag: String?) async throws {
        let file = ServedFile(bytes, tag: tag)
        let hub = try TestHub()
        let isCut = Counter()
        let cutting = try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: "model.gguf")]
        ) {
            request, connection in
            guard request.path == "/m/model.gguf" else { return false }
            let isFirst = request.method == "GET" && isCut.increase() == 0
            try await connection.serve(file, to: request, cut: isFirst ? 100_000 : nil)
            return true
        }
        let model = try await hub.download(cutting.url("/m/manifest.json"))
        #expect(try Data(contentsOf: try #require(model.url(of: .model))) == bytes)
        #expect(cutting.requests("/m/model.gguf").map(\.rangeStart) == [nil, nil])
    }

    @Test func `A server that always cuts the connection ends in an error`() async throws {
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await connection.serve(file, to: request, cut: 10)
            return true
        }
        let hub = try TestHub()
        guard case .network(.connectionLost) = await hub.error(server.url("/m/manifest.json")) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(server.requests("/m/model.gguf").count == 4)
        #expect(hub.files().contains { $0.hasSuffix("model.gguf.incomplete") })
    }
}

/// Hugging Face's response for a large file.
func linked(_ bytes: Data) -> [String: String] {
    ["X-Linked-Size": "\(bytes.count)", "X-Linked-Etag": "\"\(sha256(bytes))\""]
}

/// The incomplete file in a hub's folder.
func partial(_ hub: TestHub) -> URL? {
    hub.files().first { $0.hasSuffix(".incomplete") }.map { hub.models.appending(path: $0) }
}

func partialSize(_ hub: TestHub) -> Int {
    partial(hub).flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int } ?? 0
}

/// Leaves the first bytes of a model on the disk, as a killed process does.
func leavePart(_ hub: TestHub, _ server: ModelServer, count: Int) async throws {
    let first = Task { try await hub.download(server.url("/m/manifest.json")) }
    _ = await first.result
    // The files of a complete download are turned into those of a partial one.
    let folder = try #require(hub.files().first { $0.hasSuffix("manifest.json") })
    let manifest = hub.models.appending(path: folder)
    let model = manifest.deletingLastPathComponent().appending(path: "model.gguf")
    let bytes = try Data(contentsOf: model)
    try FileManager.default.removeItem(at: manifest)
    try FileManager.default.removeItem(at: model)
    try bytes.prefix(count).write(to: model.appendingPathExtension("incomplete"))
    let record =
        "{\"url\": \"\(server.url("/m/model.gguf").absoluteString)\", \"tag\": \"\\\"v1\\\"\", \"size\": \(bytes.count), "
        + "\"sha256\": \"\(sha256(bytes))\"}"
    try Data(record.utf8).write(to: model.appendingPathExtension("incomplete.json"))
}
