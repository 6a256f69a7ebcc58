#if canImport(Darwin)
public import Foundation
public import HTTPTypes
import Synchronization

/// A transport that uses URLSession.
public final class URLSessionTransport: Transport {
    /// The configuration for all requests.
    public let configuration: TransportConfiguration
    private let sessions: Mutex<Sessions>
    private let places: HostPlaces
    /// Seconds, a week: the session's own timeouts never pass.
    private static let unlimited: TimeInterval = 7 * 24 * 3600

    /// A session for each proxy and one without, since a session's own exceptions follow other rules than
    /// ``ProxyRules/excluded``.
    private struct Sessions {
        let configuration: URLSessionConfiguration
        var byProxy: [Proxy?: (session: URLSession, delegate: SessionDelegate)] = [:]
        var isShutDown = false
    }

    /// Creates a transport. It connects with its first request. If the rules contain no proxy, the system's settings
    /// apply.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.init(configuration: configuration, sessionConfiguration: .ephemeral)
    }

    /// Creates a transport with a copy of a session configuration, whose settings for caching, timeouts and cookies are
    /// overridden.
    ///
    /// Of a background configuration, whose tasks could not stream, only the networks that it allows are used. If it
    /// waits for connectivity, that is at most as long as ``TransportTimeouts/connect``.
    public init(configuration: TransportConfiguration, sessionConfiguration: URLSessionConfiguration) {
        self.configuration = configuration
        places = HostPlaces(limit: configuration.connectionsPerHost)
        let sessionConfiguration = sessionConfiguration.copyForStreams
        // The stream watches the time; a session's own limits would count the time of a slow reader too.
        sessionConfiguration.timeoutIntervalForRequest = Self.unlimited
        sessionConfiguration.timeoutIntervalForResource = Self.unlimited
        sessionConfiguration.requestCachePolicy = .reloadIgnoringLocalCacheData
        sessionConfiguration.urlCache = nil
        sessionConfiguration.httpCookieStorage = nil
        sessionConfiguration.httpShouldSetCookies = false
        sessionConfiguration.httpMaximumConnectionsPerHost = configuration.connectionsPerHost
        self.sessions = Mutex(Sessions(configuration: sessionConfiguration))
    }

    deinit {
        for (session, _) in sessions.withLock({ $0.byProxy.values.map(\.self) }) { session.invalidateAndCancel() }
    }

    /// Sends a request and waits for the head of the response; see ``Transport/send(_:body:timeouts:)``.
    ///
    /// The connection of a request without a body is noticed only by the response, so the limit until then is the longer of
    /// ``TransportTimeouts/connect`` and ``TransportTimeouts/idle``.
    public func send(
        _ request: HTTPRequest, body: Data? = nil, timeouts: TransportTimeouts = .standard
    ) async throws -> TransportResponse {
        try Task.checkCancellation()
        let name = request.displayName
        guard let url = URL(string: request.urlString) else { throw TransportError.invalidURL(name, "it is not a URL") }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpBody = body
        urlRequest.timeoutInterval = Self.unlimited
        for field in request.headerFields { urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        // Otherwise a session asks for compression, and decompresses.
        if request.headerFields[.acceptEncoding] == nil {
            urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        let place = try await places.take(at: request.origin)
        let stream = ResponseStream(
            name: name, timeouts: body == nil ? timeouts.connectingUntilHead : timeouts, place: place)
        let task = try task(for: urlRequest, to: url, stream, name: name)
        stream.start { task.cancel() }
        task.resume()
        let head = try await stream.awaitHead()
        return TransportResponse(head: head, body: TransportBody(stream))
    }

    /// Closes all connections; see ``Transport/shutdown()``.
    public func shutdown() async {
        let sessions = sessions.withLock { state in
            state.isShutDown = true
            defer { state.byProxy = [:] }
            return state.byProxy.values.map(\.session)
        }
        for session in sessions { session.invalidateAndCancel() }
    }

    private func task(
        for request: URLRequest, to url: URL, _ stream: ResponseStream, name: String
    ) throws -> URLSessionDataTask {
        let scheme = url.scheme?.lowercased() ?? ""
        let proxy: Proxy?
        do {
            proxy = try configuration.proxies.proxy(
                scheme: scheme, host: url.host() ?? "", port: url.port ?? (scheme == "https" ? 443 : 80))
        } catch {
            throw TransportError.proxyFailed(name, "\(error)")
        }
        return try sessions.withLock { state in
            // A session that was invalidated ends the process when it is asked for a task.
            if state.isShutDown { throw TransportError.shutDown(name) }
            let (session, delegate) = state.byProxy[proxy] ?? session(by: proxy, state.configuration)
            state.byProxy[proxy] = (session, delegate)
            let task = session.dataTask(with: request)
            delegate.add(stream, name: name, for: task)
            return task
        }
    }

    private func session(
        by proxy: Proxy?, _ sessionConfiguration: URLSessionConfiguration
    ) -> (URLSession, SessionDelegate) {
        // The session copies its configuration.
        if configuration.proxies.hasAny { sessionConfiguration.connectionProxyDictionary = proxy?.dictionary ?? [:] }
        let delegate = SessionDelegate(verifies: configuration.verification != .disabled, proxy: proxy)
        return (URLSession(configuration: sessionConfiguration, delegate: delegate, delegateQueue: nil), delegate)
    }
}

extension URLSessionConfiguration {
    fileprivate var copyForStreams: URLSessionConfiguration {
        if identifier == nil, let copy = copy() as? URLSessionConfiguration { return copy }
        let copy = URLSessionConfiguration.ephemeral
        copy.allowsCellularAccess = allowsCellularAccess
        copy.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        copy.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        copy.waitsForConnectivity = waitsForConnectivity
        return copy
    }
}

extension ProxyRules {
    fileprivate var hasAny: Bool { http != nil || https != nil }
}

extension Proxy {
    /// The proxy settings in URLSession's format.
    fileprivate var dictionary: [AnyHashable: Any] {
        [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
    }
}
#endif
