import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Servers with which a download would never end if it counted discarded bytes as progress.
@Suite(.timeLimit(.minutes(5)))
struct RetryLimitTests {
    private let bytes = ServedFile.model(size: 300_000)

    /// How a server mishandles requests for the model's bytes.
    enum Fault: CaseIterable, Sendable {
        case wrongHash, wrongStart, wrongEnd, wrongTotal, noPart, noTag, otherTag, ignoredRange
    }

    private func answer(_ fault: Fault, _ request: ServerRequest, _ connection: ServerConnection) async throws {
        let size = bytes.count
        let cut = size * 7 / 10
        switch (fault, request.rangeStart) {
        case (.wrongHash, _): try await connection.serve(ServedFile(bytes), to: request, cut: cut)
        case (.noTag, _): try await connection.serve(ServedFile(bytes, tag: nil), to: request, cut: cut)
        case (.ignoredRange, _), (_, nil):
            try await connection.serve(ServedFile(bytes), to: request, cut: cut, knowsRanges: false)
        case (.noPart, _): try await connection.respond(416)
        case (.wrongStart, let start?): try await part(start + 1, size - 1, size, connection)
        case (.wrongEnd, let start?): try await part(start, size - 2, size, connection)
        case (.wrongTotal, let start?): try await part(start, size, size + 1, connection)
        case (.otherTag, let start?): try await part(start, size - 1, size, tag: "\"v2\"", connection)
        }
    }

    private func part(
        _ first: Int, _ last: Int, _ total: Int, tag: String = "\"v1\"", _ connection: ServerConnection
    ) async throws {
        let headers = ["ETag": tag, "Content-Range": "bytes \(first)-\(last)/\(total)"]
        try await connection.respond(206, headers: headers, body: bytes.dropFirst(min(first, bytes.count)))
    }

    @Test(arguments: Fault.allCases)
    func `Discarded bytes are not progress: restarts and bytes are limited`(fault: Fault) async throws {
        let wrong = ["X-Linked-Size": "\(bytes.count)", "X-Linked-Etag": "\"\(String(repeating: "a", count: 64))\""]
        let server = try await modelServer(bytes, headers: fault == .wrongHash ? wrong : [:]) { request, connection in
            guard request.path == "/m/model.gguf", request.method == "GET" else { return false }
            try await answer(fault, request, connection)
            return true
        }
        let reports = Log<TransferProgress>()
        let hub = try TestHub { $0.retries.attempts = 6 }
        let error = await hub.error { _ = try await hub.download(server.url("/m/manifest.json")) { reports.add($0) } }
        switch error {
        case .givenUp(let url, let restarts, let received, let size, let last):
            #expect(url == server.url("/m/model.gguf").absoluteString && size == Int64(bytes.count))
            #expect(restarts <= 6 && received <= 3 * Int64(bytes.count) && !last.isEmpty)
        case .sha256Mismatch: #expect(fault == .wrongHash)
        default: Issue.record("unexpected outcome: \(String(describing: error))")
        }
        // Each response has at most seven tenths of the file.
        #expect(server.requests("/m/model.gguf").count <= 20)
        #expect(hub.files().allSatisfy { !$0.hasSuffix("model.gguf") })
    }

    @Test func `The error after many attempts gives their number and the last cause`() {
        let error = HubError.givenUp("u", restarts: 4, received: 2_500_000, size: 1_000_000, last: "lost")
        #expect(
            "\(error)"
                == "u: download abandoned after 4 restarts and 2.5 MB of a file of 1.0 MB: the server "
                + "sends different content each time, or drops the connection. Last error: lost")
    }
}
