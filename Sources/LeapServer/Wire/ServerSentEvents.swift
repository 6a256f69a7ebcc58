import LeapJSON

/// The bytes of a stream of events (HTML Living Standard, "Server-sent events").
enum ServerSentEvents {
    /// The content type of such a stream.
    static let type = "text/event-stream"

    /// A comment, which clients ignore; it keeps the connection alive.
    static let ping = Array(": ping\n\n".utf8)

    /// OpenAI's last event.
    static let done = Array("data: [DONE]\n\n".utf8)

    /// An event whose data is a document. A document has no line breaks, so it is one line.
    static func event(_ document: JSONValue, name: String? = nil) -> [UInt8] {
        var text = name.map { "event: \($0)\n" } ?? ""
        text += "data: "
        text += document.text()
        text += "\n\n"
        return Array(text.utf8)
    }
}
