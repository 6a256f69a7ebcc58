import Foundation
import HTTPTypes
import LeapDigest

/// Who may ask: keys, and pages of which sites.
struct AccessPolicy: Sendable {
    /// Digests of the keys; none where nobody needs one.
    let keys: [[UInt8]]
    /// Names by which the server may be addressed; `nil` where all may. Guards a server on loopback against pages that give its
    /// address a name of their own.
    var hosts: Set<String>?
    /// Sites whose pages may ask, beside the server's own.
    var origins: Set<String> = []

    /// - Parameter keys: The keys in clear.
    init(keys: [String], hosts: Set<String>? = nil, origins: Set<String> = []) {
        self.keys = keys.map { Self.digest($0) }
        self.hosts = hosts
        self.origins = origins
    }

    private static func digest(_ key: String) -> [UInt8] {
        SHA256.hash(data: key.utf8)
    }

    /// Looks whether a request may be answered.
    ///
    /// - Returns: Who asks: the number of the key, or `nil` where none is needed.
    /// - Throws: Why it may not.
    func check(_ exchange: Exchange, isPublic: Bool) throws(APIError) -> String? {
        try checkHost(exchange.host)
        try checkOrigin(exchange.headers[.origin], host: exchange.host)
        guard !keys.isEmpty, !isPublic else { return nil }
        guard let key = Self.key(in: exchange.headers) else {
            throw Self.unauthenticated("a key is needed: send 'Authorization: Bearer KEY'")
        }
        let given = Self.digest(key)
        // All are compared, whole, so that the time tells nothing.
        var match: Int?
        for (index, key) in keys.enumerated() where Self.areEqual(key, given) { match = index }
        guard let match else { throw Self.unauthenticated("the key is not one of this server's") }
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
                .forbidden, "the server is not called '\(name)': start it with --allowed-host \(name) if it should be")
        }
    }

    private func checkOrigin(_ origin: String?, host: String?) throws(APIError) {
        guard let origin else { return }
        if origins.contains(origin) || origins.contains("*") { return }
        let site = origin.components(separatedBy: "://")
        if site.count == 2, let host, site[1] == host { return }
        throw APIError(
            .forbidden, "pages of '\(origin)' may not ask: start the server with --cors-origin \(origin) if they should"
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

    /// What a page may send that asks before it sends it: the methods of all routes, and the header fields that it names.
    func preflightFields(_ exchange: Exchange) -> HTTPFields {
        [
            .accessControlAllowMethods: "GET, POST, DELETE, OPTIONS",
            .accessControlAllowHeaders: Self.allowedFields(exchange.headers[.accessControlRequestHeaders]),
            .accessControlMaxAge: "600",
        ]
    }

    /// Header fields that a page may send, as it names them in a list: those are all allowed that are names, as long as the list
    /// has a usual length.
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

    /// A host's name without its port, in small letters.
    static func name(ofHost host: String) -> String {
        let lower = host.lowercased()
        if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") { return String(lower[...end]) }
        return String(lower.prefix { $0 != ":" })
    }
}
