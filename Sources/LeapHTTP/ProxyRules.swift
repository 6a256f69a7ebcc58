public import Foundation

/// An HTTP proxy, to which requests go without encryption of their own.
public struct Proxy: Hashable, Sendable {
    /// The host name or address, without the brackets of an IPv6 address.
    public var host: String
    /// The port, 1…65535.
    public var port: Int
    /// The user name for the proxy, used together with ``password``.
    public var user: String?
    /// The password of the user.
    public var password: String?

    /// Creates a proxy. An IPv6 address may be in brackets.
    public init(host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Parses a proxy as given in environment variables: `http://user:password@host:port`. Everything except the host
    /// is optional; the port defaults to 80, and an IPv6 address has brackets. `nil` for anything else, including https and
    /// SOCKS: TLS to the proxy itself is not supported, and without it a password would be sent unencrypted.
    public init?(_ text: String) {
        let text = text.contains("://") ? text : "http://" + text
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http", let host = parts.host,
            !host.isEmpty
        else { return nil }
        let port = parts.port ?? 80
        guard 1...65535 ~= port else { return nil }
        self.init(host: host, port: port, user: parts.user, password: parts.password)
    }
}

/// An environment variable that is set, but not to a proxy that can be used.
public struct UnusableProxy: Error, Hashable, Sendable {
    /// The name of the variable, such as `https_proxy`.
    public let variable: String
    /// The scheme of its value, such as `socks5`; `nil` if it is not a URL. The rest may contain a password.
    public let scheme: String?

    init(variable: String, value: String) {
        self.variable = variable
        scheme = value.contains("://") ? URLComponents(string: value)?.scheme : nil
    }
}

extension UnusableProxy: CustomStringConvertible, LocalizedError {
    /// Says which variable it is, what was expected, and what was found.
    public var description: String {
        let found = scheme.map { $0.lowercased() == "http" ? "a URL without a valid host and port" : "a URL of \($0)" }
        return "\(variable) must be an http proxy, such as http://proxy.example:3128, found \(found ?? "no URL"): "
            + "SOCKS, and TLS to the proxy itself, are not supported"
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

/// The rules that determine the proxy of a request, as in curl and other programs.
public struct ProxyRules: Hashable, Sendable {
    /// The proxy for http.
    public var http: Proxy?
    /// The proxy for https.
    public var https: Proxy?
    /// The hosts to connect to directly: names, which include their subdomains, addresses, networks such as
    /// `10.0.0.0/8`, or `*` for all. With a port, the rule applies to that port only; an IPv6 address then needs brackets.
    public var excluded: [String]
    /// Why there is no proxy for a scheme although there should be one: requests fail rather than go without it.
    private var unusable: [String: UnusableProxy] = [:]

    /// Creates rules; without arguments, all connections are direct.
    public init(http: Proxy? = nil, https: Proxy? = nil, excluded: [String] = []) {
        self.http = http
        self.https = https
        self.excluded = excluded
    }

    /// Creates rules from environment variables: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. All except
    /// the first may also be in capitals; `HTTP_PROXY` is ignored because clients of a web server can set it for the
    /// programs that the server starts. If a variable is set to anything but an http proxy, the requests to which it
    /// applies fail; see ``proxy(scheme:host:port:)``.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            let text = environment[name] ?? environment[name.uppercased()]
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        self.init(
            excluded: value("no_proxy")?.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) ?? [])
        let own = ["http": environment["http_proxy"].flatMap { $0.isEmpty ? nil : $0 }, "https": value("https_proxy")]
        for (scheme, text) in own {
            let (variable, text) = text.map { ("\(scheme)_proxy", $0) } ?? ("all_proxy", value("all_proxy") ?? "")
            guard !text.isEmpty else { continue }
            let proxy = Proxy(text)
            if proxy == nil { unusable[scheme] = UnusableProxy(variable: variable, value: text) }
            if scheme == "https" { https = proxy } else { http = proxy }
        }
    }

    /// Returns the proxy of a request; `nil` for a direct connection.
    ///
    /// - Throws: ``UnusableProxy`` if an environment variable names a proxy that cannot be used.
    public func proxy(scheme: String, host: String, port: Int) throws(UnusableProxy) -> Proxy? {
        let scheme = scheme == "https" ? "https" : "http"
        let proxy = scheme == "https" ? https : http
        guard proxy != nil || unusable[scheme] != nil, !excluded.contains(where: { Self.matches($0, host, port) })
        else {
            return nil
        }
        if proxy == nil, let error = unusable[scheme] { throw error }
        return proxy
    }

    private static func matches(_ rule: String, _ host: String, _ port: Int) -> Bool {
        if rule == "*" { return true }
        var rule = rule.lowercased()[...]
        // A port, unless the colon is one of those in an IPv6 address.
        if let colon = rule.lastIndex(of: ":"), rule.firstIndex(of: ":") == colon || rule[..<colon].hasSuffix("]") {
            guard Int(rule[rule.index(after: colon)...]) == port else { return false }
            rule = rule[..<colon]
        }
        if let address = HostAddress(host) { return matches(rule, address) }
        if rule.hasPrefix(".") { rule = rule.dropFirst() }
        let host = host.lowercased()
        return !rule.isEmpty && (host == rule || host.hasSuffix("." + rule))
    }

    /// Whether a rule is this address, or a network that contains it.
    private static func matches(_ rule: Substring, _ address: HostAddress) -> Bool {
        let parts = rule.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let other = HostAddress(String(parts[0])) else { return false }
        guard parts.count == 2 else { return address.isSame(as: other) }
        return Int(parts[1]).map { address.isIn(networkOf: other, length: $0) } ?? false
    }
}
