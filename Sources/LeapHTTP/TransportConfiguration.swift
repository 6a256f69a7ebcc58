public import Foundation

/// What all requests of a transport share.
public struct TransportConfiguration: Hashable, Sendable {
    /// Which requests go through which proxy.
    public var proxies: ProxyRules
    /// Whose certificates are trusted.
    public var verification: TLSVerification
    /// The most connections to one host at a time; more requests wait for one.
    public var connectionsPerHost: Int

    /// No proxies, the system's certificates, and 8 connections per host.
    public init(
        proxies: ProxyRules = ProxyRules(), verification: TLSVerification = .system, connectionsPerHost: Int = 8
    ) {
        self.proxies = proxies
        self.verification = verification
        self.connectionsPerHost = max(1, connectionsPerHost)
    }
}

/// Whose certificates are trusted.
public enum TLSVerification: Hashable, Sendable {
    /// Those that the system trusts.
    case system
    /// Those that a file in PEM format holds, as `SSL_CERT_FILE` names one, and no others.
    /// Apple's systems know no such file: there it is the same as ``system``.
    case roots(URL)
    /// Everybody's: for tests against a server of one's own.
    case disabled
}
