import Foundation
import LeapHTTP
import LeapHub
import Testing
import _LeapHTTPTestSupport

@Suite(.timeLimit(.minutes(5)), .enabled("there is no openssl") { await ServerCertificate.canBeMade() })
struct CertificateTests {
    private func end(host: String, hasExpired: Bool, isTrusted: Bool) async throws -> HubError? {
        let hub = try TestHub()
        let certificate = try await ServerCertificate.make(host: host, hasExpired: hasExpired, in: hub.folder)
        let server = try await ModelServer.start(
            certificate: certificate,
            files: [
                "/m/manifest.json": ModelServer.manifest(model: "model.gguf"),
                "/m/model.gguf": ServedFile(ServedFile.model(size: 200)),
            ])
        var configuration = hub.hub.configuration
        if isTrusted { configuration.transport.verification = .roots(certificate.file) }
        let trusting = Hub(configuration: configuration)
        return await hub.error { _ = try await trusting.download(.manifest(server.url("/m/manifest.json"))) }
    }

    @Test func `A trusted certificate is accepted`() async throws {
        #expect(try await end(host: "127.0.0.1", hasExpired: false, isTrusted: true) == nil)
    }

    @Test(arguments: [("127.0.0.1", true, true), ("127.0.0.2", false, true), ("127.0.0.1", false, false)])
    func `An expired, wrong-host or self-signed certificate is refused`(
        host: String, hasExpired: Bool, isTrusted: Bool
    ) async throws {
        guard case .network(.tls) = try await end(host: host, hasExpired: hasExpired, isTrusted: isTrusted) else {
            Issue.record("unexpected outcome")
            return
        }
    }
}
