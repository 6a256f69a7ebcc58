public import Foundation

/// Why a server cannot show a certificate.
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
            "the file '\(path)' holds no certificate: it must begin with -----BEGIN CERTIFICATE-----, the server's own first."
        case .noKey(let path):
            "the file '\(path)' holds no private key that can be read: it must be in PEM, and without a password."
        case .mismatch(let certificate, let key):
            "the key in '\(key)' is not that of the certificate in '\(certificate)': name the files that were made together."
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}
