public import Foundation

/// Why a server's certificate cannot be used.
public enum CertificateError: Error, Sendable, Equatable {
    /// A file cannot be read.
    case unreadable(path: String, reason: String)
    /// A file holds no certificate in PEM.
    case noCertificate(path: String)
    /// A file holds no private key in PEM, or one that a password guards.
    case noKey(path: String)
    /// The key is another certificate's.
    case mismatch(certificate: String, key: String)
}

extension CertificateError: CustomStringConvertible, LocalizedError {
    /// What is wrong, in which file, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "the file '\(path)' cannot be read: \(reason)."
        case .noCertificate(let path):
            "the file '\(path)' contains no certificate: expected PEM blocks (-----BEGIN CERTIFICATE-----), the "
                + "server's own certificate first."
        case .noKey(let path):
            "the file '\(path)' contains no readable private key: it must be in PEM format and not be "
                + "password-protected."
        case .mismatch(let certificate, let key):
            "the private key in '\(key)' does not match the certificate in '\(certificate)': use files that "
                + "belong together."
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
