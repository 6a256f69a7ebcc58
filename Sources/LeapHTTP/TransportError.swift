public import Foundation

/// The reason why a request got no response, or only part of one. The first value is the request's URL, without user
/// names, passwords and queries, which may be secret.
public enum TransportError: Error, Hashable, Sendable {
    /// The request's URL is invalid.
    case invalidURL(String, String)
    /// The host's name has no address.
    case hostNotFound(String, host: String, String)
    /// The connection was refused: nothing listens at the host's port.
    case connectionRefused(String)
    /// The host cannot be reached.
    case connectionFailed(String, String)
    /// The encrypted connection could not be established, because the server's certificate is not trusted or for
    /// another reason.
    case tls(String, String)
    /// A timeout expired: which one, and its duration.
    case timedOut(String, TransportTimeout, Duration)
    /// The connection ended before the response did.
    case connectionLost(String, String)
    /// The server's response is not valid HTTP.
    case invalidResponse(String, String)
    /// The proxy rejected the request.
    case proxyFailed(String, String)
    /// The transport was shut down.
    case shutDown(String)
    /// The program was built without the trait `Downloads`, so there is no transport.
    case notBuilt(String)
    /// Any other error, with the system's message.
    case other(String, String)

    /// The request's URL, without user names, passwords and queries.
    public var url: String {
        switch self {
        case .invalidURL(let url, _), .hostNotFound(let url, _, _), .connectionRefused(let url),
            .connectionFailed(let url, _), .tls(let url, _), .timedOut(let url, _, _), .connectionLost(let url, _),
            .invalidResponse(let url, _), .proxyFailed(let url, _), .shutDown(let url), .notBuilt(let url),
            .other(let url, _):
            url
        }
    }
}

extension TransportError: CustomStringConvertible, LocalizedError {
    /// Says what failed, where, and what to do about it.
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "'\(url)' cannot be requested: \(reason)"
        case .hostNotFound(let url, let host, let reason):
            "\(url): host '\(host)' not found (\(reason)): check the name, the network, and whether "
                + "a proxy must be set (https_proxy)"
        case .connectionRefused(let url): "\(url): connection refused: nothing is listening on this port"
        case .connectionFailed(let url, let reason): "\(url): connection failed: \(reason)"
        case .tls(let url, let reason): "\(url): TLS connection failed: \(reason)"
        case .timedOut(let url, .connect, let limit): "\(url): connection timed out after \(limit.inSeconds)"
        case .timedOut(let url, .idle, let limit): "\(url): no data received for \(limit.inSeconds)"
        case .timedOut(let url, .whole, let limit): "\(url): request not complete after \(limit.inSeconds)"
        case .connectionLost(let url, let reason): "\(url): the connection was lost: \(reason)"
        case .invalidResponse(let url, let reason): "\(url): the server's response is not valid HTTP: \(reason)"
        case .proxyFailed(let url, let reason): "\(url): the proxy failed: \(reason)"
        case .shutDown(let url): "\(url): the HTTP client was shut down"
        case .notBuilt(let url):
            "\(url): this program was built without network support: its package must enable the trait "
                + "'Downloads' of the dependency leap-swift, or specify no traits at all"
        case .other(let url, let reason): "\(url): \(reason)"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

extension Duration {
    /// As in "30 s" and "0.25 s".
    var inSeconds: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) * 1e-18
        return seconds == seconds.rounded() ? "\(components.seconds) s" : "\(seconds) s"
    }
}
