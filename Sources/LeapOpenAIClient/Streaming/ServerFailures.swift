import Foundation
import LeapJSON
import OrderedCollections

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
    /// `{"error": {"message", "type", "code"}}` is OpenAI's, `{"error": "…"}` Ollama's, `{"error": "Unauthorized",
    /// "message": "…"}` that of Spring's gateways, `{"object": "error", "message"}` that of older vLLM's, and
    /// `{"detail": …}` FastAPI's.
    func message(in json: JSONValue) -> OpenAiServerMessage? {
        let isAnswer = json["choices"] != nil
        if let message = message(inErrorOf: json, isAnswer: isAnswer) { return message }
        guard json["object"]?.string == "error" || !isAnswer && json["detail"] ?? json["message"] != nil else {
            return nil
        }
        return message(of: json)
    }

    /// Returns the error that the member `error` of an object describes; `nil` if it describes none.
    ///
    /// - Parameter isAnswer: Whether the object has an answer as well. Then an empty member is no error: some servers
    ///   write one in every answer.
    func message(inErrorOf json: JSONValue, isAnswer: Bool) -> OpenAiServerMessage? {
        switch json["error"] {
        case nil, .null, .bool(false): return nil
        case .bool(true): return message(of: json)
        case .string(let title)?:
            if title.isEmpty, isAnswer { return nil }
            return OpenAiServerMessage(text: quote(Self.joined(title, json["message"]?.string ?? "")))
        case let error?:
            if error.object?.isEmpty ?? false, isAnswer { return nil }
            return message(of: error)
        }
    }

    private func message(of error: JSONValue) -> OpenAiServerMessage {
        let text = error["message"]?.string ?? error["detail"]?.string ?? error.text()
        return OpenAiServerMessage(
            text: quote(text), type: error["type"]?.string.map { quote($0) }, code: code(error["code"]))
    }

    /// Joins a title, such as "Unauthorized", and a text that may repeat it.
    private static func joined(_ title: String, _ text: String) -> String {
        if title.contains(text) || text.isEmpty { return title }
        return text.contains(title) || title.isEmpty ? text : "\(title): \(text)"
    }

    /// Returns the message in a body of any kind: that in its JSON, otherwise its beginning.
    func message(inBody body: Data) -> OpenAiServerMessage {
        // Gemini's servers put the object into an array.
        if let json = try? JSONValue(parsing: body), let message = message(in: json.array?.first ?? json) {
            return message
        }
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
