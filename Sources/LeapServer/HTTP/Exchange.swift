import Foundation
import HTTPTypes
import LeapJSON

/// A request that has been received completely.
struct Exchange: Sendable {
    /// The request's ID, for logs and replies.
    let id: String
    /// The method.
    let method: HTTPRequest.Method
    /// The path without prefix and query, percent-decoded.
    let path: String
    /// The query, after the question mark, not decoded.
    let query: String
    /// The server's name and port as the client addressed it.
    let host: String?
    /// Header fields.
    let headers: HTTPFields
    /// The body.
    var body: [UInt8]
    /// Call this when nothing can be written for a while that would reveal a disconnect: from then on, a client that
    /// stops sending counts as gone, and its request is cancelled.
    var endsWithClient: @Sendable () -> Void = {}
    /// Why the request was not read to its end; `nil` for one that was, which is to be answered.
    var refusal: APIError?
    /// The client, for fairness and quotas: a key's digest or an address.
    var client = ""
    /// Its access record.
    let record = AccessRecord()

    /// The value of a query parameter, percent-decoded; `nil` if absent.
    func parameter(_ name: String) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            return parts.count > 1 ? String(parts[1]).removingPercentEncoding ?? String(parts[1]) : ""
        }
        return nil
    }

    /// The body as a JSON object.
    ///
    /// - Throws: The reason why it is invalid.
    func fields() throws(APIError) -> FieldReader {
        let document = try document()
        guard let members = document.object else {
            throw APIError(.invalid, "the body must be a JSON object, found \(document.text().prefix(60))")
        }
        return FieldReader(members)
    }

    /// The body as JSON.
    ///
    /// - Throws: The reason why it is invalid.
    func document() throws(APIError) -> JSONValue {
        if let type = headers[.contentType]?.lowercased(), type.hasPrefix("multipart/") {
            throw APIError(.unsupportedContent, "the body must be JSON, not '\(type)'")
        }
        try refuseCompression()
        do { return try JSONValue(parsing: body, rejectsDuplicateKeys: true, rejectsLoneSurrogates: true) } catch {
            throw APIError(.invalid, "the body is not valid JSON: \(error)")
        }
    }
}

extension Exchange {
    /// The body as a form.
    ///
    /// - Throws: The reason why it is invalid.
    func form() throws(APIError) -> MultipartForm {
        try refuseCompression()
        return try MultipartForm(body, type: headers[.contentType] ?? "")
    }

    private func refuseCompression() throws(APIError) {
        guard let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" else { return }
        throw APIError(
            .unsupportedContent, "the body must not be compressed, found encoding '\(encoding)': send it uncompressed")
    }
}

/// What is sent back.
enum Reply: Sendable {
    /// All at once.
    case whole(HTTPResponse.Status, [UInt8], type: String, HTTPFields = [:])
    /// Piece by piece, written by the closure, which throws when the client is gone. `idle`: meaningless bytes with
    /// which to probe whether a client that has stopped sending still reads; without them it counts as gone.
    case stream(type: String, HTTPFields = [:], idle: [UInt8]? = nil, @Sendable (any ReplySink) async throws -> Void)

    /// A JSON document.
    static func json(_ document: JSONValue, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:]) -> Reply {
        .whole(status, Array(document.text().utf8), type: "application/json", headers)
    }

    /// An error in OpenAI's format.
    static func error(_ error: APIError) -> Reply { .json(error.openAIDocument, error.status, error.headers) }
}

/// The sink for the pieces of a reply.
protocol ReplySink: Sendable {
    /// Sends some bytes; waits while the client reads slower than they come.
    ///
    /// - Throws: An error if the client is gone.
    func write(_ bytes: [UInt8]) async throws
}
