import HTTPTypes

/// The header fields that are forwarded between a client and another server.
enum RemoteHeaders {
    /// The request header fields that are forwarded: those about the content, and none that identify the client. Keys
    /// and cookies are for this server only.
    private static let request: Set<String> = [
        "accept", "idempotency-key", "openai-beta", "traceparent", "tracestate", "x-session-id",
    ]

    /// The response header fields that are dropped: those about the connection (RFC 9110, section 7.6.1), those that
    /// this server sets itself, and those with which browsers would trust the other server (cookies, security
    /// policies).
    private static let response: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade", "content-length", "content-type", "date", "server", "via",
        "set-cookie", "alt-svc", "strict-transport-security", "vary", "www-authenticate", "x-request-id",
        "request-id",
    ]

    /// The fields of a request that are forwarded.
    static func outgoing(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { request.contains($0.name.canonicalName) })
    }

    /// The fields of a response that go back.
    static func returning(_ fields: HTTPFields) -> HTTPFields {
        // Also those that the other server lists as being about the connection.
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
