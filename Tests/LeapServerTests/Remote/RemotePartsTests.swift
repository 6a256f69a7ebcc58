import HTTPTypes
import LeapJSON
import Testing

@testable import LeapServer

/// Parts of forwarding requests to another server.
@Suite("Forwarding")
struct RemotePartsTests {
    @Test(
        "only the model field of a forwarded request is changed",
        arguments: [
            (#"{"model":"a","n":1.0}"#, #"{"model":"b \"x\"","n":1.0}"#),
            (
                #" { "n" : 1e3 , "model" : "a" , "x" : {"model":"c"} } "#,
                #" { "n" : 1e3 , "model" : "b \"x\"" , "x" : {"model":"c"} } "#
            ),
            (
                #"{"m\u006fdel":null,"big":12345678901234567890.10}"#,
                #"{"m\u006fdel":"b \"x\"","big":12345678901234567890.10}"#
            ),
            (
                #"{"x":["model","}\"]",{"y":[1,2]}],"model":"a\"}"}"#,
                #"{"x":["model","}\"]",{"y":[1,2]}],"model":"b \"x\""}"#
            ),
            (#"{"stream":true}"#, #"{"model":"b \"x\"","stream":true}"#),
            (#"{ }"#, #"{"model":"b \"x\"" }"#),
            (#"{"a":-1,"model":true}"#, #"{"a":-1,"model":"b \"x\""}"#),
        ])
    func model(request: String, expected: String) throws {
        _ = try JSONValue(parsing: expected)
        let bytes = ModelField.replaced(in: Array(request.utf8), by: #"b "x""#)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("credentials, client identity and connection headers are not forwarded")
    func outgoing() {
        let fields: HTTPFields = [
            .authorization: "Bearer client", .cookie: "a=b", .accept: "text/event-stream",
            .connection: "keep-alive, x-own", .acceptEncoding: "gzip", .origin: "https://page.example",
            .userAgent: "somebody",
        ]
        #expect(RemoteHeaders.outgoing(fields) == [.accept: "text/event-stream"])
    }

    @Test("connection, server, cookie and CORS headers of a response are not passed back")
    func returning() throws {
        var fields: HTTPFields = [
            .connection: "close, X-Private", .transferEncoding: "chunked", .contentLength: "3", .server: "other",
            .setCookie: "a=b", .accessControlAllowOrigin: "*", .retryAfter: "7",
        ]
        for (name, value) in [("x-private", "1"), ("x-ratelimit-remaining", "9"), ("X-Leap-Node", "other")] {
            fields[try #require(HTTPField.Name(name))] = value
        }
        let names = RemoteHeaders.returning(fields).map(\.name.canonicalName).sorted()
        #expect(names == ["retry-after", "x-ratelimit-remaining"])
    }

    @Test("usage is read from a stream, however it is split", arguments: [1, 2, 7, 1000])
    func usage(size: Int) {
        let stream = """
            data: {"choices":[{"delta":{"content":"\\"usage\\""}}],"usage":null}\r
            \r
            data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4}}}

            data: [DONE]


            """
        var usage = RemoteUsage()
        let bytes = Array(stream.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            usage.read(bytes[start..<min(bytes.count, start + size)])
        }
        #expect(usage.count == RemoteUsage.Count(prompt: 12, cached: 4, completion: 5))
    }

    @Test("events are forwarded once complete, however they are split", arguments: [1, 2, 7, 1000])
    func events(size: Int) {
        let whole = "data: {\"sequence_number\":6}\r\n\r\n: still here\n\n"
        let bytes = Array((whole + "data: {\"sequence_number\":7").utf8)
        var events = RemoteEvents()
        var passed: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            passed += events.take(bytes[start..<min(bytes.count, start + size)])
        }
        #expect(String(decoding: passed, as: UTF8.self) == whole)
        #expect(events.areWhole && events.nextNumber == 7)
        #expect(String(decoding: events.rest, as: UTF8.self) == "data: {\"sequence_number\":7")
    }

    @Test("an event too long to buffer is forwarded as it arrives")
    func longEvent() {
        var events = RemoteEvents()
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 5 << 20)
        #expect(events.take(part) == part && !events.areWhole && events.rest.isEmpty)
        #expect(events.take([1, 2]) == [1, 2])
    }

    @Test("usage is read from Responses events too")
    func responses() {
        var usage = RemoteUsage()
        let cost = #"{"input_tokens":3,"output_tokens":2,"input_tokens_details":{"cached_tokens":1}}"#
        let event = #"data: {"type":"response.completed","response":{"usage":"# + cost + "}}\n\n"
        usage.read(Array(event.utf8))
        #expect(usage.count == RemoteUsage.Count(prompt: 3, cached: 1, completion: 2))
    }
}
