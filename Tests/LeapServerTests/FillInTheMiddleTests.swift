#if Server
import Foundation
import LeapGGUF
import LeapJSON
import LeapTokenizer
import OrderedCollections
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Fill-in-the-middle requests to a model whose file declares the FIM tokens.
@Suite("Fill-in-the-middle")
struct FillInTheMiddleTests {
    /// A chat model whose file declares some of its tokens as those for filling in the middle.
    private struct Model {
        static let marks: (prefix: Token, suffix: Token, middle: Token) = (40, 41, 42)

        let path: String
        let tokenizer: Tokenizer
        private let folder: TemporaryFolder

        init() throws {
            let file = try GGUFFile(path: Fixture(name: TestServer.model).path)
            var writer = GGUFWriter()
            writer.add(contentsOf: file.metadata)
            for (key, token) in [("pre", Self.marks.prefix), ("suf", Self.marks.suffix), ("mid", Self.marks.middle)] {
                writer.set("tokenizer.ggml.fim_\(key)_token_id", .uint32(UInt32(token)))
            }
            for tensor in file.tensors { try writer.addTensor(tensor) }
            folder = try TemporaryFolder()
            path = folder.path("filler.gguf")
            try writer.write(to: path) { output in
                for tensor in file.tensors { try output.append(tensor.bytes) }
            }
            tokenizer = try Tokenizer(metadata: GGUFFile(path: path).metadata)
        }

        /// The tokens of a fill-in-the-middle prompt.
        func prompt(_ before: String, _ behind: String) -> [Token] {
            func tokens(_ text: String) -> [Token] { tokenizer.encode(text, addSpecial: false, parseSpecial: false) }
            let begin = tokenizer.addsBOS ? [tokenizer.bos].compactMap(\.self) : []
            return begin + [Self.marks.prefix] + tokens(before) + [Self.marks.suffix] + tokens(behind)
                + [Self.marks.middle]
        }
    }

    private static let rest = #""max_tokens":6,"temperature":0,"ignore_eos":true"#

