import HTTPTypes

/// Which header fields pass a server that stands between a client and another server.
enum RemoteHeaders {
    /// What of a client's request goes on: what is meant for whoever answers, and nothing that says who asks. Keys and cookies
    /// are for this server alone.
    private static let request: Set<String> = [
        "accept", "idempotency-key", "openai-beta", "traceparent", "tracestate", "x-session-id",
    ]

    /// What of a response stays behind: what is about the connection (RFC 9110, section 7.6.1), what this server says itself,
    /// and what would have browsers believe that it comes from there.
    private static let response: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade", "content-length", "content-type", "date", "server", "via",
        "set-cookie", "alt-svc", "strict-transport-security", "vary", "www-authenticate", "x-request-id",
        "request-id",
    ]

    /// The fields of a request that go on.
    static func outgoing(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { request.contains($0.name.canonicalName) })
    }

    /// The fields of a response that go back.
    static func returning(_ fields: HTTPFields) -> HTTPFields {
        // Those that the other server names as being about the connection, too.
        let named = Set(
            fields[values: .connection].joined(separator: ",").lowercased().split(separator: ",")
                .map { $0.trimmingPrefix { $0 == " " }.prefix { $0 != " " } }.map(String.init))
        return HTTPFields(
            fields.filter { field in
                let name = field.name.canonicalName
                return !response.contains(name) && !named.contains(name) && !name.hasPrefix("access-control-")
                    && !name.hasPrefix("x-leap-")
            })
    }
}
