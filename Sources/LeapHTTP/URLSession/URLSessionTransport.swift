#if canImport(Darwin)
public import Foundation
public import HTTPTypes

/// Sends requests by URLSession.
public final class URLSessionTransport: Transport {
    /// What all requests share.
    public let configuration: TransportConfiguration
    private let session: URLSession
    private let delegate: SessionDelegate

    /// A transport, which connects when it gets a request. Rules without any proxy leave the choice to the system.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.init(configuration: configuration, sessionConfiguration: .ephemeral)
    }

    /// A transport with a session of a given configuration, of which caching, timeouts and cookies are replaced.
    ///
    /// A session of the background, whose tasks cannot stream, is not for this.
    public init(configuration: TransportConfiguration, sessionConfiguration: URLSessionConfiguration) {
        self.configuration = configuration
        sessionConfiguration.requestCachePolicy = .reloadIgnoringLocalCacheData
        sessionConfiguration.urlCache = nil
        sessionConfiguration.httpCookieStorage = nil
        sessionConfiguration.httpShouldSetCookies = false
        sessionConfiguration.httpMaximumConnectionsPerHost = configuration.connectionsPerHost
        if let proxies = configuration.proxies.dictionary { sessionConfiguration.connectionProxyDictionary = proxies }
        self.delegate = SessionDelegate(verifies: configuration.verification != .disabled)
        self.session = URLSession(configuration: sessionConfiguration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for the head of its response; see ``Transport/send(_:body:timeouts:)``.
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
        let task = session.dataTask(with: urlRequest)
        delegate.add(stream, name: name, for: task)
        stream.start { task.cancel() }
        task.resume()
        let head = try await stream.awaitHead()
        return TransportResponse(head: head, body: TransportBody(stream))
    }

    /// Closes all connections; see ``Transport/shutdown()``.
    public func shutdown() async { session.invalidateAndCancel() }
}

extension ProxyRules {
    /// As URLSession wants them; nil for none.
    fileprivate var dictionary: [AnyHashable: Any]? {
        guard http != nil || https != nil else { return nil }
        var result: [AnyHashable: Any] = ["ExceptionsList": excluded]
        if let http {
            result["HTTPEnable"] = 1
            result["HTTPProxy"] = http.host
            result["HTTPPort"] = http.port
        }
        if let https {
            result["HTTPSEnable"] = 1
            result["HTTPSProxy"] = https.host
            result["HTTPSPort"] = https.port
        }
        return result
    }
}
#endif
