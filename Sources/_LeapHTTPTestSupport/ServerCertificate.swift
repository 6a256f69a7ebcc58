public import Foundation
import NIOSSL
import _LeapProcessTestSupport

/// A certificate for a ``ScriptedServer``, made by the `openssl` command.
public struct ServerCertificate: Sendable {
    /// The certificate's file, in PEM format; a client that trusts it as a root accepts the server.
    public let file: URL
    /// Its private key, in PEM format.
    public let key: URL

    /// Whether the `openssl` command is available.
    public static func canBeMade() async -> Bool { (try? await run(["version"])) != nil }

    /// A self-signed certificate.
    ///
    /// - Parameters:
    ///   - host: An IP address if it has four numbers, else a name.
    ///   - hasExpired: Whether it ended yesterday; otherwise it is valid for 30 days.
    ///   - folder: Where its files are written.
    public static func make(
        host: String, hasExpired: Bool = false, in folder: URL
    ) async throws -> ServerCertificate {
        let name = "\(host)-\(hasExpired ? "expired" : "valid")"
        let certificate = ServerCertificate(
            file: folder.appending(path: name + ".pem"), key: folder.appending(path: name + ".key"))
        let isAddress = host.split(separator: ".").count == 4
        let request = folder.appending(path: name + ".csr")
        let extensions = folder.appending(path: name + ".ext")
        try Data("subjectAltName=\(isAddress ? "IP" : "DNS"):\(host)\nbasicConstraints=CA:TRUE\n".utf8)
            .write(to: extensions)
        try await run([
            "req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(host)", "-keyout", certificate.key.path,
            "-out", request.path,
        ])
        try await run([
            "x509", "-req", "-in", request.path, "-signkey", certificate.key.path, "-extfile", extensions.path, "-days",
            hasExpired ? "-1" : "30", "-out", certificate.file.path,
        ])
        return certificate
    }

    var configuration: TLSConfiguration {
        get throws {
            .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(file.path).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key.path, format: .pem)))
        }
    }

    private static func run(_ arguments: [String]) async throws {
        let outcome = try await Command("/usr/bin/env", ["openssl"] + arguments).run()
        guard outcome.status == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
