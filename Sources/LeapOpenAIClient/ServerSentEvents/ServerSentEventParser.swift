/// Parses an event stream from bytes that arrive in pieces of any size.
///
/// The events do not depend on how the stream is split: a line may end with CR, LF or CRLF, even if the two bytes
/// arrive separately, and text is decoded only once its line is complete. An event is delivered as soon as its empty
/// line ends, without waiting for the byte after a CR.
///
/// Source: the WHATWG HTML standard, section 9.2.6, "Interpreting an event stream".
public struct ServerSentEventParser: Sendable {
    /// The last `retry` field in milliseconds: the delay before the stream should be reopened.
    public private(set) var reconnectionTime: Int?

    /// Whether a field `error` is the data of an event with this type. The standard has no such field, but servers of
    /// llama.cpp reported failures with it until September 2025.
    var readsErrorFields = false

    private let limits: ServerSentEventLimits
    private var line: [UInt8] = []
    /// Whether the previous byte was a CR, to which a following LF belongs.
    private var endedWithCR = false
    private var isFirstLine = true

    private var type = ""
    /// The data so far, with a line feed after each value.
    private var data = ""
    private var lastEventID = ""

    /// Creates a parser for one stream.
    public init(limits: ServerSentEventLimits = .init()) {
        self.limits = limits
    }

    /// Parses the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that follow the previous ones.
    ///   - events: The array to which complete events are appended, including those before an error.
    /// - Throws: ``ServerSentEventError`` if a limit is exceeded; the parser cannot be used afterwards.
    public mutating func parse(
        _ bytes: some Sequence<UInt8>, into events: inout [ServerSentEvent]
    ) throws(ServerSentEventError) {
        for byte in bytes {
            if let event = try parse(byte) { events.append(event) }
        }
    }

    /// Ends the stream.
    ///
    /// - Returns: The event that the end cut off: one that has data, but no empty line after it. The standard requires it
    ///   to be discarded. `nil` if the end cut off none.
    /// - Throws: ``ServerSentEventError/eventTooLarge(limit:)`` if an unfinished last line takes the data beyond the limit.
    public mutating func finish() throws(ServerSentEventError) -> ServerSentEvent? {
        if !line.isEmpty { _ = try endLine() }
        return dispatch()
    }

    private mutating func parse(_ byte: UInt8) throws(ServerSentEventError) -> ServerSentEvent? {
        defer { endedWithCR = byte == Byte.carriageReturn }
        switch byte {
        case Byte.lineFeed where endedWithCR:
            return nil
        case Byte.lineFeed, Byte.carriageReturn:
            return try endLine()
        default:
            guard line.count < limits.lineBytes else { throw .lineTooLong(limit: limits.lineBytes) }
            line.append(byte)
            return nil
        }
    }
}

// MARK: - Lines

extension ServerSentEventParser {
    /// Processes the line; an empty one ends the event.
    private mutating func endLine() throws(ServerSentEventError) -> ServerSentEvent? {
        var bytes = line[...]
        if isFirstLine, bytes.starts(with: Byte.orderMark) { bytes = bytes.dropFirst(Byte.orderMark.count) }
        isFirstLine = false
        guard !bytes.isEmpty else {
            line.removeAll(keepingCapacity: true)
            return dispatch()
        }
        try takeField(bytes)
        line.removeAll(keepingCapacity: true)
        return nil
    }

    /// Processes a line that is not empty: a name, and a value after a colon and at most one space. A line with an
    /// empty name is a comment.
    private mutating func takeField(_ line: ArraySlice<UInt8>) throws(ServerSentEventError) {
        let name = line.prefix { $0 != Byte.colon }
        var value = line[name.endIndex...].dropFirst()
        if value.first == Byte.space { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "data": try takeData(text)
        case "event": type = text
        case "error" where readsErrorFields:
            type = "error"
            try takeData(text)
        case "id": if !value.contains(0) { lastEventID = text }
        // Digits only, so that no sign is taken; a number beyond `Int` is not one that anybody waits for.
        case "retry": if value.allSatisfy(Byte.digits.contains), let time = Int(text) { reconnectionTime = time }
        default: break
        }
    }

    private mutating func takeData(_ text: String) throws(ServerSentEventError) {
        guard data.utf8.count + text.utf8.count <= limits.eventBytes else {
            throw .eventTooLarge(limit: limits.eventBytes)
        }
        data += text
        data += "\n"
    }

    /// Returns the event that the fields describe, unless it has no data, and starts the next one.
    private mutating func dispatch() -> ServerSentEvent? {
        defer { (type, data) = ("", "") }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: String(data.dropLast()), lastEventID: lastEventID)
    }
}

private enum Byte {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let colon: UInt8 = 0x3A
    static let digits: ClosedRange<UInt8> = 0x30...0x39
    static let orderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
