/// Removes secrets from texts of others: servers often quote a key that they reject.
struct Redactor: Sendable {
    private let secrets: [String]

    /// Words in the names of headers that contain secrets.
    private static let words = ["auth", "key", "token", "secret", "cookie", "password"]

    init(_ config: OpenAiClientConfig) {
        let headers = config.extraHeaders.filter { header in
            Self.words.contains { header.key.lowercased().contains($0) }
        }
        // The longest first, because one may contain another; a scheme such as `Bearer` is none.
        var secrets = [config.apiKey]
        for value in headers.values {
            secrets.append(value)
            secrets += value.split(separator: " ").dropFirst().map(String.init)
        }
        self.secrets = secrets.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// The minimum length of a secret. Shorter values, such as `none` and `x`, are not secret but occur in words.
    private static let shortest = 4

    func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "(secret)") }
    }
}
