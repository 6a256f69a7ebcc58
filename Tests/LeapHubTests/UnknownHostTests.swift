import Foundation
import HTTPTypes
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Names that have no address: for good, or for a moment.
@Suite(.timeLimit(.minutes(5)))
struct UnknownHostTests {
    /// A transport that finds no address for some requests, and answers the others by another one.
    private final class ForgetfulTransport: Transport {
        let requests = Counter()
        private let transport = SystemTransport()
        private let isLost: @Sendable (Int, HTTPRequest) -> Bool

        init(isLost: @escaping @Sendable (Int, HTTPRequest) -> Bool) { self.isLost = isLost }

        func send(
            _ request: HTTPRequest, body: Data?, timeouts: TransportTimeouts
        ) async throws -> TransportResponse {
            if isLost(requests.increase(), request) {
                throw TransportError.hostNotFound(request.displayName, host: "h", "no address")
            }
            return try await transport.send(request, body: body, timeouts: timeouts)
        }

        func shutdown() async { await transport.shutdown() }
    }

    @Test func `A name that never had an address is asked for twice, and soon`() async throws {
        let transport = ForgetfulTransport { _, _ in true }
        let test = try TestHub { $0.retries = RetryPolicy() }
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let url = try #require(URL(string: "http://127.0.0.1:1/m.json"))
        guard case .network(.hostNotFound) = await test.error({ _ = try await hub.download(.manifest(url)) }) else {
            Issue.record("another end")
            return
        }
        #expect(transport.requests.count == 2)
    }

    @Test func `A name that had an address a moment ago is asked for as often as anything`() async throws {
        let bytes = ServedFile.model(size: 5000)
        let server = try await modelServer(bytes)
        // The manifest, then three times nothing.
        let transport = ForgetfulTransport { number, _ in 1...3 ~= number }
        let test = try TestHub()
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let model = try await hub.download(.manifest(server.url("/m/manifest.json")))
        #expect(model.size == 5000)
    }

    @Test func `The system knows no address of a name that is none`() async throws {
        let test = try TestHub { $0.retries = RetryPolicy() }
        let url = try #require(URL(string: "http://nowhere.invalid/m.json"))
        guard case .network(.hostNotFound(_, host: "nowhere.invalid", let reason)) = await test.error(url) else {
            Issue.record("another end")
            return
        }
        // The system's words, and no type's name.
        #expect(!reason.contains("Error"))
    }

    @Test func `One host that is not found is one problem, whatever it was asked for`() async throws {
        let nowhere = try #require(URL(string: "http://nowhere.invalid"))
        let test = try TestHub {
            $0.retries = RetryPolicy()
            $0.huggingFace = nowhere
            $0.registry = nowhere
        }
        let error = await test.error { _ = try await test.hub.download(ModelReference("M:Q4_0")) }
        guard case .unresolved("M:Q4_0", let problems) = error else {
            Issue.record("another end: \(String(describing: error))")
            return
        }
        #expect(problems.count == 1 && problems[0].hasPrefix("the host 'nowhere.invalid' was not found ("))
    }
}
