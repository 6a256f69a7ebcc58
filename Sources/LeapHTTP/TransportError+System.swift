import Foundation

// Errors of the system by their numbers. Also compiled where no transport needs them, so that they are tested there.

extension TransportError {
    /// An `errno` of a connection; `nil` for one that says nothing about the network.
    init?(errno code: CInt, name: String, _ reason: String) {
        switch code {
        case ECONNREFUSED: self = .connectionRefused(name)
        // Sockets of a suspended app are aborted, or no longer connected, when it runs again.
        case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ENETRESET, ESHUTDOWN: self = .connectionLost(name, reason)
        case ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL:
            self = .connectionFailed(name, reason)
        default: return nil
        }
    }

    /// An error of Apple's URLSession and of the layers below it, or else the first of its causes that is known.
    init(_ error: NSError, name: String) {
        var cause: NSError? = error
        while let current = cause {
            if let known = TransportError(
                domain: current.domain, code: current.code, name: name, current.localizedDescription,
                host: (current.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.host())
            {
                self = known
                return
            }
            cause = current.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        self = .other(name, "\(error.localizedDescription) (\(error.domain) \(error.code))")
    }

    /// An error by its domain and its code there; `nil` for an unknown one.
    init?(domain: String, code: Int, name: String, _ reason: String, host: String? = nil) {
        switch domain {
        case NSURLErrorDomain: self.init(URLError.Code(rawValue: code), name, reason, host)
        case NSPOSIXErrorDomain, "kNWErrorDomainPOSIX":
            self.init(errno: CInt(truncatingIfNeeded: code), name: name, reason)
        // Shares the negative codes of `NSURLErrorDomain`. The others: CFNetworkErrors.h.
        case "kCFErrorDomainCFNetwork":
            switch code {
            case ..<0: self.init(URLError.Code(rawValue: code), name, reason, host)
            case 302: self = .connectionLost(name, reason)
            case 303: self = .invalidResponse(name, reason)
            case 306...312: self = .proxyFailed(name, reason)
            default: return nil
            }
        default: return nil
        }
    }

    /// - Parameter code: `nil` for one that is not known where codes are an enumeration, as on Linux.
    private init?(_ code: URLError.Code?, _ name: String, _ reason: String, _ host: String?) {
        switch code {
        case .badURL, .unsupportedURL: self = .invalidURL(name, reason)
        case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound(name, host: host ?? "", reason)
        case .cannotConnectToHost: self = .connectionRefused(name)
        // The session's own timeouts are out of reach, so this is the system's for connections.
        case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive, .timedOut:
            self = .connectionFailed(name, reason)
        case .networkConnectionLost: self = .connectionLost(name, reason)
        case .badServerResponse, .cannotParseResponse: self = .invalidResponse(name, reason)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .tls(name, reason)
        case .cancelled: self = .shutDown(name)
        default: return nil
        }
    }
}
