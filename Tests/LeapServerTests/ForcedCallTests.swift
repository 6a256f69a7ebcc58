#if Server
import Foundation
import LeapChat
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

extension JSONValue {
    fileprivate subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

/// Tool calls that a request forces on a model that would answer in text, and strict calls the model chooses to make.
@Suite("Forced and strict tool calls")
struct ForcedCallTests {
    private static let tools = """
        [{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string",\
        "maxLength":6},"unit":{"$ref":"#/$defs/unit"}},"required":["city","unit"],"$defs":{"unit":{"enum":["C","F"]}}}}},\
        {"type":"function","function":{"name":"get_time","parameters":{"type":"object","properties":{"utc":{"type":"boolean"}},\
        "required":["utc"]}}}]
        """

    private static func chat(_ more: String) -> String {
        """
        {"messages":[{"role":"user","content":"Hi"}],"tools":\(tools),"max_tokens":200,"temperature":1.5,"logprobs":true,"reasoning_effort":"none",\(more)}
        """
    }

    private static func calls(_ reply: RawReply) throws -> [(name: String, arguments: JSONValue)] {
        try argumentTexts(reply).map { ($0.name, try JSONValue(parsing: $0.arguments)) }
    }

    private static func argumentTexts(_ reply: RawReply) -> [(name: String, arguments: String)] {
        (try? reply.json["choices"]?[0]?["message"]?["tool_calls"]?.array)?.map { call in
            (call["function"]?["name"]?.string ?? "", call["function"]?["arguments"]?.string ?? "")
        } ?? []
    }

    @Test("an output format beside a forced call is ignored, and a grammar is refused")
    func formats() async throws {
        try await TestServer.run { server in
            let schema = #"{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}"#
            let format = #""response_format":{"type":"json_schema","json_schema":{"name":"a","schema":\#(schema)}}"#
            let forced = #""tool_choice":"required","parallel_tool_calls":false,"seed":1"#
            let both = try await server.ask("POST", "/v1/chat/completions", Self.chat("\(forced),\(format)"))
            let alone = try await server.ask("POST", "/v1/chat/completions", Self.chat(forced))
            #expect(Self.argumentTexts(both).count == 1)
            #expect(Self.argumentTexts(both).map(\.arguments) == Self.argumentTexts(alone).map(\.arguments))
            #expect(try both.json["usage"]?["prompt_tokens"] == alone.json["usage"]?["prompt_tokens"])
            for own in [#""grammar":"root ::= \"a\"""#, #""json_schema":\#(schema)"#] {
                let refused = try await server.ask("POST", "/v1/chat/completions", Self.chat("\(forced),\(own)"))
                #expect(try refused.status == 400 && refused.error("param") == "tool_choice")
            }
        }
    }

    @Test("forced calls use the model's own syntax and obey parallel_tool_calls", arguments: [true, false], 1...4)
    func ownSyntax(isParallel: Bool, seed: Int) async throws {
        try await TestServer.run { server in
            let body = Self.chat("\"tool_choice\":\"required\",\"parallel_tool_calls\":\(isParallel),\"seed\":\(seed)")
            let reply = try await server.ask("POST", "/v1/chat/completions", body)
            let tokens = try reply.json["choices"]?[0]?["logprobs"]?["content"]?.array?.map {
                $0["token"]?.string ?? ""
            }
            let text = try #require(tokens).joined()
            #expect(text.hasPrefix("<|tool_call_start|>[get_"))
            // With parallel calls allowed, a small model may keep calling until it reaches the token limit.
            let isWhole = try reply.json["choices"]?[0]?["finish_reason"] == "tool_calls"
            #expect(isWhole || isParallel)
            guard isWhole else { return }
            let calls = try Self.calls(reply)
            #expect(isParallel ? !calls.isEmpty : calls.count == 1)
            #expect(text.hasSuffix(")]<|tool_call_end|>"))
            for call in calls {
                let names = Set(call.arguments.dictionary?.keys.map { $0 } ?? [])
                #expect(names == (call.name == "get_time" ? ["utc"] : ["city", "unit"]))
            }
        }
    }

