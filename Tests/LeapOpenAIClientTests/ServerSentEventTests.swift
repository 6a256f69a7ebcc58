import LeapOpenAIClient
import Testing
import _LeapTestSupport

/// A stream and its events according to the WHATWG HTML standard.
struct EventStreamCase: Sendable, CustomTestStringConvertible {
    let stream: [UInt8]
    let events: [ServerSentEvent]
    /// The event that the end of the stream cuts off.
    let rest: ServerSentEvent?

    init(_ stream: String, _ events: [ServerSentEvent], rest: ServerSentEvent? = nil) {
        self.init(Array(stream.utf8), events, rest: rest)
    }

    init(_ stream: [UInt8], _ events: [ServerSentEvent], rest: ServerSentEvent? = nil) {
        self.stream = stream
        self.events = events
        self.rest = rest
    }

    var testDescription: String { String(String(decoding: stream, as: UTF8.self).debugDescription.prefix(60)) }
}

@Suite("Event streams")
struct ServerSentEventTests {
    private static func event(_ data: String, type: String = "message", id: String = "") -> ServerSentEvent {
        ServerSentEvent(type: type, data: data, lastEventID: id)
    }

    /// The examples of section 9.2.6 come first.
    static let cases = [
        EventStreamCase("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        EventStreamCase(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [event("first event", id: "1"), event("second event"), event(" third event")]),
        EventStreamCase("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")], rest: event("")),
        EventStreamCase("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
        // Line endings.
        EventStreamCase("data: a\r\n\r\ndata: b\r\n\r\n", [event("a"), event("b")]),
        EventStreamCase("data: a\r\rdata: b\r\r", [event("a"), event("b")]),
        EventStreamCase("data: a\r\n\ndata: b\n\r\ndata: c\r\r\n", [event("a"), event("b"), event("c")]),
        EventStreamCase("data: a\n\r\n\r\n\r\ndata: b\n\n", [event("a"), event("b")]),
        // Byte order marks: one at the beginning is not part of the text.
        EventStreamCase("\u{FEFF}data: a\n\n", [event("a")]),
        EventStreamCase("\u{FEFF}\u{FEFF}data: a\n\n", []),
        EventStreamCase("data: \u{FEFF}a\n\n\u{FEFF}data: b\n\n", [event("\u{FEFF}a")]),
        // Fields.
        EventStreamCase("event: add\ndata: 7\n\nevent: remove\n\ndata: 8\n\n", [event("7", type: "add"), event("8")]),
        EventStreamCase("event: a\nevent: b\ndata: 1\n\n", [event("1", type: "b")]),
        EventStreamCase("id: 1\n\ndata: x\n\nid: 2\ndata: y\n\n", [event("x", id: "1"), event("y", id: "2")]),
        EventStreamCase("id: 1\nid: a\u{0}b\ndata: x\n\n", [event("x", id: "1")]),
        EventStreamCase("Data: a\n data: b\ndata : c\nother: d\nnothing\ndata: e\n\n", [event("e")]),
        EventStreamCase("error: a\n\n", []),
        EventStreamCase(":\n: ping\n:data: x\n\n: ping\n\n", []),
        EventStreamCase("data: a:b: c\n\n", [event("a:b: c")]),
        EventStreamCase("data: {\ndata: }\n\n", [event("{\n}")]),
        // Text.
        EventStreamCase("data: größer 𝄞 e\u{301} 你好\n\n", [event("größer 𝄞 e\u{301} 你好")]),
        EventStreamCase(Array("data: a".utf8) + [0xF0, 0x9D] + Array("\n\n".utf8), [event("a\u{FFFD}")]),
        EventStreamCase(Array("data: ".utf8) + [0xFF, 0xC3] + Array("(\n\n".utf8), [event("\u{FFFD}\u{FFFD}(")]),
        EventStreamCase("data: a\u{2028}b\u{85}c\u{B}d\n\n", [event("a\u{2028}b\u{85}c\u{B}d")]),
        // Ends of streams.
        EventStreamCase("", []),
        EventStreamCase("\n\n\n", []),
        EventStreamCase("data: a\n\ndata: b\n", [event("a")], rest: event("b")),
        EventStreamCase("data: a\n\ndata: b", [event("a")], rest: event("b")),
        EventStreamCase("data: a\n\n: pin", [event("a")]),
        EventStreamCase(Array("data: a".utf8) + [0xF0, 0x9D], [], rest: event("a\u{FFFD}")),
    ]

