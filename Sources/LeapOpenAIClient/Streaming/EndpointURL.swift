import Foundation
import HTTPTypes
import LeapHTTP

/// The URL that requests are sent to.
enum EndpointURL {
    /// Returns a request without header fields: the base URL followed by the path; the queries of both are kept.
    static func request(_ config: OpenAiClientConfig) throws(OpenAiError) -> HTTPRequest {
        guard let base = URLComponents(string: config.baseUrl),
            let path = URLComponents(string: config.chatCompletionsPath),
            let scheme = base.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = base.percentEncodedHost, !host.isEmpty
        else { throw invalid(config, "must be an http or https URL, such as https://api.openai.com/v1") }
        guard base.user == nil else {
            throw invalid(config, "must not contain a password: use an Authorization header")
        }
        let queries = [base.percentEncodedQuery, path.percentEncodedQuery].compactMap { $0 }
        return HTTPRequest(
            method: .post, scheme: scheme, authority: host + (base.port.map { ":\($0)" } ?? ""),
            path: joined(base.percentEncodedPath, path.percentEncodedPath)
                + (queries.isEmpty ? "" : "?" + queries.joined(separator: "&")))
    }

    private static func joined(_ base: String, _ path: String) -> String {
        if path.isEmpty { return base.isEmpty ? "/" : base }
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        return path.hasPrefix("/") ? base + path : base + "/" + path
    }

    /// Returns a URL in a form that is safe to show.
    static func withoutSecrets(_ text: String) -> String {
        URL(string: text)?.withoutSecrets ?? "(not a URL)"
    }

    private static func invalid(_ config: OpenAiClientConfig, _ reason: String) -> OpenAiError {
        .invalidConfiguration("baseUrl '\(withoutSecrets(config.baseUrl))' \(reason)")
    }
}
