#if Server
import Foundation
import Logging
import NIOSSL
import Synchronization

/// The server's certificate and its key: read from files, and reloaded when these have changed.
///
/// Open connections keep the certificate with which they began.
final class Certificates: Sendable {
    /// Identifies a version of a file's content.
    private struct Stamp: Equatable {
        let modified: Date?
        let size: Int?
        let number: Int?

        init(_ path: String) {
            // Follows links: renewed certificates are often new targets of the same link.
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let attributes = try? FileManager.default.attributesOfItem(atPath: target)
            modified = attributes?[.modificationDate] as? Date
            size = attributes?[.size] as? Int
            number = attributes?[.systemFileNumber] as? Int
        }
    }

    private struct State {
        var context: NIOSSLContext
        /// The versions of the files that were read last, whether they could be used or not.
        var read: [Stamp]
        /// The versions of the files that were seen last.
        var seen: [Stamp]
    }

    private let files: ServerConfiguration.TLSFiles
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files.
    ///
    /// - Throws: ``CertificateError``.
    init(_ files: ServerConfiguration.TLSFiles, _ logger: Logger) throws(CertificateError) {
        self.files = files
        self.logger = logger
        let stamps = Self.stamps(files)
        state = Mutex(State(context: try Self.context(files), read: stamps, seen: stamps))
    }

    /// For the next connection.
    var context: NIOSSLContext { state.withLock(\.context) }

    /// Reads the files again if they have changed, but only once they have stayed the same between two calls: the two
    /// files are replaced one after the other.
    func reloadIfChanged() {
        let stamps = Self.stamps(files)
        let isDue = state.withLock { state in
            defer { state.seen = stamps }
            return stamps != state.read && stamps == state.seen
        }
        if isDue { reload() }
    }

    /// Reloads the files. If they cannot be used, the previous ones stay in use.
    func reload() {
        let stamps = Self.stamps(files)
        do throws(CertificateError) {
            let context = try Self.context(files)
            state.withLock { $0 = State(context: context, read: stamps, seen: stamps) }
            logger.notice("the certificate was reloaded", metadata: ["file": "\(files.certificate)"])
        } catch {
            state.withLock { $0.read = stamps }
            logger.error(
                "the certificate could not be reloaded: the previous one stays in use", metadata: ["error": "\(error)"])
        }
    }

    private static func stamps(_ files: ServerConfiguration.TLSFiles) -> [Stamp] {
        [Stamp(files.certificate), Stamp(files.key)]
    }

    private static func context(_ files: ServerConfiguration.TLSFiles) throws(CertificateError) -> NIOSSLContext {
        let text = try bytes(files.certificate)
        guard !text.isEmpty, let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty else {
            throw .noCertificate(path: files.certificate)
        }
        let bytes = try bytes(files.key)
        guard !bytes.isEmpty, let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw .noKey(path: files.key)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // The only remaining possible error is that the two do not belong together.
        do { return try NIOSSLContext(configuration: configuration) } catch {
            throw .mismatch(certificate: files.certificate, key: files.key)
        }
    }

    private static func bytes(_ path: String) throws(CertificateError) -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw .unreadable(path: path, reason: "\(error.localizedDescription)")
        }
    }
}
#endif