    @Test("a FIM prompt is prefix, suffix and middle, and control tokens in the texts are not parsed")
    func prompt() async throws {
        let model = try Model()
        let (before, behind) = ("def f(x): <|im_end|>", "return x")
        let tokens = model.prompt(before, behind)
        #expect(tokens.count { Model.marks.middle == $0 || model.tokenizer.eot == $0 } == 1)
        try await TestServer.run([model.path]) { server in
            let wanted = try await server.ask("POST", "/v1/completions", "{\"prompt\":\(tokens),\(Self.rest)}")
            let filled = try await server.ask(
                "POST", "/v1/completions", #"{"prompt":"\#(before)","suffix":"\#(behind)",\#(Self.rest)}"#)
            #expect(wanted.status == 200 && filled.status == 200)
            #expect(try filled.json["choices"]?.array?.first?["text"] == wanted.json["choices"]?.array?.first?["text"])
            #expect(try filled.json["usage"]?["prompt_tokens"] == .integer(tokens.count))
            let ollama = try await server.ask(
                "POST", "/api/generate",
                #"{"model":"filler","prompt":"\#(before)","suffix":"\#(behind)","stream":false,"options":{"num_predict":6,"temperature":0}}"#
            )
            #expect(ollama.status == 200)
            #expect(try ollama.json["prompt_eval_count"] == .integer(tokens.count))
        }
    }

    @Test("/infill generates the text of /v1/completions in llama-server's format, complete and streamed")
    func infill() async throws {
        let model = try Model()
        let rest = #""n_predict":6,"temperature":0,"ignore_eos":true"#
        try await TestServer.run([model.path]) { server in
            let wanted = try await server.ask(
                "POST", "/v1/completions", #"{"prompt":"def f(x):\n  ","suffix":"return x",\#(Self.rest)}"#)
            let text = try #require(try wanted.json["choices"]?.array?.first?["text"])
            let gap = #""input_prefix":"def f(x):\n","prompt":"  ","input_suffix":"return x",\#(rest)"#
            let filled = try await server.ask("POST", "/infill", "{\(gap)}")
            #expect(filled.status == 200, "\(filled.text)")
            #expect(try filled.json["content"] == text)
            #expect(try filled.json["stop"] == true && filled.json["stop_type"] == "limit")
            #expect(try filled.json["tokens_predicted"] == 6)
            #expect(try filled.json["tokens_evaluated"] == wanted.json["usage"]?["prompt_tokens"])
            #expect(try filled.json["timings"]?["predicted_n"] == 6)
            let streamed = try await server.ask("POST", "/infill", #"{\#(gap),"stream":true}"#)
            let events = try streamed.text.components(separatedBy: "data: ").dropFirst().map {
                try JSONValue(parsing: Array($0.components(separatedBy: "\n\n")[0].utf8))
            }
            #expect(.string(events.compactMap { $0["content"]?.string }.joined()) == text)
            #expect(events.dropLast().allSatisfy { $0["stop"] == false } && events.last?["stop"] == true)
            #expect(events.last?["tokens_predicted"] == 6)
            // Extra files precede the prefix, each after its name.
            let extra = #"{"input_extra":[{"filename":"a.py","text":"x = 1"}],\#(gap)}"#
            let known = try await server.ask(
                "POST", "/v1/completions",
                #"{"prompt":"a.py\nx = 1\n\ndef f(x):\n  ","suffix":"return x",\#(Self.rest)}"#)
            let helped = try await server.ask("POST", "/infill", extra)
            #expect(try helped.json["content"] == known.json["choices"]?.array?.first?["text"])
            // Editors have the prompt processed before anything is typed.
            let warm = try await server.ask(
                "POST", "/infill", #"{"input_prefix":"a","input_suffix":"b","n_predict":0}"#)
            #expect(try warm.status == 200 && warm.json["content"] == "" && warm.json["tokens_predicted"] == 0)
        }
    }

    @Test("/completion continues text and tokens, and answers in llama-server's format")
    func completion() async throws {
        try await TestServer.run { server in
            let rest = #""n_predict":5,"temperature":0,"ignore_eos":true"#
            let wanted = try await server.ask(
                "POST", "/v1/completions", #"{"prompt":"Hello","max_tokens":5,"temperature":0,"ignore_eos":true}"#)
            let reply = try await server.ask("POST", "/completion", #"{"prompt":"Hello",\#(rest)}"#)
            #expect(try reply.json["content"] == wanted.json["choices"]?.array?.first?["text"])
            #expect(try reply.json["model"] == .string(TestServer.model))
            #expect(try (reply.json["generation_settings"]?["n_ctx"]?.wholeNumber ?? 0) > 0)
            let tokens = try await server.ask("POST", "/tokenize", #"{"content":"Hello","add_special":true}"#)
            let numbers = try #require(try tokens.json["tokens"]).text()
            let same = try await server.ask("POST", "/completion", #"{"prompt":\#(numbers),\#(rest)}"#)
            #expect(try same.json["content"] == reply.json["content"])
            let stopped = try await server.ask(
                "POST", "/completion", #"{"prompt":"Hello","n_predict":50,"temperature":0,"stop":["e","a","o","i"]}"#)
            #expect(try ["word", "eos", "limit"].contains(stopped.json["stop_type"]?.string))
            #expect(try (stopped.json["stop_type"] == "word") == (stopped.json["stopping_word"] != ""))
        }
    }

    @Test("/completion returns tokens and log probabilities, complete and streamed")
    func probabilities() async throws {
        try await TestServer.run { server in
            let fields = #""prompt":"Hello","n_predict":5,"temperature":0,"ignore_eos":true,"seed":7"#
            let plain = try await server.ask("POST", "/completion", "{\(fields)}").json
            #expect(plain["tokens"] == [] && plain["completion_probabilities"] == nil)
            #expect(plain["generation_settings"]?["n_predict"] == 5 && plain["generation_settings"]?["seed"] == 7)
            let asked = fields + #","n_probs":2,"return_tokens":true"#
            let whole = try await server.ask("POST", "/completion", "{\(asked)}").json
            let scores = try #require(whole["completion_probabilities"]?.array)
            #expect(scores.count == 5 && whole["tokens"]?.array == scores.compactMap { $0["id"] })
            for score in scores {
                #expect(score.object?.keys.map(\.self) == ["id", "token", "bytes", "logprob", "top_logprobs"])
                #expect(score["top_logprobs"]?.array?.count == 2)
                // The most likely token is the one that is sampled.
                #expect(score["top_logprobs"]?.array?.first?["id"] == score["id"])
            }
            let stream = try await server.ask("POST", "/completion", "{\(asked),\"stream\":true}")
            let events = try CompletionTests.events(stream)
            #expect(events.flatMap { $0["completion_probabilities"]?.array ?? [] } == scores)
            #expect(events.flatMap { $0["tokens"]?.array ?? [] } == whole["tokens"]?.array)
            #expect(events.last?["generation_settings"]?["seed"] == 7)
        }
    }

    @Test(
        "invalid fields of /infill and /completion are refused by name",
        arguments: [
            ("/infill", #""input_suffix":"b""#, "input_prefix"), ("/infill", #""input_prefix":"b""#, "input_suffix"),
            ("/infill", #""input_prefix":"a","input_suffix":"b","n_indent":4"#, "n_indent"),
            (
                "/infill", #""input_prefix":"a","input_suffix":"b","input_extra":[{"filename":"c"}]"#,
                "input_extra[0].text"
            ),
            ("/completion", #""prompt":["a","b"]"#, "prompt"), ("/completion", #""prompt":"a","n":2"#, "n"),
            ("/completion", #""prompt":"a","n_probs":-1"#, "n_probs"), ("/completion", #""n_predict":2"#, "prompt"),
        ])
    func refusedFields(route: String, fields: String, name: String) async throws {
        let model = try Model()
        try await TestServer.run([model.path]) { server in
            let reply = try await server.ask("POST", route, "{\(fields)}")
            #expect(reply.status == 400)
            #expect(try reply.error("param") == .string(name))
        }
    }

    @Test(
        "a suffix is refused together with echo or a prompt of tokens",
        arguments: [
            (#""prompt":"a","suffix":"b","echo":true"#, "echo"), (#""prompt":[1],"suffix":"b""#, "suffix"),
        ])
    func refusals(fields: String, name: String) async throws {
        let model = try Model()
        try await TestServer.run([model.path]) { server in
            let reply = try await server.ask("POST", "/v1/completions", "{\(fields)}")
            #expect(reply.status == 400)
            #expect(try reply.error("param") == .string(name))
        }
    }

    @Test("a model without FIM tokens refuses a non-empty suffix", arguments: ["/v1/completions", "/api/generate"])
    func untrained(route: String) async throws {
        try await TestServer.run { server in
            let reply = try await server.ask(
                "POST", route, #"{"model":"\#(TestServer.model)","prompt":"a","suffix":"b"}"#)
            #expect(reply.status == 400)
            #expect(reply.text.contains("no prefix, suffix and middle tokens"))
            let empty = try await server.ask("POST", "/v1/completions", #"{"prompt":"a","suffix":"","max_tokens":1}"#)
            #expect(empty.status == 200)
        }
    }
}
#endif
