import Foundation

/// A proxy for HTTP.
public struct Proxy: Hashable, Sendable {
    /// Name or address.
    public var host: String
    /// The port, 1…65535.
    public var port: Int
    /// A user's name for the proxy; with ``password``.
    public var user: String?
    /// The user's password.
    public var password: String?

    /// A proxy.
    public init(host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// A proxy as environments write it: `http://user:password@host:port`, all but the host optional; the port is 80, or
    /// 443 for https. Nil for anything else, SOCKS included.
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

/// Which requests go through which proxy, as curl and others understand the variables for it.
public struct ProxyRules: Hashable, Sendable {
    /// For http.
    public var http: Proxy?
    /// For https.
    public var https: Proxy?
    /// Hosts that are connected to directly: names, which stand for their subdomains too, addresses, or `*` for all;
    /// with a port, only at that.
    public var excluded: [String]

    /// Rules; without any, everything is connected to directly.
    public init(http: Proxy? = nil, https: Proxy? = nil, excluded: [String] = []) {
        self.http = http
        self.https = https
        self.excluded = excluded
    }

    /// The rules of an environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. All but the first may be in
    /// capitals too; that one not, because a web server's clients can set `HTTP_PROXY` of what it starts.
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

    /// The proxy of a request; nil if it is connected to directly.
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
