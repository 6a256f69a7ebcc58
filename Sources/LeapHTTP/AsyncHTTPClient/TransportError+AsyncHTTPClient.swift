#if Downloads && !canImport(Darwin)
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension TransportError {
    /// Converts any error of AsyncHTTPClient and of the libraries that it uses.
    init(_ error: any Error, name: String) {
        switch error {
        case let error as TransportError: self = error
        case let error as UnusableProxy: self = .proxyFailed(name, "\(error)")
        case let error as HTTPClientError: self.init(error, name)
        case let error as NIOConnectionError: self.init(error, name)
        case let error as NIOSSLError: self.init(error, name)
        case let error as NIOSSLExtraError: self = .tls(name, error.reason)
        case let error as BoringSSLError: self = .tls(name, "\(error)")
        case let error as HTTPParserError: self.init(error, name)
        case let error as IOError: self.init(error, name)
        case ChannelError.connectTimeout(let limit):
            self = .timedOut(name, .connect, .nanoseconds(limit.nanoseconds))
        case let error as ChannelError: self = .connectionLost(name, "\(error)")
        default: self = .other(name, "\(error)")
        }
    }

    private init(_ error: HTTPClientError, _ name: String) {
        switch error {
        case .remoteConnectionClosed: self = .connectionLost(name, "the server closed it")
        case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            self = .timedOut(name, .connect, .seconds(60))
        case .invalidURL, .emptyHost, .emptyScheme: self = .invalidURL(name, "\(error)")
        case .alreadyShutdown, .cancelled: self = .shutDown(name)
        case .proxyAuthenticationRequired: self = .proxyFailed(name, "it requires a user name and password")
        case .invalidProxyResponse: self = .proxyFailed(name, "it refused to connect to the server")
        case .uncleanShutdown: self = .connectionLost(name, "the server closed it without a TLS close_notify")
        default: self = .other(name, "\(error)")
        }
    }

    private init(_ error: NIOConnectionError, _ name: String) {
        if let attempt = error.connectionErrors.first {
            // If there are several addresses, the error of the last one is as good as any.
            self.init((error.connectionErrors.last ?? attempt).error, name: name)
            if case .other(_, let reason) = self { self = .connectionFailed(name, reason) }
        } else {
            let cause = error.dnsAError ?? error.dnsAAAAError
            let words = (cause as? SocketAddressError.UnknownHost)?.errorDescription ?? cause.map { "\($0)" }
            self = .hostNotFound(name, host: error.host, words ?? "no address")
        }
    }

    private init(_ error: NIOSSLError, _ name: String) {
        switch error {
        case .handshakeFailed(let cause) where "\(cause)".contains("CERTIFICATE_VERIFY_FAILED"):
            self = .tls(
                name, "the server's certificate is not trusted: it has expired, or its issuer is unknown to this system"
            )
        case .handshakeFailed(let cause): self = .tls(name, "the handshake failed: \(cause)")
        case .unableToValidateCertificate, .noCertificateToValidate:
            self = .tls(name, "the server's certificate is missing or not valid for this host")
        case .uncleanShutdown: self = .connectionLost(name, "the server closed it without a TLS close_notify")
        default: self = .tls(name, "\(error)")
        }
    }

    private init(_ error: HTTPParserError, _ name: String) {
        if error == .invalidEOFState {
            self = .connectionLost(name, "the server closed it before the end of the body")
        } else {
            self = .invalidResponse(name, "\(error)")
        }
    }

    private init(_ error: IOError, _ name: String) {
        let reason = "\(error)"
        self = TransportError(errno: error.errnoCode, name: name, reason) ?? .other(name, reason)
    }
}

extension TransportError {
    /// The error of a request through a proxy: what cannot be reached is the proxy then, not the server.
    func naming(_ proxy: LeapHTTP.Proxy?) -> TransportError {
        guard let proxy else { return self }
        let place = "\(proxy.host), port \(proxy.port)"
        return switch self {
        case .hostNotFound(let url, let host, let reason):
            .hostNotFound(url, host: host, "the proxy \(place): \(reason)")
        case .connectionRefused(let url): .proxyFailed(url, "\(place), refused the connection")
        case .connectionFailed(let url, let reason): .connectionFailed(url, "the proxy \(place): \(reason)")
        default: self
        }
    }
}

extension NIOSSLExtraError {
    fileprivate var reason: String {
        self == .failedToValidateHostname || self == .serverHostnameImpossibleToMatch
            ? "the server's certificate is for another host" : "\(self)"
    }
}
#endif
