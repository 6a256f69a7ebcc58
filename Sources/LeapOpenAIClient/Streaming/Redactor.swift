/// Takes secrets out of texts that others wrote: servers like to quote a key that they refuse.
struct Redactor: Sendable {
    private let secrets: [String]

    /// Headers that hold secrets have such words in their names.
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

    /// Shorter ones are no secrets, such as `none` and `x`, but parts of words.
    private static let shortest = 4

    func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "(secret)") }
    }
}
