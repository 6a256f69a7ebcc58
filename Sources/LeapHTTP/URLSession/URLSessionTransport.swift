#if canImport(Darwin)
public import Foundation
public import HTTPTypes
import Synchronization

/// A transport that uses URLSession.
public final class URLSessionTransport: Transport {
    /// The configuration for all requests.
    public let configuration: TransportConfiguration
    private let sessions: Mutex<Sessions>

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

    /// Creates a transport with a given session configuration, whose settings for caching, timeouts and cookies are
    /// overridden.
    ///
    /// Background sessions are not supported, because their tasks cannot stream.
    public init(configuration: TransportConfiguration, sessionConfiguration: URLSessionConfiguration) {
        self.configuration = configuration
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
    public func send(
        _ request: HTTPRequest, body: Data? = nil, timeouts: TransportTimeouts = .standard
    ) async throws -> TransportResponse {
        try Task.checkCancellation()
        let name = request.displayName
        guard let url = URL(string: request.urlString) else { throw TransportError.invalidURL(name, "it is not a URL") }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpBody = body
        // The stream watches the time; a session's own limit would count the time of a slow reader too.
        urlRequest.timeoutInterval = 7 * 24 * 3600
        for field in request.headerFields { urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        // Otherwise a session asks for compression, and decompresses.
        if request.headerFields[.acceptEncoding] == nil {
            urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        let stream = ResponseStream(name: name, timeouts: timeouts)
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
