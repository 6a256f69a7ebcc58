import Foundation
import HTTPTypes
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Unknown hosts and refused connections, permanent or temporary.
@Suite(.timeLimit(.minutes(5)))
struct UnreachableServerTests {
    /// A transport that fails some requests, and hands the others to a real one.
    private final class ForgetfulTransport: Transport {
        let requests = Counter()
        private let transport = SystemTransport()
        private let error: TransportError
        private let isLost: @Sendable (Int) -> Bool

        init(_ error: TransportError, isLost: @escaping @Sendable (Int) -> Bool) {
            self.error = error
            self.isLost = isLost
        }

        func send(
            _ request: HTTPRequest, body: Data?, timeouts: TransportTimeouts
        ) async throws -> TransportResponse {
            if isLost(requests.increase()) { throw error }
            return try await transport.send(request, body: body, timeouts: timeouts)
        }

        func shutdown() async { await transport.shutdown() }
    }

    static let errors: [TransportError] = [
        .hostNotFound("u", host: "h", "no address"), .connectionRefused("u"),
    ]

    @Test(arguments: errors)
    func `A server that never answered is tried only twice`(error: TransportError) async throws {
        let transport = ForgetfulTransport(error) { _ in true }
        let test = try TestHub { $0.retries = RetryPolicy() }
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let url = try #require(URL(string: "http://127.0.0.1:1/m.json"))
        #expect(await test.error { _ = try await hub.download(.manifest(url)) } == .network(error))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: errors)
    func `A server that answered before is retried as often as configured`(error: TransportError) async throws {
        let bytes = ServedFile.model(size: 5000)
        let server = try await modelServer(bytes)
        // The manifest, then three failures.
        let transport = ForgetfulTransport(error) { 1...3 ~= $0 }
        let test = try TestHub()
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let model = try await hub.download(.manifest(server.url("/m/manifest.json")))
        #expect(model.size == 5000)
    }

    @Test func `A build without networking names the missing trait once`() async throws {
        let test = try TestHub()
        let hub = Hub(configuration: test.hub.configuration, transport: NoTransport())
        let error = await test.error { _ = try await hub.download(.named("M", quantization: "Q4_0")) }
        guard case .unresolved("M:Q4_0", let problems) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("'Downloads'") == true)
    }

    @Test func `A connect timeout is retried as often as configured`() async throws {
        let transport = ForgetfulTransport(.timedOut("u", .connect, .seconds(1))) { _ in true }
        let test = try TestHub()
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let url = try #require(URL(string: "http://127.0.0.1:1/m.json"))
        #expect(await test.error { _ = try await hub.download(.manifest(url)) } != nil)
        #expect(transport.requests.count == test.hub.configuration.retries.attempts)
    }

    @Test func `An unknown host is reported with the system's reason`() async throws {
        let test = try TestHub { $0.retries = RetryPolicy() }
        let url = try #require(URL(string: "http://nowhere.invalid/m.json"))
        guard case .network(.hostNotFound(_, host: "nowhere.invalid", let reason)) = await test.error(url) else {
            Issue.record("unexpected outcome")
            return
        }
        // The system's message, without the name of an error type.
        #expect(!reason.contains("Error"))
    }

    @Test func `A host that is not found is listed as one problem, however often it was tried`() async throws {
        let nowhere = try #require(URL(string: "http://nowhere.invalid"))
        let test = try TestHub {
            $0.retries = RetryPolicy()
            $0.huggingFace = nowhere
            $0.registry = nowhere
        }
        let error = await test.error { _ = try await test.hub.download(ModelReference("M:Q4_0")) }
        guard case .unresolved("M:Q4_0", let problems) = error else {
            Issue.record("unexpected outcome: \(String(describing: error))")
            return
        }
        #expect(problems.count == 1 && problems[0].hasPrefix("host 'nowhere.invalid' not found ("))
    }

    @Test func `A refused connection is listed as one problem, however often it was tried`() async throws {
        let server = try await modelServer(Data())
        await server.server.stop()
        let test = try TestHub(server) { $0.retries = RetryPolicy() }
        let error = await test.error { _ = try await test.hub.download(ModelReference("M:Q4_0")) }
        #expect(
            error
                == .unresolved(
                    "M:Q4_0", ["\(server.base)/: connection refused: nothing is listening on this port"]))
    }
}
