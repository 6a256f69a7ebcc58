import Foundation
import HTTPTypes
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Names that have no address, and ports at which nobody listens: for good, or for a moment.
@Suite(.timeLimit(.minutes(5)))
struct AbsentServerTests {
    /// A transport for which some requests fail, and which answers the others by another one.
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
    func `A server that never answered is asked for twice, and soon`(error: TransportError) async throws {
        let transport = ForgetfulTransport(error) { _ in true }
        let test = try TestHub { $0.retries = RetryPolicy() }
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let url = try #require(URL(string: "http://127.0.0.1:1/m.json"))
        #expect(await test.error { _ = try await hub.download(.manifest(url)) } == .network(error))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: errors)
    func `A server that answered a moment ago is asked for as often as anything`(error: TransportError) async throws {
        let bytes = ServedFile.model(size: 5000)
        let server = try await modelServer(bytes)
        // The manifest, then three times nothing.
        let transport = ForgetfulTransport(error) { 1...3 ~= $0 }
        let test = try TestHub()
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let model = try await hub.download(.manifest(server.url("/m/manifest.json")))
        #expect(model.size == 5000)
    }

    @Test func `A build without the network says once which trait is missing`() async throws {
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

    @Test func `A server that never answered in time is asked for as often as anything`() async throws {
        let transport = ForgetfulTransport(.timedOut("u", .connect, .seconds(1))) { _ in true }
        let test = try TestHub()
        let hub = Hub(configuration: test.hub.configuration, transport: transport)
        let url = try #require(URL(string: "http://127.0.0.1:1/m.json"))
        #expect(await test.error { _ = try await hub.download(.manifest(url)) } != nil)
        #expect(transport.requests.count == test.hub.configuration.retries.attempts)
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

    @Test func `A port at which nothing listens is one problem, whatever was asked for`() async throws {
        let server = try await modelServer(Data())
        await server.server.stop()
        let test = try TestHub(server) { $0.retries = RetryPolicy() }
        let error = await test.error { _ = try await test.hub.download(ModelReference("M:Q4_0")) }
        #expect(
            error
                == .unresolved(
                    "M:Q4_0", ["\(server.base)/: the connection was refused: nothing listens at that port"]))
    }
}
