/// One event of an event stream.
///
/// Source: the WHATWG HTML standard, section 9.2, "Server-sent events".
public struct ServerSentEvent: Sendable, Hashable {
    /// The `event` field; `message` if there is none.
    public var type: String
    /// The values of all `data` fields, joined by line feeds.
    public var data: String
    /// The last `id` field of the stream so far; empty if there was none.
    public var lastEventID: String

    /// Creates an event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Limits on how much of an event stream is buffered.
public struct ServerSentEventLimits: Sendable, Hashable {
    /// The maximum number of bytes in a line, without its terminator.
    public var lineBytes: Int
    /// The maximum number of bytes in the data of an event.
    public var eventBytes: Int

    /// Creates limits, by default 8 MiB each.
    public init(lineBytes: Int = 8 << 20, eventBytes: Int = 8 << 20) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}

/// The reason why parsing an event stream failed.
public enum ServerSentEventError: Error, Sendable, Hashable {
    /// A line exceeds `limit` bytes.
    case lineTooLong(limit: Int)
    /// The data of an event exceeds `limit` bytes.
    case eventTooLarge(limit: Int)
}

extension ServerSentEventError: CustomStringConvertible {
    /// Says what is too large, and the limit.
    public var description: String {
        switch self {
        case .lineTooLong(let limit): "a line of the event stream exceeds the limit of \(limit) bytes"
        case .eventTooLarge(let limit): "an event of the stream exceeds the limit of \(limit) bytes"
        }
    }
}
