#if Server
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Tokenising and detokenising text.
@Suite("Tokenizer routes")
struct TokenRouteTests {
    private static let text = "Hello w\u{F6}rld"

    @Test("vLLM's tokenize fields work like llama-server's, but add special tokens by default")
    func vLLMFields() async throws {
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

    @Test("a model is in use while it tokenises, so that nobody unloads it")
    func inUse() async throws {
        try await TestServer.run { server in
            let unloading = Task {
                while !Task.isCancelled {
                    _ = try await server.ask(
                        "POST", "/api/generate", #"{"model":"\#(TestServer.model)","keep_alive":0}"#)
                }
            }
            let body = #"{"prompt":"\#(String(repeating: "tokens and words ", count: 20_000))"}"#
            for _ in 0..<6 {
                let reply = try await server.ask("POST", "/tokenize", body)
                #expect(try reply.status == 200 && reply.json["max_model_len"]?.wholeNumber ?? 0 > 0)
            }
            unloading.cancel()
            _ = await unloading.result
        }
    }

    @Test("/tokenizer_info gives special tokens as text that encodes to one token")
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

    @Test("a prompt of mixed texts and tokens is joined, with a BOS only before leading text")
    func pieces() async throws {
        try await TestServer.run { server in
            func tokens(_ text: String, _ addsSpecial: Bool) async throws -> [JSONValue] {
                let body = "{\"prompt\":\"\(text)\",\"add_special_tokens\":\(addsSpecial)}"
                return try await server.ask("POST", "/tokenize", body).json["tokens"]?.array ?? []
            }
            func completion(_ prompt: JSONValue) async throws -> JSONValue {
                let body = "{\"prompt\":\(prompt.text()),\"n_predict\":5,\"temperature\":0}"
                return try await server.ask("POST", "/completion", body).json
            }
            let (first, last) = (try await tokens("The sun", true), try await tokens(" and", false))
            for (mixed, wanted) in [
                (["The sun", 45, " and"], first + [45] + last), ([45, " and", 46], [45] + last + [46]),
            ] as [([JSONValue], [JSONValue])] {
                let (found, same) = (try await completion(.array(mixed)), try await completion(.array(wanted)))
                #expect(found["content"] == same["content"] && found["content"]?.string != nil)
                #expect(found["tokens_evaluated"]?.wholeNumber == wanted.count)
            }
        }
    }

    @Test("token counts of a conversation agree between the Responses and Anthropic routes")
    func counts() async throws {
        try await TestServer.run { server in
            let count = try await server.ask("POST", "/v1/responses/input_tokens", #"{"input":"Hello"}"#)
            let other = try await server.ask(
                "POST", "/v1/messages/count_tokens", #"{"messages":[{"role":"user","content":"Hello"}]}"#)
            #expect(try count.status == 200 && count.json["object"] == "response.input_tokens")
            #expect(try count.json["input_tokens"] == other.json["input_tokens"])
            #expect(try count.json["input_tokens"]?.wholeNumber ?? 0 > 0)
            #expect(try await server.ask("GET", "/v1/responses/input_tokens").status == 404)
        }
    }

    @Test("models are listed in Anthropic's format for Anthropic clients")
    func models() async throws {
        try await TestServer.run { server in
            func ask(_ path: String) async throws -> RawReply {
                try await server.ask("GET", path, headers: ["anthropic-version: 2023-06-01"])
            }
            let list = try await ask("/v1/models").json
            let id = JSONValue.string(TestServer.model)
            #expect(list["has_more"] == false && list["first_id"] == id && list["last_id"] == id)
            let model = try await ask("/v1/models/\(TestServer.model)").json
            #expect(list["data"] == [model] && model["type"] == "model" && model["display_name"] == id)
            #expect(model["created_at"]?.string?.hasSuffix("Z") == true)
            let nobody = try await ask("/v1/models/nobody")
            #expect(try nobody.status == 404 && nobody.json["error"]?["type"] == "not_found_error")
            #expect(try await server.ask("GET", "/v1/models").json["object"] == "list")
        }
    }

    @Test(
        "conflicting and invalid fields of /tokenize are refused by name",
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