    @Test("a function chosen by name is the one called, and a stream gives the same call")
    func named() async throws {
        try await TestServer.run { server in
            let choice =
                "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"get_time\"}},\"parallel_tool_calls\":false,\"seed\":3"
            let whole = try Self.calls(try await server.ask("POST", "/v1/chat/completions", Self.chat(choice)))
            #expect(whole.map(\.name) == ["get_time"])
            let stream = try await server.ask("POST", "/v1/chat/completions", Self.chat(choice + ",\"stream\":true"))
            var arguments = ""
            for line in stream.body.split(separator: "\n") where line.contains("data: {") {
                let json = try JSONValue(parsing: String(line.drop { $0 != "{" }))
                arguments += json["choices"]?[0]?["delta"]?["tool_calls"]?[0]?["function"]?["arguments"]?.string ?? ""
                #expect(json["choices"]?[0]?["delta"]?["content"]?.string ?? "" == "")
            }
            #expect(try JSONValue(parsing: arguments) == whole.first?.arguments)
        }
    }

    @Test("an answer that may have one call ends with it, though the model would go on")
    func onlyCall() async throws {
        try await TestServer.run([Fixture(name: "leap-tiny/leap-tiny-q8_0").path]) { server in
            func answer(_ more: String) async throws -> (JSONValue, texts: [String], count: JSONValue?) {
                let body = """
                    {"messages":[{"role":"user","content":"What is the weather in Paris?"}],"tools":[{"type":"function","function":\
                    {"name":"get_weather","description":"Get the weather","parameters":{"type":"object","properties":{"city":\
                    {"type":"string"}},"required":["city"]}}}],"temperature":0,"max_tokens":60,"ignore_eos":true,"logprobs":true\(more)}
                    """
                let json = try await server.ask("POST", "/v1/chat/completions", body).json
                let choice = try #require(json["choices"]?[0])
                let tokens = choice["logprobs"]?["content"]?.array ?? []
                return (choice, tokens.compactMap { $0["token"]?.string }, json["usage"]?["completion_tokens"])
            }
            let free = try await answer("")
            #expect(free.count == 60)
            let (choice, texts, count) = try await answer(",\"parallel_tool_calls\":false")
            #expect(choice["finish_reason"] == "tool_calls" && choice["message"]?["tool_calls"]?.array?.count == 1)
            #expect(texts.last == "<|tool_call_end|>" && count == .integer(texts.count))
        }
    }

    @Test("Anthropic's any, and required in Responses and ollama requests, force calls too")
    func others() async throws {
        try await TestServer.run { server in
            let anthropic = """
                {"messages":[{"role":"user","content":"Hi"}],"max_tokens":200,"tools":[{"name":"f","input_schema":{"type":"object",\
                "properties":{"a":{"enum":[null,true]}},"required":["a"]}}],"tool_choice":{"type":"any","disable_parallel_tool_use":true}}
                """
            let message = try await server.ask("POST", "/v1/messages", anthropic)
            #expect(try message.json["content"]?[0]?["name"] == "f")
            #expect(try [.null, true].contains(message.json["content"]?[0]?["input"]?["a"]))
            let responses = """
                {"input":"Hi","max_output_tokens":200,"reasoning":{"effort":"none"},"tools":[{"type":"function","name":"f","parameters":{"type":"object",\
                "properties":{"a":{"const":7}},"required":["a"]}}],"tool_choice":"required","parallel_tool_calls":false}
                """
            let response = try await server.ask("POST", "/v1/responses", responses)
            let ollama = """
                {"model":"\(TestServer.model)","messages":[{"role":"user","content":"Hi"}],"stream":false,"think":false,"tool_choice":"required",\
                "tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}],\
                "options":{"num_predict":200}}
                """
            let chat = try await server.ask("POST", "/api/chat", ollama)
            #expect(try chat.json["message"]?["tool_calls"]?[0]?["function"]?["name"] == "f")
            #expect(try response.json["output"]?[0]?["name"] == "f")
            #expect(try response.json["output"]?[0]?["arguments"] == "{\"a\": 7}")
        }
    }

