import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("OpenAI Responses replies")
struct ResponsesReplyTests {
    private static let style = ResponsesStyle(
        id: "resp_1", created: 5, streams: true, freeTools: ["note"], showsTokens: false, model: "m",
        request: ["instructions": "Be brief.", "temperature": nil])

    private static let answer: FinishedAnswer = {
        var answer = FinishedAnswer(
            text: "Let me see.", reasoning: "Rome.",
            calls: [
                CalledFunction(id: "call_1", name: "weather", arguments: "{\"city\":\"Rome\"}"),
                CalledFunction(id: "call_2", name: "note", arguments: "{\"input\":\"a\\nb\"}"),
            ], end: .calls)
        answer.cost.promptTokens = 12
        answer.cost.cachedTokens = 8
        answer.cost.completionTokens = 7
        answer.cost.reasoningTokens = 2
        return answer
    }()

    /// The events of a stream: the value of `event:`, and the data.
    private static func events(_ pieces: [AnswerPiece]) throws -> [(name: String, data: JSONValue)] {
        var stream = ResponsesStream(style) { kind in
            switch kind {
            case .thought: "rs_1"
            case .message: "msg_1"
            case .call: "fc_1"
            case .freeCall: "ctc_1"
            }
        }
        var bytes = stream.begin()
        for piece in pieces { bytes += stream.write(AnswerFeed.Item(choice: 0, piece: piece)) }
        bytes += stream.end()
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").map { event in
            let lines = event.split(separator: "\n")
            return (String(lines[0].dropFirst(7)), try JSONValue(parsing: String(lines[1].dropFirst(6))))
        }
    }

    private static let pieces: [AnswerPiece] = [
        .promptRead(tokens: 8, of: 12), .reasoning("Ro"), .reasoning("me."), .text("Let "), .text("me see."),
        .callBegins(index: 0, CalledFunction(id: "call_1", name: "weather")),
        .callArguments(index: 0, "{\"city\":"), .callArguments(index: 0, "\"Rome\"}"),
        .callBegins(index: 1, CalledFunction(id: "call_2", name: "note")),
        .callArguments(index: 1, "{\"input\":"), .callArguments(index: 1, "\"a\\nb\"}"), .finished(answer),
    ]

    @Test("a complete reply has an item for the reasoning, for the text and for each tool call")
    func reply() {
        let reply = Self.style.reply(Self.answer)
        #expect(reply["status"] == "completed")
        #expect(reply["instructions"] == "Be brief.")
        #expect(reply["temperature"] == .null)
        #expect(reply["incomplete_details"] == .null)
        #expect(
            reply["usage"] == [
                "input_tokens": 12, "input_tokens_details": ["cached_tokens": 8, "cache_write_tokens": 0],
                "output_tokens": 7, "output_tokens_details": ["reasoning_tokens": 2], "total_tokens": 19,
            ])
        let items = reply["output"]?.array ?? []
        #expect(items.map { $0["type"]?.string } == ["reasoning", "message", "function_call", "custom_tool_call"])
        #expect(items[0]["content"] == [["type": "reasoning_text", "text": "Rome."]])
        #expect(items[1]["content"]?.array?.first?["text"] == "Let me see.")
        #expect(items[2]["arguments"] == "{\"city\":\"Rome\"}")
        #expect(items[2]["call_id"] == "call_1")
        #expect(items[3]["input"] == "a\nb")
    }

    @Test("a truncated answer is incomplete, and so is its last item")
    func incomplete() {
        let reply = Self.style.reply(FinishedAnswer(text: "a", reasoning: "b", end: .length))
        #expect(reply["status"] == "incomplete")
        #expect(reply["incomplete_details"] == ["reason": "max_output_tokens"])
        #expect(reply["output"]?.array?.map { $0["status"]?.string } == ["completed", "incomplete"])
    }

    @Test("events come in order, with consecutive sequence numbers")
    func order() throws {
        let events = try Self.events(Self.pieces)
        #expect(
            events.map(\.name) == [
                "response.created", "response.in_progress",
                "response.output_item.added", "response.reasoning_text.delta", "response.reasoning_text.delta",
                "response.reasoning_text.done", "response.output_item.done",
                "response.output_item.added", "response.content_part.added", "response.output_text.delta",
                "response.output_text.delta", "response.output_text.done", "response.content_part.done",
                "response.output_item.done",
                "response.output_item.added", "response.function_call_arguments.delta",
                "response.function_call_arguments.delta", "response.function_call_arguments.done",
                "response.output_item.done",
                "response.output_item.added", "response.custom_tool_call_input.delta",
                "response.custom_tool_call_input.done", "response.output_item.done",
                "response.completed",
            ])
        #expect(events.map { $0.data["type"]?.string } == events.map(\.name))
        #expect(events.map { $0.data["sequence_number"] } == events.indices.map { .integer($0) })
    }

    @Test("events refer to the item and part they belong to")
    func itemReferences() throws {
        let events = try Self.events(Self.pieces)
        #expect(
            events[9].data == [
                "type": "response.output_text.delta", "sequence_number": 9, "delta": "Let ", "logprobs": [],
                "content_index": 0, "item_id": "msg_1", "output_index": 1,
            ])
        #expect(
            events[17].data == [
                "type": "response.function_call_arguments.done", "sequence_number": 17, "name": "weather",
                "arguments": "{\"city\":\"Rome\"}", "item_id": "fc_1", "output_index": 2,
            ])
        #expect(events[20].data["delta"] == "a\nb")
    }

    @Test("the last event has the same items as the preceding events")
    func end() throws {
        let events = try Self.events(Self.pieces)
        let doneItems = events.filter { $0.name == "response.output_item.done" }.compactMap { $0.data["item"] }
        #expect(events.last?.data["response"]?["output"] == .array(doneItems))
        let ids = Self.style.reply(Self.answer)["output"]?.array?.map { $0.without("id") }
        #expect(doneItems.map { $0.without("id") } == ids)
    }

    @Test("a failed answer ends with a failed response")
    func failure() throws {
        let events = try Self.events([.text("a"), .failed(APIError(.failed, "broken"))])
        #expect(events.last?.name == "response.failed")
        #expect(events.last?.data["response"]?["status"] == "failed")
        #expect(events.last?.data["response"]?["error"] == ["code": "server_error", "message": "broken"])
    }
}

extension JSONValue {
    fileprivate func without(_ key: String) -> JSONValue {
        var members = object ?? [:]
        members[key] = nil
        return .object(members)
    }
}
