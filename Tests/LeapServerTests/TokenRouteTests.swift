#if Server
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Texts as tokens and back.
@Suite("Routes for tokens")
struct TokenRouteTests {
    private static let text = "Hello w\u{F6}rld"

    @Test("vLLM's words do what llama-server's do, with the tokens that begin texts unless told otherwise")
    func words() async throws {
        try await TestServer.run { server in
            func tokens(_ fields: String) async throws -> JSONValue {
                let reply = try await server.ask("POST", "/tokenize", "{\(fields)}")
                #expect(reply.status == 200, "\(reply.text)")
                return try reply.json
            }
            let text = JSONValue.string(Self.text).text()
            let plain = try await tokens("\"content\":\(text)")
            let whole = try await tokens("\"content\":\(text),\"add_special\":true")
            let same = try await tokens("\"prompt\":\(text),\"add_special_tokens\":false")
            let marked = try await tokens("\"prompt\":\(text)")
            #expect(same["tokens"] == plain["tokens"] && marked["tokens"] == whole["tokens"])
            #expect(same["tokens"] != marked["tokens"])
            #expect(marked["count"]?.wholeNumber == marked["tokens"]?.array?.count)
            #expect(marked["max_model_len"]?.wholeNumber ?? 0 > 0)
            let back = try await server.ask("POST", "/detokenize", "{\"tokens\":\(same["tokens"]?.text() ?? "")}")
            #expect(try back.json["prompt"] == .string(Self.text) && back.json["content"] == .string(Self.text))
        }
    }

    @Test("the tokenizer is described with texts of tokens that are those tokens")
    func description() async throws {
        try await TestServer.run { server in
            let info = try await server.ask("GET", "/tokenizer_info").json
            let props = try await server.ask("GET", "/props").json
            for name in ["bos_token", "eos_token"] {
                let text = try #require(info[name])
                #expect(text == props[name])
                let tokens = try await server.ask(
                    "POST", "/tokenize", "{\"prompt\":\(text.text()),\"add_special_tokens\":false}")
                #expect(try tokens.json["tokens"]?.array?.count == 1)
            }
            #expect(info["chat_template"] == props["chat_template"] && info["add_bos_token"] == true)
            #expect(try await server.ask("GET", "/tokenizer_info?model=nobody").status == 404)
        }
    }

    @Test(
        "two texts, and fields of other kinds, are refused by name",
        arguments: [
            (#"{"prompt":"a","content":"b"}"#, "prompt"), (#"{"prompt":1}"#, "prompt"),
            (#"{"prompt":"a","add_special_tokens":1}"#, "add_special_tokens"), ("{}", "content"),
        ])
    func refusals(body: String, field: String) async throws {
        try await TestServer.run { server in
            let reply = try await server.ask("POST", "/tokenize", body)
            #expect(try reply.status == 400 && reply.error("param") == .string(field), "\(reply.text)")
        }
    }
}
#endif
