import Foundation
import HTTPTypes
import LeapDigest

/// Who may send requests: clients with a key, and pages of allowed origins.
struct AccessPolicy: Sendable {
    /// Digests of the keys; none if no key is needed.
    let keys: [[UInt8]]
    /// Host names under which the server may be addressed; `nil` for any. Protects a server on loopback against DNS
    /// rebinding.
    var hosts: Set<String>?
    /// Sites whose pages may ask, beside the server's own.
    var origins: Set<String> = []

    /// - Parameter keys: The keys in plain text.
    init(keys: [String], hosts: Set<String>? = nil, origins: Set<String> = []) {
        self.keys = keys.map { Self.digest($0) }
        self.hosts = hosts
        self.origins = origins
    }

    private static func digest(_ key: String) -> [UInt8] {
        SHA256.hash(data: key.utf8)
    }

    /// Checks whether a request may be answered.
    ///
    /// - Returns: The client: the number of its key, or `nil` if no key is required.
    /// - Throws: The reason why it may not.
    func check(_ exchange: Exchange, isPublic: Bool) throws(APIError) -> String? {
        try checkHost(exchange.host)
        try checkOrigin(exchange.headers[.origin], host: exchange.host)
        guard !keys.isEmpty, !isPublic else { return nil }
        guard let key = Self.key(in: exchange.headers) else {
            throw Self.unauthenticated("an API key is required: send the header 'Authorization: Bearer KEY'")
        }
        let given = Self.digest(key)
        // Constant time: all keys are compared, in full.
        var match: Int?
        for (index, key) in keys.enumerated() where Self.areEqual(key, given) { match = index }
        guard let match else { throw Self.unauthenticated("the API key is invalid") }
        return "key\(match)"
    }

    private static func unauthenticated(_ message: String) -> APIError {
        APIError(.unauthenticated, message, code: "invalid_api_key")
    }

    private func checkHost(_ host: String?) throws(APIError) {
        guard let hosts, let host else { return }
        let name = Self.name(ofHost: host)
        guard hosts.contains(name) || name.hasSuffix(".localhost") else {
            throw APIError(
                .forbidden,
                "the host name '\(name)' is not allowed: to allow it, start the server with --allowed-host \(name)")
        }
    }

    private func checkOrigin(_ origin: String?, host: String?) throws(APIError) {
        guard let origin else { return }
        if origins.contains(origin) || origins.contains("*") { return }
        let site = origin.components(separatedBy: "://")
        if site.count == 2, let host, site[1] == host { return }
        throw APIError(
            .forbidden,
            "requests from the origin '\(origin)' are not allowed: to allow them, start the server with "
                + "--cors-origin \(origin)"
        )
    }

    /// The header fields that let a page of another site read an answer; none for pages that may not.
    func crossOriginFields(_ exchange: Exchange) -> HTTPFields {
        guard let origin = exchange.headers[.origin], origins.contains(origin) || origins.contains("*") else {
            return [:]
        }
        return [
            .accessControlAllowOrigin: origin, .vary: "Origin",
            .accessControlExposeHeaders:
                "x-request-id, request-id, x-leap-node, x-leap-queue, x-leap-cached-tokens, retry-after, x-should-retry",
        ]
    }

    /// The header fields that answer a CORS preflight request: the methods of all routes, and the header fields asked for.
    func preflightFields(_ exchange: Exchange) -> HTTPFields {
        [
            .accessControlAllowMethods: "GET, POST, DELETE, OPTIONS",
            .accessControlAllowHeaders: Self.allowedFields(exchange.headers[.accessControlRequestHeaders]),
            .accessControlMaxAge: "600",
        ]
    }

    /// The header fields that a preflight request asks for, as far as they are valid names; none if the list is
    /// unusually long.
    static func allowedFields(_ list: String?) -> String {
        guard let list else { return "authorization, content-type, x-api-key, anthropic-version, anthropic-beta" }
        return list.utf8.prefix(4096).split(separator: UInt8(ascii: ",")).prefix(64)
            .compactMap { HTTPField.Name(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)) }
            .map(\.canonicalName).joined(separator: ", ")
    }

    private static func key(in headers: HTTPFields) -> String? {
        if let bearer = headers[.authorization], bearer.lowercased().hasPrefix("bearer ") {
            return String(bearer.dropFirst(7).trimmingPrefix { $0 == " " })
        }
        return HTTPField.Name("x-api-key").flatMap { headers[$0] }
    }

    private static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A host's name without its port, in lower case.
    static func name(ofHost host: String) -> String {
        let lower = host.lowercased()
        if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") { return String(lower[...end]) }
        return String(lower.prefix { $0 != ":" })
    }
}
