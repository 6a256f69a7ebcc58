public import Foundation

/// The configuration of a transport, which applies to all its requests.
public struct TransportConfiguration: Hashable, Sendable {
    /// The rules that determine the proxy of a request.
    public var proxies: ProxyRules
    /// The certificates to trust.
    public var verification: TLSVerification
    /// The maximum number of simultaneous requests to a host, each with a connection. Further ones wait, in order, until one
    /// has ended: until its body was received or released.
    public var connectionsPerHost: Int

    /// Creates a configuration, by default with no proxies, the system's certificates, and 8 connections per host.
    public init(
        proxies: ProxyRules = ProxyRules(), verification: TLSVerification = .system, connectionsPerHost: Int = 8
    ) {
        self.proxies = proxies
        self.verification = verification
        self.connectionsPerHost = max(1, connectionsPerHost)
    }

    /// Creates a configuration from environment variables: the proxies of ``ProxyRules/init(environment:)``, and the
    /// certificates in the file that `SSL_CERT_FILE` names, if it is set.
    public init(environment: [String: String], connectionsPerHost: Int = 8) {
        let file = environment["SSL_CERT_FILE"] ?? ""
        self.init(
            proxies: ProxyRules(environment: environment),
            verification: file.isEmpty ? .system : .roots(URL(filePath: file)),
            connectionsPerHost: connectionsPerHost)
    }
}

/// The certificates to trust.
public enum TLSVerification: Hashable, Sendable {
    /// The certificates that the system trusts.
    case system
    /// Only the certificates in a PEM file, such as the one named by `SSL_CERT_FILE`. Same as ``system`` on Apple
    /// platforms, which do not support such files.
    case roots(URL)
    /// Any certificate, for tests with your own server.
    case disabled
}
