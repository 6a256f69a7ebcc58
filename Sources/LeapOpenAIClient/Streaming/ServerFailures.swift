import Foundation
import LeapJSON

/// Creates errors from the messages of a server, without secrets.
struct ServerFailures: Sendable {
    /// The URL in errors.
    let url: String
    let redact: Redactor

    /// The maximum number of characters of a text that errors quote.
    private static let quoted = 300
    /// The number of bytes of a body that are examined for this.
    static let openingBytes = 4096

    /// Returns the error that a document describes in one of the formats that servers use; `nil` if it describes none.
    ///
    /// `{"error": {"message", "type", "code"}}` is OpenAI's, `{"error": "…"}` Ollama's, `{"object": "error", "message"}`
    /// that of older vLLM's, and `{"detail": …}` FastAPI's.
    func message(in json: JSONValue) -> OpenAiServerMessage? {
        let error: JSONValue
        if let inner = json["error"], inner != .null {
            error = inner
        } else if json["object"]?.string == "error"
            || json["choices"] == nil && json["detail"] ?? json["message"] != nil
        {
            error = json
        } else {
            return nil
        }
        let text = error.string ?? error["message"]?.string ?? error["detail"]?.string ?? error.text()
        return OpenAiServerMessage(
            text: quote(text), type: error["type"]?.string.map { quote($0) }, code: code(error["code"]))
    }

    /// Returns the message in a body of any kind: that in its JSON, otherwise its beginning.
    func message(inBody body: Data) -> OpenAiServerMessage {
        if let json = try? JSONValue(parsing: body), let message = message(in: json) { return message }
        return OpenAiServerMessage(text: body.isEmpty ? "(empty response body)" : excerpt(body))
    }

    /// Returns the error for a piece of the answer that cannot be parsed.
    func malformed(_ reason: String, in text: String) -> OpenAiError {
        .malformed(url: url, reason: reason, excerpt: quote(text))
    }

    /// Returns the beginning of a body, on one line.
    func excerpt(_ body: Data) -> String {
        quote(String(decoding: body.prefix(Self.openingBytes), as: UTF8.self))
    }

    /// Returns a text on one line, shortened. Secrets are removed first, so that none is cut in half.
    func quote(_ text: String) -> String {
        let line = redact(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > Self.quoted ? line.prefix(Self.quoted) + "…" : line
    }

    private func code(_ json: JSONValue?) -> String? {
        switch json {
        case .string(let code): quote(code)
        case .integer(let code): String(code)
        default: nil
        }
    }
}
