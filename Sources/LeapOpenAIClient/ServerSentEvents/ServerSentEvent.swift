/// One event of an event stream.
///
/// Source: the WHATWG HTML standard, section 9.2, "Server-sent events".
public struct ServerSentEvent: Sendable, Hashable {
    /// The `event` field; `message` where there was none.
    public var type: String
    /// The values of all `data` fields, joined by line feeds.
    public var data: String
    /// The last `id` field of the stream up to here; empty where there was none.
    public var lastEventID: String

    /// Makes an event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// How much of an event stream may have to be remembered at once.
public struct ServerSentEventLimits: Sendable, Hashable {
    /// The most bytes of a line, without its end.
    public var lineBytes: Int
    /// The most bytes of an event's data.
    public var eventBytes: Int

    /// Makes limits; 8 MiB each unless said otherwise.
    public init(lineBytes: Int = 8 << 20, eventBytes: Int = 8 << 20) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}

/// Why an event stream is read no further.
public enum ServerSentEventError: Error, Sendable, Hashable {
    /// A line has more bytes than `limit`.
    case lineTooLong(limit: Int)
    /// An event's data has more bytes than `limit`.
    case eventTooLarge(limit: Int)
}

extension ServerSentEventError: CustomStringConvertible {
    /// What is too large, and the limit.
    public var description: String {
        switch self {
        case .lineTooLong(let limit): "a line of the event stream is longer than the limit of \(limit) bytes"
        case .eventTooLarge(let limit): "an event of the stream has more data than the limit of \(limit) bytes"
        }
    }
}
