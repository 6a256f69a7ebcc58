import Foundation
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("ollama responses")
struct OllamaReplyTests {
    private static func style(isChat: Bool) -> OllamaStyle {
        OllamaStyle(
            model: "m", streams: true, isChat: isChat, showsTokens: false, loading: .milliseconds(5),
            now: { Date(timeIntervalSince1970: 1.5) })
    }

    private static let answer: FinishedAnswer = {
        var answer = FinishedAnswer(
            text: "Let me see.", reasoning: "Rome.",
            calls: [CalledFunction(id: "call_1", name: "weather", arguments: "{\"city\":\"Rome\"}")], end: .calls)
        answer.cost.promptTokens = 12
        answer.cost.completionTokens = 7
        answer.cost.promptDuration = .milliseconds(10)
        answer.cost.answerDuration = .milliseconds(20)
        return answer
    }()

    private static let begin = "{\"model\":\"m\",\"created_at\":\"1970-01-01T00:00:01.500Z\","
    private static let cost = """
        "total_duration":35000000,"load_duration":5000000,"prompt_eval_count":12,"prompt_eval_duration":10000000,\
        "eval_count":7,"eval_duration":20000000}
        """

    @Test("a complete chat answer is one JSON document")
    func chat() {
        #expect(
            Self.style(isChat: true).reply(Self.answer).text() == Self.begin + """
                "message":{"role":"assistant","content":"Let me see.","thinking":"Rome.","tool_calls":[\
                {"id":"call_1","function":{"name":"weather","arguments":{"city":"Rome"}}}]},"done":true,\
                "done_reason":"stop",\(Self.cost)
                """)
    }

    @Test("a complete text answer is one JSON document, and done_reason reports truncation")
    func text() {
        var answer = Self.answer
        answer.end = .length
        #expect(
            Self.style(isChat: false).reply(answer).text() == Self.begin + """
                "response":"Let me see.","thinking":"Rome.","done":true,"done_reason":"length",\(Self.cost)
                """)
    }

    @Test("an empty request reports that the model was loaded or unloaded", arguments: ["load", "unload"])
    func nothing(_ reason: String) {
        #expect(
            Self.style(isChat: true).nothing(reason).text() == Self.begin + """
                "message":{"role":"assistant","content":""},"done":true,"done_reason":"\(reason)"}
                """)
    }

    @Test("a stream has a line for each piece of text and for each complete tool call")
    func stream() {
        var stream = OllamaStream(Self.style(isChat: true))
        let pieces: [AnswerPiece] = [
            .promptRead(tokens: 8, of: 12), .reasoning("Rome."), .text("Let "), .ping, .text("me see."),
            .callBegins(index: 0, CalledFunction(id: "call_1", name: "weather")),
            .callArguments(index: 0, "{\"city\":"), .callArguments(index: 0, "\"Rome\"}"), .finished(Self.answer),
        ]
        var bytes = stream.begin()
        for piece in pieces { bytes += stream.write(AnswerFeed.Item(choice: 0, piece: piece)) }
        bytes += stream.end()
        let messages = [
            "{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"Rome.\"},\"done\":false}\n",
            "{\"role\":\"assistant\",\"content\":\"Let \"},\"done\":false}\n",
            "{\"role\":\"assistant\",\"content\":\"me see.\"},\"done\":false}\n",
            """
            {"role":"assistant","content":"","tool_calls":[{"id":"call_1","function":{"name":"weather",\
            "arguments":{"city":"Rome"}}}]},"done":false}

            """,
            "{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\(Self.cost)\n",
        ]
        let expected = messages.map { Self.begin + "\"message\":" + $0 }.joined()
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("a failed answer ends with an error")
    func failure() {
        var stream = OllamaStream(Self.style(isChat: false))
        let bytes = stream.write(AnswerFeed.Item(choice: 0, piece: .failed(APIError(.failed, "broken"))))
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"error\":\"broken\"}\n")
    }

    @Test(
        "parameter counts are formatted as by ollama",
        arguments: [(7, "7"), (1500, "1.50K"), (134_515_008, "134.52M"), (1_235_814_432, "1.2B")])
    func sizes(_ count: Int, _ text: String) {
        #expect(OllamaModels.Facts.size(count) == text)
    }
}