    private func parse(_ pieces: [ArraySlice<UInt8>]) throws -> ([ServerSentEvent], ServerSentEvent?) {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for piece in pieces { try parser.parse(piece, into: &events) }
        return (events, try parser.finish())
    }

    @Test(arguments: cases)
    func `A stream gives the standard's events, whole, byte by byte and split anywhere`(_ test: EventStreamCase) throws
    {
        var splits = [[test.stream[...]], test.stream.indices.map { test.stream[$0...$0] }]
        splits += test.stream.indices.map { [test.stream[..<$0], test.stream[$0...]] }
        for pieces in splits {
            let (events, rest) = try parse(pieces)
            #expect(events == test.events && rest == test.rest, "split into \(pieces.map(\.count))")
        }
    }

    @Test func `An event is delivered at the end of its empty line, before the byte after a CR`() throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        try parser.parse("data: a\r\n\r".utf8, into: &events)
        #expect(events == [Self.event("a")])
        try parser.parse("\n".utf8, into: &events)
        #expect(events.count == 1)
    }

    @Test(arguments: [("retry: 1500", 1500), ("retry: 1500x", nil), ("retry: -1", nil), ("retry:", nil)])
    func `The reconnection time must consist of digits`(line: String, time: Int?) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        try parser.parse((line + "\n").utf8, into: &events)
        #expect(parser.reconnectionTime == time)
    }

    @Test func `A reconnection time that overflows is ignored`() throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        try parser.parse("retry: 7\nretry: 99999999999999999999\n".utf8, into: &events)
        #expect(parser.reconnectionTime == 7)
    }

    @Test func `A line beyond the limit is an error, and the events before it are delivered`() throws {
        var parser = ServerSentEventParser(limits: .init(lineBytes: 16, eventBytes: 1000))
        var events: [ServerSentEvent] = []
        let stream = "data: 1234567890\n\ndata: 12345678901"
        #expect(throws: ServerSentEventError.lineTooLong(limit: 16)) { try parser.parse(stream.utf8, into: &events) }
        #expect(events == [Self.event("1234567890")])
    }

    @Test func `An event beyond the limit is an error`() throws {
        var parser = ServerSentEventParser(limits: .init(lineBytes: 100, eventBytes: 10))
        var events: [ServerSentEvent] = []
        try parser.parse("data: 12345\ndata: 6789\n\n".utf8, into: &events)
        #expect(events == [Self.event("12345\n6789")])
        #expect(throws: ServerSentEventError.eventTooLarge(limit: 10)) {
            try parser.parse("data: 12345\ndata: 67890\n\n".utf8, into: &events)
        }
    }

    /// Bytes, of which those with a meaning in the format are more frequent.
    private static let alphabet = Array("data:event:id:retry:  \n\n\n\r\r1{}\u{FEFF}é".utf8) + [0, 0xFF, 0xF0]

    @Test(arguments: 0..<200)
    func `Random bytes give the same events whole and in random pieces`(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        let stream = (0..<300).map { _ in Self.alphabet.randomElement(using: &random) ?? 0 }
        var pieces: [ArraySlice<UInt8>] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...9, using: &random)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let (whole, wholeRest) = try parse([stream[...]])
        let (parts, partsRest) = try parse(pieces)
        #expect(whole == parts && wholeRest == partsRest)
    }

    @Test(arguments: [
        (ServerSentEventError.lineTooLong(limit: 5), "a line of the event stream exceeds the limit of 5 bytes"),
        (.eventTooLarge(limit: 6), "an event of the stream exceeds the limit of 6 bytes"),
    ])
    func `Errors name their limits`(error: ServerSentEventError, text: String) {
        #expect("\(error)" == text)
    }
}
