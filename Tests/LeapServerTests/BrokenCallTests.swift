#if Server
import Foundation
import LeapJSON
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Answers that begin a call and never end it: because it cannot be read, or because no tokens are left.
@Suite("Calls that break off")
struct BrokenCallTests {
    private static let schema = #"{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"string"}}}"#
    private static let function = #"{"name":"get_weather","description":"w","parameters":\#(schema)}"#

    /// Answers without a readable call: broken after the name, within an argument, and after one.
    private static let answers = [
        "<|tool_call_start|>[get_weather(city(city is", #"<|tool_call_start|>[get_weather(city="Paris"#,
        #"<|tool_call_start|>[get_weather(city="Paris", day(("#,
    ]

    private struct Replies {
        let chat, response, message, ollama: JSONValue
        /// Streams of the same, as received.
        let streams: [String]
    }

    /// The replies in all dialects of a model that answers with a text.
    private static func replies(_ text: String, tokens: Int = 200) async throws -> Replies {
        let model = try ScriptedModel(text)
        let replies = Mutex<Replies?>(nil)
        try await TestServer.run([model.path]) { server in
            let question = #"[{"role":"user","content":"Hi"}]"#
            let requests = [
                (
                    "/v1/chat/completions",
                    #"{"messages":\#(question),"max_tokens":\#(tokens),"tools":[{"type":"function","function":\#(function)}]"#
                ),
                (
                    "/v1/responses",
                    #"{"input":"Hi","max_output_tokens":\#(tokens),"tools":[{"type":"function",\#(function.dropFirst())]"#
                ),
                (
                    "/v1/messages",
                    #"{"messages":\#(question),"max_tokens":\#(tokens),"tools":[{"name":"get_weather","input_schema":\#(schema)}]"#
                ),
                (
                    "/api/chat",
                    #"{"messages":\#(question),"options":{"num_predict":\#(tokens)},"tools":[{"type":"function","function":\#(function)}]"#
                ),
            ]
            var (whole, streams): ([JSONValue], [String]) = ([], [])
            for (path, body) in requests {
                let model = "\"model\":\"\(URL(filePath: model.path).deletingPathExtension().lastPathComponent)\""
                whole.append(try await server.ask("POST", path, body + ",\(model),\"stream\":false}").json)
                streams.append(try await server.ask("POST", path, body + ",\(model),\"stream\":true}").text)
            }
            let made = Replies(
                chat: whole[0], response: whole[1], message: whole[2], ollama: whole[3], streams: streams)
            replies.withLock { $0 = made }
        }
        return try #require(replies.withLock { $0 })
    }

    private static func check(_ replies: Replies, end: String) throws {
        let choice = try #require(replies.chat["choices"]?.array?.first)
        #expect(choice["finish_reason"] == .string(end) && choice["message"]?["tool_calls"] == nil)
        #expect(choice["message"]?["content"]?.string?.hasPrefix("<|tool_call_start|>") == true)
        #expect(replies.response["output"]?.array?.map { $0["type"] } == ["message"])
        #expect(replies.message["content"]?.array?.map { $0["type"] } == ["text"])
        #expect(replies.message["stop_reason"] == .string(end == "length" ? "max_tokens" : "end_turn"))
        #expect(replies.ollama["message"]?["tool_calls"] == nil)
        #expect(replies.streams[0].contains("\"finish_reason\":\"\(end)\""))
        #expect(!replies.streams[2].contains(#""stop_reason":"tool_use""#))
        #expect(!replies.streams[3].contains("tool_calls"))
    }

    @Test("a call that cannot be read is text, and the answer does not end with calls", arguments: answers)
    func unreadable(_ answer: String) async throws {
        let replies = try await Self.replies(answer)
        try Self.check(replies, end: "stop")
        #expect(replies.streams.allSatisfy { $0.contains("<|tool_call_start|>") })
    }

    @Test("a call that the token limit cuts is text", arguments: [3, 6, 12])
    func cut(tokens: Int) async throws {
        let call =
            #"<|tool_call_start|>[get_weather(city="Paris, the one in France and not in Texas")]<|tool_call_end|>"#
        try Self.check(try await Self.replies(call, tokens: tokens), end: "length")
    }

    @Test("of a call that the token limit cuts after an argument, streams have a part, and not its text, too")
    func cutAfterArgument() async throws {
        let call =
            #"<|tool_call_start|>[get_weather(city="Paris", day="Monday, the first one of the month of June")]<|tool_call_end|>"#
        let replies = try await Self.replies(call, tokens: 24)
        try Self.check(replies, end: "length")
        for stream in replies.streams.prefix(3) {
            #expect(stream.contains(#"{\"city\": \"Paris\""#) && !stream.contains("tool_call_start"))
        }
        #expect(replies.streams[1].contains(#""status":"incomplete""#))
        // It has no parts of calls.
        #expect(replies.streams[3].contains("tool_call_start"))
    }

    @Test("before its first argument, no stream reports a call that breaks off after a complete one")
    func withheldAfterWhole() async throws {
        let replies = try await Self.replies(#"<|tool_call_start|>[get_weather(city="Rome"), get_weather(("#)
        #expect(replies.streams[0].contains(#""finish_reason":"tool_calls""#))
        #expect(!replies.streams[0].contains(#""index":1"#))
        #expect(!replies.streams[1].contains(#""status":"incomplete""#))
        #expect(replies.streams[2].components(separatedBy: #""type":"tool_use""#).count == 2)
        #expect(replies.streams[3].components(separatedBy: "tool_calls").count == 2)
    }

    @Test("before its first argument, no stream reports a call that may be none")
    func withheld() async throws {
        for stream in try await Self.replies("<|tool_call_start|>[get_weather((").streams {
            for part in [#""tool_calls":["#, #""type":"tool_use""#, #""type":"function_call""#] {
                #expect(!stream.contains(part))
            }
        }
    }

    @Test("of several calls, those before the one that breaks off are reported")
    func severalCalls() async throws {
        let text = #"<|tool_call_start|>[get_weather(city="Rome"), get_weather(city="Paris", day=("#
        let replies = try await Self.replies(text)
        let choice = try #require(replies.chat["choices"]?.array?.first)
        let calls = choice["message"]?["tool_calls"]?.array?.compactMap { $0["function"]?["arguments"]?.string } ?? []
        #expect(try calls.map { try JSONValue(parsing: $0) } == [["city": "Rome"]])
        #expect(choice["finish_reason"] == "tool_calls")
        #expect(replies.streams[3].components(separatedBy: "tool_calls").count == 2)
    }

    @Test("a call after a broken one is reported, and is the only one")
    func afterBroken() async throws {
        let good = #"<|tool_call_start|>[get_weather(city="Rome")]<|tool_call_end|>"#
        let replies = try await Self.replies(Self.answers[0] + " nothing)]<|tool_call_end|> Again: " + good)
        let choice = try #require(replies.chat["choices"]?.array?.first)
        #expect(choice["finish_reason"] == "tool_calls")
        let calls = choice["message"]?["tool_calls"]?.array?.compactMap { $0["function"]?["arguments"]?.string } ?? []
        #expect(try calls.map { try JSONValue(parsing: $0) } == [["city": "Rome"]])
        #expect(replies.streams[0].contains(#""index":0,"#))
    }
}
#endif
