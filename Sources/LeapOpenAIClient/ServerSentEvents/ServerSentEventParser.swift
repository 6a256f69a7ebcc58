/// Reads an event stream from bytes that come in pieces of any size.
///
/// However a stream is cut, the same events come out: a line may end with CR, LF or CRLF, also where the two come apart,
/// and text is decoded only once its line is whole. An event is there with the end of its empty line, so that nobody
/// waits for the byte after a CR.
///
/// Source: the WHATWG HTML standard, section 9.2.6, "Interpreting an event stream".
public struct ServerSentEventParser: Sendable {
    /// The last `retry` field in milliseconds: how long to wait before a stream is opened again.
    public private(set) var reconnectionTime: Int?

    private let limits: ServerSentEventLimits
    private var line: [UInt8] = []
    /// Whether the byte before was a CR, of which a following LF is a part.
    private var endedWithCR = false
    private var isFirstLine = true

    private var type = ""
    /// The data so far, each value with a line feed after it.
    private var data = ""
    private var lastEventID = ""

    /// Makes a parser for one stream.
    public init(limits: ServerSentEventLimits = .init()) {
        self.limits = limits
    }

    /// Reads the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: What came after the bytes before.
    ///   - events: Takes the events that are whole by now, also those before an error.
    /// - Throws: ``ServerSentEventError`` where a limit is exceeded; the parser is of no further use then.
    public mutating func parse(
        _ bytes: some Sequence<UInt8>, into events: inout [ServerSentEvent]
    ) throws(ServerSentEventError) {
        for byte in bytes {
            if let event = try parse(byte) { events.append(event) }
        }
    }

    /// Ends the stream.
    ///
    /// - Returns: What the end cut off: an event that has data, or an unfinished line, but no empty line after it. The
    ///   standard discards it.
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
    /// Takes the line; an empty one is the end of an event.
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

    /// Takes a line that is not empty: a name, and a value after a colon and at most one space. A comment is a line whose
    /// name is empty.
    private mutating func takeField(_ line: ArraySlice<UInt8>) throws(ServerSentEventError) {
        let name = line.prefix { $0 != Byte.colon }
        var value = line[name.endIndex...].dropFirst()
        if value.first == Byte.space { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "data": try takeData(text)
        case "event": type = text
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

    /// The event that the fields describe, unless they bring no data; the next one begins.
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
