#if Server
import Foundation
import LeapJSON
import OrderedCollections
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Text completions with log probabilities, complete and streamed.
@Suite("Completions")
struct CompletionTests {
    /// One choice of a reply, assembled from one or more parts.
    struct Choice: Equatable {
        var text = ""
        var reason: String?
        var tokens: [String] = []
        var logprobs: [JSONValue] = []
        var alternatives: [JSONValue] = []
        var offsets: [Int] = []

        init(_ parts: [JSONValue]) {
            for part in parts {
                text += part["text"]?.string ?? ""
                reason = part["finish_reason"]?.string ?? reason
                let lists = part["logprobs"]
                tokens += lists?["tokens"]?.array?.compactMap(\.string) ?? []
                logprobs += lists?["token_logprobs"]?.array ?? []
                alternatives += lists?["top_logprobs"]?.array ?? []
                offsets += lists?["text_offset"]?.array?.compactMap(\.wholeNumber) ?? []
            }
        }
    }

    /// The JSON events of a stream.
    static func events(_ reply: RawReply) throws -> [JSONValue] {
        try reply.text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("data: {") }.map {
            try JSONValue(parsing: String($0.dropFirst(6)))
        }
    }

    /// The choices of a complete reply, and the parts of each choice in a stream.
    private static func choices(
        _ server: TestServer, _ fields: String
    ) async throws -> (whole: [Choice], parts: [[JSONValue]]) {
        let whole = try await server.ask("POST", "/v1/completions", "{\(fields)}")
        #expect(whole.status == 200, "\(whole.text)")
        let stream = try await server.ask("POST", "/v1/completions", "{\(fields),\"stream\":true}")
        #expect(stream.status == 200, "\(stream.text)")
        let parts = try events(stream).compactMap { $0["choices"]?.array?.first }
        let choices = try whole.json["choices"]?.array ?? []
        return (
            choices.map { Choice([$0]) },
            choices.indices.map { index in parts.filter { $0["index"] == .integer(index) } }
        )
    }

    @Test(
        "a stream has the same text, log probabilities and text offsets as the complete reply",
        arguments: ["", "\"echo\":true,", "\"echo\":true,\"n\":2,", "\"stop\":[\"e\"],", "\"stop\":[\"th\",\"xy\"],"])
    func streams(more: String) async throws {
        try await TestServer.run { server in
            let (whole, parts) = try await Self.choices(
                server, "\(more)\"prompt\":\"The sun\",\"logprobs\":1,\"max_tokens\":12,\"temperature\":0,\"seed\":1")
            #expect(parts.map(Choice.init) == whole)
            for (choice, parts) in zip(whole, parts) {
                #expect(choice.tokens.count == choice.offsets.count && choice.offsets.first == 0)
                #expect(choice.offsets == choice.offsets.sorted())
                if more.contains("echo") {
                    #expect(choice.text.hasPrefix("The sun") && parts.first?["text"] == "The sun")
                    #expect(choice.logprobs.first == .null)
                }
                #expect(parts.dropLast().allSatisfy { $0["text"] != "" })
            }
        }
    }

    @Test("/completion says that the context cut an answer off, but not that its own limit did")
    func truncated() async throws {
        try await TestServer.run { server in
            func ask(_ maximum: Int, streams: Bool = false) async throws -> JSONValue? {
                let body = #"{"prompt":"Once","ignore_eos":true,"n_predict":\#(maximum),"stream":\#(streams)}"#
                let reply = try await server.ask("POST", "/completion", body)
                return streams ? try Self.events(reply).last : try reply.json
            }
            for streams in [false, true] {
                let (cut, limited) = (try await ask(-1, streams: streams), try await ask(3, streams: streams))
                #expect(cut?["truncated"] == true && cut?["stop_type"] == "limit")
                #expect(cut?["tokens_cached"] == cut?["generation_settings"]?["n_ctx"])
                #expect(limited?["truncated"] == false && limited?["stop_type"] == "limit")
            }
            let body = #"{"prompt":"Once","ignore_eos":true,"max_tokens":100000}"#
            let other = try await server.ask("POST", "/v1/completions", body).json
            #expect(other["choices"]?.array?.first?["finish_reason"] == "length")
        }
    }

    @Test("several prompts are completed in one stream as in one reply, up to a limit", arguments: [1, 2])
    func prompts(count: Int) async throws {
        try await TestServer.run { server in
            let fields =
                "\"prompt\":[\"The sun\",\"A long day\"],\"echo\":true,\"logprobs\":1,\"max_tokens\":4,\"temperature\":0,\"n\":\(count)"
            let (whole, parts) = try await Self.choices(server, fields)
            #expect(whole.count == 2 * count && parts.map(Choice.init) == whole)
            let usage = try await server.ask("POST", "/v1/completions", "{\(fields)}").json["usage"]
            let stream = try await server.ask(
                "POST", "/v1/completions", "{\(fields),\"stream\":true,\"stream_options\":{\"include_usage\":true}}")
            let last = try Self.events(stream).last?["usage"]
            #expect(last?["total_tokens"] == usage?["total_tokens"] && usage?["total_tokens"] != nil)
            let many = "[" + (0..<9).map { "\"\($0)\"" }.joined(separator: ",") + "]"
            let refused = try await server.ask("POST", "/v1/completions", "{\"prompt\":\(many),\"stream\":true}")
            #expect(try refused.status == 400 && refused.error("param") == "prompt")
        }
    }

    @Test("an echoed BOS token has a logprobs entry if the client sent it, and none if the server added it")
    func beginningOfSequence() async throws {
        try await TestServer.run { server in
            let tokenized = try await server.ask("POST", "/tokenize", #"{"content":"The sun","add_special":true}"#)
            let tokens = try #require(try tokenized.json["tokens"]?.array)
            let rest = #""echo":true,"logprobs":1,"max_tokens":1,"temperature":0,"ignore_eos":true"#
            let (text, _) = try await Self.choices(server, #""prompt":"The sun",\#(rest)"#)
            let (sent, _) = try await Self.choices(server, "\"prompt\":\(JSONValue.array(tokens).text()),\(rest)")
            let (ofText, ofTokens) = (try #require(text.first), try #require(sent.first))
            #expect(ofText.tokens.count == tokens.count && ofTokens.tokens.count == tokens.count + 1)
            #expect(ofTokens.logprobs.first == .null && ofTokens.logprobs.dropFirst().allSatisfy { $0 != .null })
            #expect(ofTokens.text.hasSuffix(ofText.text) && ofTokens.tokens.joined() == ofTokens.text)
            // After the first token, the log probabilities are the same.
            #expect(ofTokens.logprobs.dropFirst(2) == ofText.logprobs.dropFirst(1))
        }
    }

    @Test("with echo, the sampled token has a logprobs entry even if it is the end-of-text token")
    func endOfEcho() async throws {
        try await TestServer.run { server in
            let eos = try #require(try await server.ask("GET", "/tokenizer_info").json["eos_token"]).text()
            let ends = try await server.ask("POST", "/tokenize", "{\"prompt\":\(eos),\"add_special_tokens\":false}")
            let end = try #require(try ends.json["tokens"]?.array?.first?.wholeNumber)
            let sent = try #require(try await server.ask("POST", "/tokenize", #"{"prompt":"The sun"}"#).json["tokens"])
            let rest = "\"prompt\":\(sent.text()),\"logprobs\":1,\"max_tokens\":1,\"logit_bias\":{\"\(end)\":100}"
            let (echoed, parts) = try await Self.choices(server, "\"echo\":true,\(rest)")
            let choice = try #require(echoed.first)
            #expect(choice.reason == "stop" && choice.tokens.count == (sent.array?.count ?? 0) + 1)
            #expect(choice.logprobs.last != .null && choice.alternatives.last?.object?.isEmpty == false)
            #expect(choice.text.hasSuffix("The sun") && choice.offsets.last == choice.text.unicodeScalars.count)
            #expect(parts.map(Choice.init) == echoed)
            // Without echo, only the tokens of the answer's text are listed.
            let (alone, _) = try await Self.choices(server, rest)
            #expect(alone.first?.tokens == [] && alone.first?.reason == "stop")
        }
    }

    @Test(
        "an answer ends before a stop string, and logprobs cover only the tokens of the text before it",
        arguments: 1...4)
    func stops(length: Int) async throws {
        try await TestServer.run { server in
            let fields = #""prompt":"The sun","logprobs":0,"max_tokens":30,"temperature":0,"ignore_eos":true"#
            let (free, _) = try await Self.choices(server, fields)
            let text = Array(try #require(free.first).text.unicodeScalars)
            try #require(text.count > 10)
            // A part of the text, neither at its beginning nor with characters that stand for invalid bytes.
            let windows = (3...text.count - length).map { text[$0..<$0 + length] }
            let stop = try #require(windows.first { $0.allSatisfy(\.isASCII) })
            let end = try #require(text.firstRange(of: stop)).lowerBound
            let json = JSONValue.string(String(String.UnicodeScalarView(stop))).text()
            let (whole, parts) = try await Self.choices(server, "\"stop\":\(json),\(fields)")
            let choice = try #require(whole.first)
            #expect(parts.first.map(Choice.init) == choice)
            #expect(choice.reason == "stop" && choice.text.unicodeScalars.elementsEqual(text[..<end]))
            #expect(choice.tokens.joined().hasPrefix(choice.text))
            #expect(choice.tokens.dropLast().joined().utf8.count < max(1, choice.text.utf8.count))
        }
    }

    @Test("a token that a stop string cut off is reported nowhere, though it may end like the beginning of another")
    func cutTokens() async throws {
        try await TestServer.run([Fixture(name: "llama-q4_k").path]) { server in
            for stop in [#"["im","he"," "]"#, #"["e"," t","th"]"#] {
                for seed in 1...8 {
                    let prompt = "[368,67,290,100,136,163,215,155,157,107,187,337,363,71,348]"
                    let (whole, parts) = try await Self.choices(
                        server,
                        "\"prompt\":\(prompt),\"max_tokens\":40,\"seed\":\(seed),\"temperature\":1.5,\"logprobs\":0,\"stop\":\(stop)"
                    )
                    #expect(parts.map(Choice.init) == whole)
                }
            }
        }
    }

    @Test("control tokens within a stop string are not reported")
    func cutControlTokens() async throws {
        try await TestServer.run([Fixture(name: "llama-q4_k").path]) { server in
            let tokens = try await server.ask("POST", "/tokenize", #"{"content":"a"}"#).json["tokens"]?.array
            let letter = try #require(tokens?.last?.wholeNumber)
            var cut = 0
            for seed in 1...12 {
                let (whole, parts) = try await Self.choices(
                    server,
                    "\"prompt\":[5,6,7],\"max_tokens\":12,\"seed\":\(seed),\"temperature\":2,\"logprobs\":0,\"stop\":[\"aa\"],\"logit_bias\":{\"\(letter)\":100,\"3\":98}"
                )
                let choice = try #require(whole.first)
                #expect(parts.map(Choice.init) == whole)
                guard choice.reason == "stop" else { continue }
                #expect(!choice.tokens.contains("a") && choice.text.isEmpty, "\(choice)")
                cut += 1
            }
            #expect(cut > 0)
        }
    }

    @Test("drafted tokens, whose number depends on the load, are among the timings and not in the usage")
    func draftedTokens() {
        var cost = AnswerCost()
        (cost.promptTokens, cost.completionTokens, cost.draftedTokens, cost.acceptedTokens) = (4, 9, 7, 5)
        let details = cost.openAIUsage["completion_tokens_details"]
        #expect(details?["accepted_prediction_tokens"] == 0 && details?["rejected_prediction_tokens"] == 0)
        #expect(cost.timings["draft_n"] == 7 && cost.timings["draft_n_accepted"] == 5)
    }

    @Test("the timings are in the last chunk of a stream and in no other", arguments: [true, false])
    func timings(includesUsage: Bool) async throws {
        let more = includesUsage ? ",\"stream_options\":{\"include_usage\":true}" : ""
        try await TestServer.run { server in
            for (path, subject) in [
                ("/v1/completions", "\"prompt\":\"The sun\""),
                ("/v1/chat/completions", "\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]"),
            ] {
                let reply = try await server.ask(
                    "POST", path, "{\(subject),\"ignore_eos\":true,\"max_tokens\":3,\"stream\":true\(more)}")
                let events = try Self.events(reply)
                let last = try #require(events.last)
                #expect(last["timings"]?["predicted_n"]?.wholeNumber == 3)
                #expect((last["choices"]?.array?.isEmpty == true) == includesUsage)
                #expect(events.dropLast().allSatisfy { $0["timings"] == nil })
            }
        }
    }

    @Test("the sampled token is among the reported alternatives, however improbable")
    func drawn() async throws {
        try await TestServer.run { server in
            let (whole, _) = try await Self.choices(
                server,
                "\"prompt\":\"The sun\",\"logprobs\":1,\"max_tokens\":20,\"temperature\":2,\"top_p\":1,\"seed\":3,\"n\":2"
            )
            for choice in whole {
                for (index, alternatives) in choice.alternatives.enumerated() {
                    #expect(alternatives[choice.tokens[index]] == choice.logprobs[index])
                    #expect((1...2).contains(alternatives.object?.count ?? 0))
                }
            }
            #expect(whole.contains { $0.alternatives.contains { $0.object?.count == 2 } })
        }
    }
}

@Suite("Text offsets of tokens")
struct TextOffsetTests {
    @Test("offsets count characters, including characters split across tokens and invalid bytes")
    func offsets() {
        var offsets = TextOffsets(from: 3)
        let tokens: [[UInt8]] = [
            Array("ab".utf8), Array("é".utf8), [0xF0, 0x9F], [], [0x8C], [0x9E, 0x63], [0xE2, 0x82], [0x64], [0xFF],
            [0x65],
        ]
        #expect(tokens.map { offsets.add($0) } == [3, 5, 6, 6, 6, 6, 8, 9, 10, 11])
    }
}
#endif
