#if Server
import Foundation
import Logging
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import LeapServer

/// External commands that the tests need.
private enum Tools {
    static func areThere() async -> Bool {
        guard await ServerCertificate.canBeMade() else { return false }
        return (try? await Command("/usr/bin/env", ["curl", "--version"]).run())?.status == 0
    }
}

/// A TLS server, and a client that verifies certificates.
@Suite("TLS", .enabled("the commands 'openssl' and 'curl' are needed") { await Tools.areThere() })
struct TLSTests {
    /// The status that a client gets if it trusts only one certificate, or 0 if it does not trust the server.
    private static func status(of path: String, _ server: TestServer, trusting certificate: URL) async throws -> String
    {
        let arguments = [
            "curl", "--silent", "--noproxy", "*", "--cacert", certificate.path, "--output", "/dev/null", "--write-out",
            "%{http_code}", "https://127.0.0.1:\(server.port)\(path)",
        ]
        return try await Command("/usr/bin/env", arguments).run().text
    }

    private static func replace(_ files: ServerConfiguration.TLSFiles, by other: ServerCertificate) throws {
        for (path, new) in [(files.certificate, other.file), (files.key, other.key)] {
            try Data(contentsOf: new).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
    }

    @Test("a certificate replaced while the server runs is used for new connections")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        let first = try await ServerCertificate.make(host: "127.0.0.1", in: folder.url)
        let other = folder.url.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let second = try await ServerCertificate.make(host: "127.0.0.1", in: other)
        let files = ServerConfiguration.TLSFiles(
            certificate: folder.url.appending(path: "shown.pem").path, key: folder.url.appending(path: "shown.key").path
        )
        try Self.replace(files, by: first)
        try await TestServer.run(change: { ($0.tls, $0.keys) = (files, ["secret"]) }) { server in
            #expect(try await Self.status(of: "/health", server, trusting: first.file) == "200")
            #expect(try await Self.status(of: "/health", server, trusting: second.file) == "000")
            // API keys are required as without TLS.
            #expect(try await Self.status(of: "/v1/models", server, trusting: first.file) == "401")
            // A plain HTTP request gets no answer.
            let plain = try server.connect()
            try plain.send(TestServer.request("GET", "/health"))
            #expect(try await !plain.read(seconds: 10).contains("200 OK"))

            try Self.replace(files, by: second)
            for _ in 0..<100 {
                if try await Self.status(of: "/health", server, trusting: second.file) == "200" { break }
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await Self.status(of: "/health", server, trusting: second.file) == "200")
            #expect(try await Self.status(of: "/health", server, trusting: first.file) == "000")

            // An invalid file changes nothing, even on an explicit reload.
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: files.certificate))
            try server.server.readCertificates()
            #expect(try await Self.status(of: "/health", server, trusting: second.file) == "200")
            try Self.replace(files, by: first)
            try server.server.readCertificates()
            #expect(try await Self.status(of: "/health", server, trusting: first.file) == "200")
        }
    }

    @Test("an answer is streamed to its end over TLS")
    func streamed() async throws {
        let folder = try TemporaryFolder()
        let certificate = try await ServerCertificate.make(host: "127.0.0.1", in: folder.url)
        let files = ServerConfiguration.TLSFiles(certificate: certificate.file.path, key: certificate.key.path)
        let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"max_tokens\":5,\"stream\":true}"
        try await TestServer.run(change: { $0.tls = files }) { server in
            let arguments = [
                "curl", "--silent", "--noproxy", "*", "--cacert", certificate.file.path, "--data", body,
                "https://127.0.0.1:\(server.port)/v1/chat/completions",
            ]
            let outcome = try await Command("/usr/bin/env", arguments).run()
            #expect(outcome.status == 0)
            #expect(outcome.text.hasSuffix("data: [DONE]\n\n"))
        }
    }

    @Test("invalid certificate and key files are refused with the file's path")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (
            try await ServerCertificate.make(host: "127.0.0.1", in: folder.url),
            try await ServerCertificate.make(host: "localhost", in: folder.url)
        )
        let absent = folder.url.appending(path: "absent").path
        let empty = try folder.write("empty", Data())
        let (certificate, key) = (first.file.path, first.key.path)
        let cases: [(certificate: String, key: String, error: CertificateError?)] = [
            (certificate, key, nil), (empty, key, .noCertificate(path: empty)), (key, key, .noCertificate(path: key)),
            (certificate, empty, .noKey(path: empty)), (certificate, certificate, .noKey(path: certificate)),
            (certificate, second.key.path, .mismatch(certificate: certificate, key: second.key.path)),
        ]
        for test in cases {
            #expect(Self.error(test.certificate, test.key) == test.error)
        }
        for (certificate, key) in [(absent, key), (certificate, absent)] {
            guard case .unreadable(absent, _)? = Self.error(certificate, key) else {
                Issue.record("\(certificate), \(key)")
                continue
            }
        }
        #expect(
            CertificateError.mismatch(certificate: "a", key: "b").description
                == "the private key in 'b' does not match the certificate in 'a': use files that belong together.")
    }

    private static func error(_ certificate: String, _ key: String) -> CertificateError? {
        do throws(CertificateError) {
            _ = try Certificates(
                .init(certificate: certificate, key: key), Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return nil
        } catch { return error }
    }
}
#endif
