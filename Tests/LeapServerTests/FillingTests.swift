#if Server
import Foundation
import LeapGGUF
import LeapJSON
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Gaps between two texts, by a model whose file has tokens for it.
@Suite("Filling gaps")
struct FillingTests {
    /// A chat model some of whose tokens are said to ask for what belongs into a gap.
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

        /// The tokens that ask for a gap.
        func prompt(_ before: String, _ behind: String) -> [Token] {
            func tokens(_ text: String) -> [Token] { tokenizer.encode(text, addSpecial: false, parseSpecial: false) }
            let begin = tokenizer.addsBOS ? [tokenizer.bos].compactMap(\.self) : []
            return begin + [Self.marks.prefix] + tokens(before) + [Self.marks.suffix] + tokens(behind)
                + [Self.marks.middle]
        }
    }

    private static let rest = #""max_tokens":6,"temperature":0,"ignore_eos":true"#

    @Test("the prompt is prefix, suffix and middle, and texts bring no control tokens")
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

    @Test(
        "what cannot be filled is refused by name",
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

    @Test("a model that was not trained to fill gaps says so", arguments: ["/v1/completions", "/api/generate"])
    func untrained(route: String) async throws {
        try await TestServer.run { server in
            let reply = try await server.ask(
                "POST", route, #"{"model":"\#(TestServer.model)","prompt":"a","suffix":"b"}"#)
            #expect(reply.status == 400)
            #expect(reply.text.contains("no tokens for a prefix, a suffix and a middle"))
            let empty = try await server.ask("POST", "/v1/completions", #"{"prompt":"a","suffix":"","max_tokens":1}"#)
            #expect(empty.status == 200)
        }
    }
}
#endif
