#if Server
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Stop strings in answers that are constrained by a schema, a grammar or a forced call.
@Suite("Stop strings in constrained answers")
struct StopTextTests {
    private static let messages = #""messages":[{"role":"user","content":"Hi"}],"max_tokens":60"#
    private static let schema = #"{"type":"object","properties":{"utc":{"type":"boolean"}},"required":["utc"]}"#

    @Test(
        "answers constrained by a schema or a grammar end before the stop string",
        arguments: [
            #""response_format":{"type":"json_schema","json_schema":{"name":"a","schema":SCHEMA}}"#,
            #""json_schema":SCHEMA"#, #""grammar":"root ::= \"{ utc: \" [a-z]*""#,
        ])
    func constraints(_ field: String) async throws {
        let field = field.replacing("SCHEMA", with: Self.schema)
        try await TestServer.run { server in
            for stop in [#""stop":"utc""#, #""stop":["never","utc"]"#] {
                let body = "{\(Self.messages),\"reasoning_effort\":\"none\",\"logprobs\":true,\(field),\(stop)}"
                let choice = try #require(
                    try await server.ask("POST", "/v1/chat/completions", body).json["choices"]?.array?.first)
                let text = try #require(choice["message"]?["content"]?.string)
                #expect(text.contains("{") && !text.contains("utc") && choice["finish_reason"] == "stop")
                let tokens = choice["logprobs"]?["content"]?.array?.compactMap { $0["token"]?.string } ?? []
                #expect(tokens.joined().hasPrefix(text))
            }
            let body = #"{"prompt":"a","n_predict":60,\#(field),"stop":["utc"]}"#
            guard !field.contains("response_format") else { return }
            let completion = try await server.ask("POST", "/completion", body).json
            #expect(completion["stopping_word"] == "utc" && completion["stop_type"] == "word")
        }
    }

    @Test("a tool call cut off by a stop string is not reported, in streams either")
    func cutCalls() async throws {
        let tool = #"{"name":"get_time","parameters":\#(Self.schema)}"#
        let chat = """
            {\(Self.messages),"reasoning_effort":"none","stop":"utc","tool_choice":"required",
            "tools":[{"type":"function","function":\(tool)}]
            """
        try await TestServer.run { server in
            let whole = try await server.ask("POST", "/v1/chat/completions", chat + "}").json
            let choice = try #require(whole["choices"]?.array?.first)
            #expect(choice["finish_reason"] == "stop" && choice["message"]?["tool_calls"] == nil)
            let stream = try await server.ask("POST", "/v1/chat/completions", chat + ",\"stream\":true}")
            #expect(stream.text.contains(#""finish_reason":"stop""#) && !stream.text.contains("tool_calls"))

            let message = try await server.ask(
                "POST", "/v1/messages",
                """
                {\(Self.messages),"stop_sequences":["utc"],"tool_choice":{"type":"any"},
                "tools":[{"name":"get_time","input_schema":\(Self.schema)}]}
                """
            ).json
            #expect(message["stop_reason"] == "stop_sequence" && message["stop_sequence"] == "utc")
            #expect(message["content"]?.array?.contains { $0["type"] == "tool_use" } == false)
            let response = try await server.ask(
                "POST", "/v1/responses",
                """
                {"input":"Hi","reasoning":{"effort":"none"},"max_output_tokens":60,"stop":"utc","tool_choice":"required",
                "stream":true,"tools":[{"type":"function","name":"get_time","parameters":\(Self.schema)}]}
                """)
            #expect(response.text.contains("response.completed") && !response.text.contains("function_call"))
        }
    }

    @Test("complete tool calls are kept despite a stop string, in streams too")
    func wholeCalls() async throws {
        let chat = """
            {\(Self.messages),"reasoning_effort":"none","stop":"never","tool_choice":"required","parallel_tool_calls":false,
            "tools":[{"type":"function","function":{"name":"get_time","parameters":\(Self.schema)}}]
            """
        try await TestServer.run { server in
            let whole = try await server.ask("POST", "/v1/chat/completions", chat + "}").json
            let choice = try #require(whole["choices"]?.array?.first)
            #expect(choice["finish_reason"] == "tool_calls")
            let arguments = choice["message"]?["tool_calls"]?.array?.first?["function"]?["arguments"]?.string
            #expect(try JSONValue(parsing: arguments ?? "")["utc"] != nil)
            let stream = try await server.ask("POST", "/v1/chat/completions", chat + ",\"stream\":true}")
            #expect(stream.text.contains("get_time") && stream.text.contains(#""finish_reason":"tool_calls""#))
        }
    }
}
#endif