    @Test("a schema that cannot be enforced is refused with the function's name")
    func refused() async throws {
        try await TestServer.run { server in
            let body = """
                {"messages":[{"role":"user","content":"Hi"}],"tool_choice":"required","tools":[{"type":"function","function":\
                {"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}}}]}
                """
            let reply = try await server.ask("POST", "/v1/chat/completions", body)
            #expect(reply.status == 400)
            #expect(try reply.error("param") == "tools")
            #expect(try reply.error("message")?.string?.contains("f#/properties/a/pattern") == true)
        }
    }

    /// A request whose logit bias makes the model begin a call wherever it can, without forcing one.
    private static func decided(_ server: TestServer, isStrict: Bool, seed: Int) async throws -> String {
        let mark = #"{"content":"<|tool_call_start|>","parse_special":true}"#
        let token = try await server.ask("POST", "/tokenize", mark).json["tokens"]?[0]
        let tools = tools.replacing("\"function\":{", with: "\"function\":{\"strict\":\(isStrict),")
        return chat("\"seed\":\(seed),\"logit_bias\":{\"\(try #require(token).text())\":100}")
            .replacing(Self.tools, with: tools)
    }

    @Test("calls the model chooses to make satisfy the schemas of strict functions", arguments: 1...4)
    func strict(seed: Int) async throws {
        try await TestServer.run { server in
            let body = try await Self.decided(server, isStrict: true, seed: seed)
            let reply = try await server.ask("POST", "/v1/chat/completions", body)
            #expect(reply.status == 200)
            let calls = Self.argumentTexts(reply)
            // The last call may be truncated.
            let isCut = try reply.json["choices"]?[0]?["finish_reason"] == "length"
            let whole = isCut ? calls.dropLast() : calls[...]
            #expect(!whole.isEmpty)
            for call in whole {
                let members = try JSONValue(parsing: call.arguments).dictionary ?? [:]
                #expect(Set(members.keys) == (call.name == "get_time" ? ["utc"] : ["city", "unit"]))
                #expect(members["unit"].map { ["C", "F"].contains($0) } ?? true)
                #expect((members["city"]?.string?.unicodeScalars.count ?? 0) <= 6)
            }
            let free = try await server.ask(
                "POST", "/v1/chat/completions", try await Self.decided(server, isStrict: false, seed: seed))
            #expect(Self.argumentTexts(free).count < calls.count, "without the constraint, most calls are malformed")
        }
    }

    @Test("strict changes neither the text of an answer nor the prompt")
    func strictText() async throws {
        try await TestServer.run { server in
            var replies: [JSONValue?] = []
            for strict in ["true", "false", "null"] {
                let body = Self.chat("\"seed\":3").replacing(
                    "\"function\":{", with: "\"function\":{\"strict\":\(strict),")
                let reply = try await server.ask("POST", "/v1/chat/completions", body)
                replies.append(
                    .array([try reply.json["choices"] ?? .null, try reply.json["usage"]?["prompt_tokens"] ?? .null]))
            }
            #expect(replies[0] == replies[1] && replies[1] == replies[2])
        }
    }

    @Test("a strict function with an unenforceable schema is refused, and so is a strict that is no Boolean")
    func strictRefused() async throws {
        try await TestServer.run { server in
            for (strict, pattern, says) in [
                ("true", "(", "f#/properties/a/pattern"), ("1", "a", "'strict' of function 'f'"), ("false", "(", nil),
            ] {
                let body = """
                    {"messages":[{"role":"user","content":"Hi"}],"max_tokens":2,"tools":[{"type":"function","function":\
                    {"name":"f","strict":\(strict),"parameters":{"type":"object","properties":{"a":{"type":"string",\
                    "pattern":"\(pattern)"}}}}}]}
                    """
                let reply = try await server.ask("POST", "/v1/chat/completions", body)
                #expect(reply.status == (says == nil ? 200 : 400))
                guard let says else { continue }
                #expect(try reply.error("message")?.string?.contains(says) == true)
            }
        }
    }

