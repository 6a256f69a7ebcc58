public import Foundation
public import HTTPTypes

/// The transport of builds without the package's trait `Downloads`: it rejects every request and says why.
public final class NoTransport: Transport {
    /// Creates a transport; the configuration is ignored.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {}

    #if canImport(Darwin)
    /// Creates a transport; both configurations are ignored.
    public init(configuration: TransportConfiguration, sessionConfiguration: URLSessionConfiguration) {}
    #endif

    /// Rejects the request.
    ///
    /// - Throws: ``TransportError/notBuilt(_:)``.
    public func send(
        _ request: HTTPRequest, body: Data? = nil, timeouts: TransportTimeouts = .standard
    ) async throws -> TransportResponse {
        throw TransportError.notBuilt(request.displayName)
    }

    /// Does nothing: there are no connections.
    public func shutdown() async {}
}
