public import Foundation
public import HTTPTypes

extension HTTPRequest {
    /// Creates a request for a URL.
    ///
    /// A user name and password in the URL become an `Authorization` field, unless `headerFields` contain one.
    ///
    /// - Throws: ``TransportError/invalidURL(_:_:)`` if the URL is not http or https, or has no host.
    public init(_ method: Method = .get, to url: URL, headerFields: HTTPFields = [:]) throws(TransportError) {
        let name = url.withoutSecrets
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .invalidURL(name, "it is not a URL")
        }
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw .invalidURL(name, "its scheme is neither http nor https")
        }
        guard let host = parts.percentEncodedHost, !host.isEmpty else { throw .invalidURL(name, "it has no host") }
        var path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        if let query = parts.percentEncodedQuery { path += "?" + query }
        self.init(
            method: method, scheme: scheme, authority: host + (parts.port.map { ":\($0)" } ?? ""), path: path,
            headerFields: headerFields)
        if let user = parts.user, self.headerFields[.authorization] == nil {
            let credentials = Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString()
            self.headerFields[.authorization] = "Basic \(credentials)"
        }
    }

    /// Scheme, authority and path.
    var urlString: String { "\(scheme ?? "")://\(authority ?? "")\(path ?? "/")" }

    /// Scheme and authority, which requests to the same server have in common.
    var origin: String { "\(scheme ?? "")://\(authority ?? "")".lowercased() }

    /// The name of the request in messages: its URL without the query, which may contain secrets.
    public var displayName: String {
        let url = urlString
        return url.firstIndex(of: "?").map { url[..<$0] + "?…" } ?? url
    }
}

extension URL {
    /// The URL without user name, password and query, which is safe to show and log.
    public var withoutSecrets: String {
        guard let parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "(not a URL)" }
        return withoutCredentials.absoluteString + (parts.percentEncodedQuery == nil ? "" : "?…")
    }

    /// The URL without user name, password, query and fragment, which is safe to store.
    public var withoutCredentials: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        parts.user = nil
        parts.password = nil
        parts.percentEncodedQuery = nil
        parts.percentEncodedFragment = nil
        return parts.url ?? self
    }
}