    @Test("strict is honoured in Anthropic, Responses and ollama requests too")
    func strictElsewhere() async throws {
        try await TestServer.run { server in
            let messages = """
                {"messages":[{"role":"user","content":"Hi"}],"max_tokens":2,"tools":[{"name":"f","strict":true,"input_schema":\
                {"type":"object","properties":{"a":{"type":"string","pattern":"("}}}}]}
                """
            let message = try await server.ask("POST", "/v1/messages", messages)
            #expect(message.status == 400)
            let responses = """
                {"input":"Hi","max_output_tokens":16,"tools":[{"type":"function","name":"f","strict":true,"parameters":\
                {"type":"object","properties":{"a":{"type":"string","pattern":"("}}}}]}
                """
            let response = try await server.ask("POST", "/v1/responses", responses)
            #expect(response.status == 400)
            let ollama = """
                {"model":"\(TestServer.model)","messages":[{"role":"user","content":"Hi"}],"options":{"num_predict":2},\
                "tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":\
                {"type":"object","properties":{"a":{"type":"string","pattern":"("}}}}}]}
                """
            let chat = try await server.ask("POST", "/api/chat", ollama)
            #expect(chat.status == 400)
        }
    }

    @Test("a stream has the same strict calls as a complete answer", arguments: 1...4)
    func strictStream(seed: Int) async throws {
        try await TestServer.run { server in
            let body = try await Self.decided(server, isStrict: true, seed: seed)
            let whole = Self.argumentTexts(try await server.ask("POST", "/v1/chat/completions", body))
            let stream = try await server.ask("POST", "/v1/chat/completions", body.dropLast() + ",\"stream\":true}")
            var calls: [(name: String, arguments: String)] = []
            for line in stream.body.split(separator: "\n") where line.contains("data: {") {
                let event = try JSONValue(parsing: String(line.drop { $0 != "{" }))
                for delta in event["choices"]?[0]?["delta"]?["tool_calls"]?.array ?? [] {
                    if let name = delta["function"]?["name"]?.string { calls.append((name, "")) }
                    let last = try #require(calls.indices.last)
                    calls[last].arguments += delta["function"]?["arguments"]?.string ?? ""
                }
            }
            #expect(!whole.isEmpty)
            #expect(calls.map(\.name).starts(with: whole.map(\.name)))
            #expect(calls.map(\.arguments).starts(with: whole.map(\.arguments)))
        }
    }

    @Test("with strict functions, the text of an answer still follows its response format", arguments: 1...3)
    func strictWithFormat(seed: Int) async throws {
        try await TestServer.run { server in
            let format = """
                "response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":\
                {"type":"object","properties":{"a":{"enum":[1,2]}},"required":["a"],"additionalProperties":false}}}
                """
            let calling = try await Self.decided(server, isStrict: true, seed: seed)
            let calls = Self.argumentTexts(
                try await server.ask("POST", "/v1/chat/completions", calling.dropLast() + ",\(format)}"))
            #expect(!calls.isEmpty)
            let saying: String = calling.replacing(":100}", with: ":-100}").dropLast() + ",\(format)}"
            let choice = try await server.ask("POST", "/v1/chat/completions", saying).json["choices"]?[0]
            let text = try #require(choice?["message"]?["content"]?.string)
            #expect(try [1, 2].contains(JSONValue(parsing: text)["a"]))
        }
    }

    @Test("forced calls do not depend on concurrent requests")
    func concurrentRequests() async throws {
        try await TestServer.run { server in
            let bodies = (0..<6).map { Self.chat("\"tool_choice\":\"required\",\"seed\":\($0)") }
            var alone: [JSONValue?] = []
            for body in bodies {
                alone.append(
                    try await server.ask("POST", "/v1/chat/completions", body).json["choices"]?[0]?["logprobs"])
            }
            let together = try await withThrowingTaskGroup { group in
                for (index, body) in bodies.enumerated() {
                    group.addTask {
                        (
                            index,
                            try await server.ask("POST", "/v1/chat/completions", body).json["choices"]?[0]?["logprobs"]
                        )
                    }
                }
                return try await group.reduce(into: [Int: JSONValue?]()) { $0[$1.0] = $1.1 }
            }
            for index in bodies.indices { #expect(together[index] == alone[index]) }
        }
    }
}
#endif
