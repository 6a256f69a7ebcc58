import Foundation

/// An HTTP proxy.
public struct Proxy: Hashable, Sendable {
    /// The host name or address.
    public var host: String
    /// The port, 1…65535.
    public var port: Int
    /// The user name for the proxy, used together with ``password``.
    public var user: String?
    /// The password of the user.
    public var password: String?

    /// Creates a proxy.
    public init(host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Parses a proxy as given in environment variables: `http://user:password@host:port`. Everything except the host
    /// is optional; the port defaults to 80, or to 443 for https. `nil` for anything else, including SOCKS.
    public init?(_ text: String) {
        let text = text.contains("://") ? text : "http://" + text
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty
        else { return nil }
        let port = parts.port ?? (scheme == "https" ? 443 : 80)
        guard 1...65535 ~= port else { return nil }
        self.init(host: host, port: port, user: parts.user, password: parts.password)
    }
}

/// The rules that determine the proxy of a request, as in curl and other programs.
public struct ProxyRules: Hashable, Sendable {
    /// The proxy for http.
    public var http: Proxy?
    /// The proxy for https.
    public var https: Proxy?
    /// The hosts to connect to directly: names, which include their subdomains, addresses, or `*` for all. With a port,
    /// the rule applies to that port only.
    public var excluded: [String]

    /// Creates rules; without arguments, all connections are direct.
    public init(http: Proxy? = nil, https: Proxy? = nil, excluded: [String] = []) {
        self.http = http
        self.https = https
        self.excluded = excluded
    }

    /// Creates rules from environment variables: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. All except
    /// the first may also be in capitals; `HTTP_PROXY` is ignored because clients of a web server can set it for the
    /// programs that the server starts.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            let text = environment[name] ?? environment[name.uppercased()]
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        let all = value("all_proxy").flatMap(Proxy.init)
        self.init(
            http: environment["http_proxy"].flatMap(Proxy.init) ?? all,
            https: value("https_proxy").flatMap(Proxy.init) ?? all,
            excluded: value("no_proxy")?.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) ?? [])
    }

    /// Returns the proxy of a request; `nil` for a direct connection.
    public func proxy(scheme: String, host: String, port: Int) -> Proxy? {
        guard let proxy = scheme == "https" ? https : http else { return nil }
        return excluded.contains { Self.matches($0, host, port) } ? nil : proxy
    }

    private static func matches(_ rule: String, _ host: String, _ port: Int) -> Bool {
        if rule == "*" { return true }
        var rule = rule.lowercased()[...]
        // A port, unless the rule is an IPv6 address, which has more than one colon.
        if let colon = rule.lastIndex(of: ":"), rule.firstIndex(of: ":") == colon {
            guard Int(rule[rule.index(after: colon)...]) == port else { return false }
            rule = rule[..<colon]
        }
        if rule.hasPrefix(".") { rule = rule.dropFirst() }
        let host = host.lowercased()
        return !rule.isEmpty && (host == rule || host.hasSuffix("." + rule))
    }
}
