import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("Anthropic Messages responses")
struct MessagesReplyTests {
    private static let style = MessagesStyle(id: "msg_1", streams: true, hidesThoughts: false, model: "m")

    private static let answer: FinishedAnswer = {
        var answer = FinishedAnswer(
            text: "Let me see.", reasoning: "Rome.",
            calls: [CalledFunction(id: "call_1", name: "weather", arguments: "{\"city\":\"Rome\"}")], end: .calls)
        answer.cost.promptTokens = 12
        answer.cost.cachedTokens = 8
        answer.cost.completionTokens = 7
        answer.cost.reasoningTokens = 2
        return answer
    }()

    private static let usage = """
        {"input_tokens":4,"cache_read_input_tokens":8,"cache_creation_input_tokens":0,"output_tokens":7,\
        "output_tokens_details":{"thinking_tokens":2}}
        """

    @Test("a complete reply has a block for the reasoning, for the text and for each tool call")
    func reply() {
        #expect(
            Self.style.reply(Self.answer).text() == """
                {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[\
                {"type":"thinking","thinking":"Rome.","signature":"leap"},{"type":"text","text":"Let me see."},\
                {"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Rome"}}],\
                "stop_reason":"tool_use","stop_sequence":null,"usage":\(Self.usage)}
                """)
    }

    @Test(
        "stop_reason and stop_sequence state why the answer ended",
        arguments: [
            (AnswerEnd.complete, "end_turn", JSONValue.null), (.length, "max_tokens", .null),
            (.calls, "tool_use", .null), (.stopText("END"), "stop_sequence", "END"),
        ])
    func ends(_ end: AnswerEnd, _ reason: String, _ text: JSONValue) {
        let reply = Self.style.reply(FinishedAnswer(end: end))
        #expect(reply["stop_reason"]?.string == reason)
        #expect(reply["stop_sequence"] == text)
    }

    @Test("a truncated tool call has an empty input")
    func cutOff() {
        let call = CalledFunction(id: "x", name: "f", arguments: "{\"a\":")
        let reply = Self.style.reply(FinishedAnswer(calls: [call], end: .length))
        #expect(reply["content"]?.array?.first?["input"] == [:])
    }

    @Test("a stream starts, continues and stops one content block after another")
    func stream() {
        var stream = MessagesStream(Self.style, promptTokens: 12, requestID: "req_1")
        let call = CalledFunction(id: "call_1", name: "weather")
        let pieces: [AnswerPiece] = [
            .promptRead(tokens: 8, of: 12), .reasoning("Ro"), .reasoning("me."), .text("Let "), .ping, .text("me see."),
            .callBegins(index: 0, call), .callArguments(index: 0, "{\"city\":"), .callArguments(index: 0, "\"Rome\"}"),
            .finished(Self.answer),
        ]
        var bytes = stream.begin()
        for piece in pieces { bytes += stream.write(AnswerFeed.Item(choice: 0, piece: piece)) }
        bytes += stream.end()
        #expect(String(decoding: bytes, as: UTF8.self) == Self.events)
    }

    private static let events = """
        event: message_start
        data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m",\
        "content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_read_input_tokens":0,\
        "cache_creation_input_tokens":0,"output_tokens":0,"output_tokens_details":{"thinking_tokens":0}}}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Ro"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"me."}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"leap"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: content_block_start
        data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Let "}}

        event: ping
        data: {"type":"ping"}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"me see."}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":1}

        event: content_block_start
        data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1",\
        "name":"weather","input":{}}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"city\\":"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta",\
        "partial_json":"\\"Rome\\"}"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":2}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":\(usage)}

        event: message_stop
        data: {"type":"message_stop"}


        """

    @Test("omitted reasoning leaves an empty thinking block")
    func hidden() {
        let style = MessagesStyle(streams: true, hidesThoughts: true)
        #expect(
            style.reply(FinishedAnswer(reasoning: "Rome."))["content"]?.array == [
                ["type": "thinking", "thinking": "", "signature": "leap"]
            ])
        var stream = MessagesStream(style, promptTokens: 1, requestID: "r")
        let bytes = stream.write(AnswerFeed.Item(choice: 0, piece: .reasoning("Rome.")))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Rome"))
    }

    @Test("a failed answer ends its stream with an error event and no message_stop")
    func failure() {
        var stream = MessagesStream(Self.style, promptTokens: 1, requestID: "req_1")
        _ = stream.begin()
        let error = APIError(.overloaded(retryAfter: 1), "no room")
        let bytes = stream.write(AnswerFeed.Item(choice: 0, piece: .failed(error)))
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                event: error
                data: {"type":"error","error":{"type":"overloaded_error","message":"no room"},"request_id":"req_1"}


                """)
        #expect(stream.end() == [])
    }
}
