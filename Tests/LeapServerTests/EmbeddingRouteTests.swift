#if Server
import Foundation
import LeapEngine
import LeapJSON
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Embeddings and reranking over HTTP.
@Suite("Embeddings on the server")
struct EmbeddingRouteTests {
    private static func path(_ name: String) -> String {
        Fixture.folder.appendingPathComponent("embeddings/\(name).gguf").path
    }

    /// A chat model, and embedding and reranking models.
    private static let models =
        [Fixture(name: TestServer.model).path]
        + ["bert-mean", "qwen3-last", "qwen3-rank", "lfm2-tokens"].map(path)

    private static func vectors(_ reply: RawReply) throws -> [[Float]] {
        try (reply.json["data"]?.array ?? []).map { item in
            (item["embedding"]?.array ?? []).compactMap { $0.double.map { Float($0) } }
        }
    }

    private static func engine(_ name: String) throws -> EmbeddingEngine {
        try EmbeddingEngine.load(path: path(name), compute: Compute(threads: 1))
    }

    @Test("embeddings equal the engine's bit for bit, in input order", arguments: ["bert-mean", "qwen3-last"])
    func vectors(name: String) async throws {
        let texts = ["hello world", "a", "The quick brown fox"]
        let engine = try Self.engine(name)
        let wanted = try await engine.embed(texts)
        let tokens = try texts.map { try engine.tokens(of: $0) }
        try await TestServer.run(Self.models) { server in
            for input in ["\(JSONValue.array(texts.map { .string($0) }).text())", "\(tokens)"] {
                let reply = try await server.ask("POST", "/v1/embeddings", "{\"model\":\"\(name)\",\"input\":\(input)}")
                #expect(reply.status == 200)
                #expect(try Self.vectors(reply) == wanted.map(\.vector))
                let data = try #require(try reply.json["data"]?.array)
                #expect(data.map { $0["index"] } == [0, 1, 2])
                let count = JSONValue.integer(wanted.reduce(0) { $0 + $1.tokenCount })
                #expect(try reply.json["usage"] == ["prompt_tokens": count, "total_tokens": count])
            }
            let alone = try await server.ask("POST", "/embeddings", "{\"model\":\"\(name)\",\"input\":\(tokens[1])}")
            #expect(try Self.vectors(alone) == [wanted[1].vector])
        }
    }

    @Test("base64 holds little-endian floats, and dimensions truncates before normalising")
    func shapes() async throws {
        let cut = try await Self.engine("bert-mean").embed(["hello"], EmbeddingRequest(dimensions: 5))[0].vector
        try await TestServer.run(Self.models) { server in
            let reply = try await server.ask(
                "POST", "/v1/embeddings",
                #"{"model":"bert-mean","input":"hello","dimensions":5,"encoding_format":"base64","user":"u"}"#)
            let text = try #require(try reply.json["data"]?.array?.first?["embedding"]?.string)
            let bytes = try #require(Data(base64Encoded: text))
            let found = stride(from: 0, to: bytes.count, by: 4).map { start in
                Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
            }
            #expect(found == cut)
        }
    }

    @Test("vectors keep their lengths, and texts or tokens that are too long are truncated, only on request")
    func lengths() async throws {
        let engine = try Self.engine("bert-mean")
        let unscaled = try await engine.embed(["hello"], EmbeddingRequest(normalizes: false))[0].vector
        let long = String(repeating: "hello world ", count: 3000)
        let cut = try await engine.embed([long], EmbeddingRequest(truncates: true))[0].vector
        let tokens = try engine.tokens(of: "hello").prefix(1).flatMap { Array(repeating: $0, count: 5000) }
        try await TestServer.run(Self.models) { server in
            func embed(_ input: String, _ more: String) async throws -> RawReply {
                try await server.ask(
                    "POST", "/v1/embeddings", "{\"model\":\"bert-mean\",\"input\":\(input)\(more)}")
            }
            #expect(try await Self.vectors(embed("\"hello\"", ",\"normalize\":false")) == [unscaled])
            #expect(try await Self.vectors(embed("\"\(long)\"", ",\"truncate\":true")) == [cut])
            #expect(try await embed("\"\(long)\"", ",\"truncate\":false").status == 400)
            let read = try await embed("\(tokens)", ",\"truncate\":true")
            #expect(try read.json["usage"]?["prompt_tokens"] == .integer(engine.tokenLimit))
            #expect(try await embed("\(tokens)", "").status == 400)
        }
    }

    @Test(
        "invalid fields are refused by name",
        arguments: [
            ("/v1/embeddings", #"{"model":"bert-mean","input":"a","dimensions":37}"#, "dimensions"),
            ("/v1/embeddings", #"{"model":"bert-mean","input":["a",""]}"#, "input"),
            ("/v1/embeddings", #"{"model":"bert-mean","input":[]}"#, "input"),
            ("/v1/embeddings", #"{"model":"bert-mean","input":[99999999]}"#, "input"),
            ("/v1/embeddings", #"{"model":"bert-mean"}"#, "input"),
            ("/v1/embeddings", #"{"model":"bert-mean","input":"a","encoding_format":"int8"}"#, "encoding_format"),
            (
                "/v1/embeddings", #"{"model":"bert-mean","input":"a","truncate_prompt_tokens":-1}"#,
                "truncate_prompt_tokens"
            ),
            ("/v1/embeddings", #"{"model":"bert-mean","input":"a","normalized":false}"#, "normalized"),
            ("/v1/embeddings", #"{"model":"bert-mean","input":"a","embd_normalize":0}"#, "embd_normalize"),
            ("/v1/embeddings", #"{"model":"bert-mean","input":"a","late_chunking":true}"#, "late_chunking"),
            (
                "/v1/rerank", #"{"model":"bert-mean","query":"a","documents":["b"],"truncate_prompt_tokens":-1}"#,
                "truncate_prompt_tokens"
            ),
            ("/v1/rerank", #"{"model":"qwen3-rank","query":"","documents":["b"]}"#, "query"),
            ("/v1/rerank", #"{"model":"bert-mean","query":"a","documents":["b",""]}"#, "documents[1]"),
            ("/v1/rerank", #"{"model":"bert-mean","query":"a","documents":[]}"#, "documents"),
        ])
    func refusals(path: String, body: String, param: String) async throws {
        try await TestServer.run(Self.models) { server in
            let reply = try await server.ask("POST", path, body)
            #expect(reply.status == 400)
            #expect(try reply.error("param") == .string(param))
        }
    }

    @Test(
        "requests to the wrong kind of model get 501 in OpenAI's error format",
        arguments: [
            ("/v1/embeddings", #"{"model":"qwen3-rank","input":"a"}"#),
            ("/v1/embeddings", #"{"model":"lfm2-tokens","input":"a"}"#),
            ("/v1/embeddings", #"{"model":"lfm2-chat-q8_0","input":"a"}"#),
            ("/v1/rerank", #"{"model":"lfm2-chat-q8_0","query":"a","documents":["b"]}"#),
            ("/v1/completions", #"{"model":"bert-mean","prompt":"a"}"#),
            ("/v1/chat/completions", #"{"model":"bert-mean","messages":[{"role":"user","content":"a"}]}"#),
            ("/v1/responses", #"{"model":"bert-mean","input":"a"}"#),
        ])
    func otherModels(path: String, body: String) async throws {
        try await TestServer.run(Self.models) { server in
            let reply = try await server.ask("POST", path, body)
            #expect(reply.status == 501)
            #expect(try reply.error("param") == "model" && reply.error("type") == "not_supported_error")
            #expect(reply.head.contains("x-should-retry: false"))
        }
    }

    @Test("the wrong kind of model is reported in Anthropic's and ollama's formats")
    func otherModelsElsewhere() async throws {
        let messages = #""messages":[{"role":"user","content":"a"}]"#
        try await TestServer.run(Self.models) { server in
            let message = try await server.ask(
                "POST", "/v1/messages", #"{"model":"bert-mean","max_tokens":1,\#(messages)}"#)
            #expect(try message.status == 501 && message.json["type"] == "error")
            for (path, body) in [
                ("/api/chat", #"{"model":"bert-mean",\#(messages)}"#),
                ("/api/embed", #"{"model":"lfm2-chat-q8_0","input":"a"}"#),
            ] {
                let reply = try await server.ask("POST", path, body)
                #expect(try reply.status == 501 && reply.json["error"]?.string?.contains("names") == true)
            }
        }
    }

    @Test("documents are ranked best first, as by the engine", arguments: ["qwen3-rank", "lfm2-tokens", "bert-mean"])
    func ranks(name: String) async throws {
        let documents = ["hello world", "a", "The quick brown fox"]
        let wanted = try await Self.engine(name).rank(documents, for: "hello")
        try await TestServer.run(Self.models) { server in
            let body = """
                {"model":"\(name)","query":"hello","documents":["hello world",{"text":"a"},"The quick brown fox"],"top_n":2,
                "return_documents":true}
                """
            let reply = try await server.ask("POST", "/v2/rerank", body).json
            #expect(reply["usage"]?["total_tokens"] == .integer(wanted.tokenCount))
            let results = try #require(reply["results"]?.array)
            #expect(results.map { $0["index"] } == wanted.prefix(2).map { .integer($0.index) })
            #expect(results.map { $0["relevance_score"]?.double } == wanted.prefix(2).map(\.score))
            #expect(results[0]["document"]?["text"] == .string(documents[wanted[0].index]))
        }
    }

    @Test("an error about a document gives its index")
    func namesOfDocuments() async throws {
        try await TestServer.run(Self.models) { server in
            let reply = try await server.ask(
                "POST", "/v1/rerank", #"{"model":"bert-mean","query":"a","documents":["","b"]}"#)
            #expect(try reply.error("param") == "documents[0]")
            #expect(try reply.error("message")?.string?.hasPrefix("'documents[0]' is empty") == true)
        }
    }

    @Test(
        "documents that exceed the context are refused, or truncated on request",
        arguments: ["qwen3-rank", "lfm2-tokens", "bert-mean"])
    func cutsDocuments(name: String) async throws {
        let long = String(repeating: "hello world ", count: 3000)
        try await TestServer.run(Self.models) { server in
            func rank(_ documents: [String], _ more: String) async throws -> RawReply {
                let documents = JSONValue.array(documents.map { .string($0) }).text()
                return try await server.ask(
                    "POST", "/rerank", "{\"model\":\"\(name)\",\"query\":\"hello\",\"documents\":\(documents)\(more)}")
            }
            let refused = try await rank([long, "a"], ",\"truncation\":false")
            #expect(try refused.status == 400 && refused.error("param") == "documents[0]")
            #expect(try refused.error("code") == "context_length_exceeded")
            for more in [",\"truncation\":true", ",\"truncate\":true", ",\"max_tokens_per_doc\":1000000"] {
                #expect(try await rank([long, "a"], more).json["results"]?.array?.count == 2)
            }
            let short = try await rank(["hello world", "hello world hello world"], ",\"max_tokens_per_doc\":1").json
            let scores = short["results"]?.array?.compactMap { $0["relevance_score"] } ?? []
            #expect(scores.count == 2 && scores[0] == scores[1])
        }
    }

    @Test("both ollama endpoints return the engine's vectors, and a request without input only loads the model")
    func ollama() async throws {
        let engine = try Self.engine("bert-mean")
        let wanted = try await engine.embed(["hello", "a"])
        let raw = try await engine.embed(["hello"], EmbeddingRequest(normalizes: false))[0].vector
        try await TestServer.run(Self.models) { server in
            let reply = try await server.ask("POST", "/api/embed", #"{"model":"bert-mean","input":["hello","a"]}"#).json
            #expect(reply["embeddings"] == .array(wanted.map { VectorText.json($0.vector) }))
            #expect(reply["prompt_eval_count"] == .integer(wanted[0].tokenCount + wanted[1].tokenCount))
            #expect(reply["total_duration"]?.wholeNumber ?? 0 > 0 && reply["load_duration"]?.wholeNumber != nil)
            let older = try await server.ask("POST", "/api/embeddings", #"{"model":"bert-mean","prompt":"hello"}"#).json
            #expect(older["embedding"] == VectorText.json(raw))
            func ready() -> [String] {
                server.server.core.pool.contents.filter { $0.condition == .ready }.map(\.card.id)
            }
            #expect(!ready().contains("qwen3-last"))
            let nothing = try await server.ask("POST", "/api/embed", #"{"model":"qwen3-last","keep_alive":-1}"#)
            #expect(try nothing.status == 200 && nothing.json["embeddings"] == [])
            #expect(ready().contains("qwen3-last"))
            let refused = try await server.ask("POST", "/api/embed", #"{"model":"lfm2-chat-q8_0","input":"a"}"#)
            #expect(refused.status == 501)
        }
    }

    @Test("models list their capabilities, metrics count texts, and a memory limit keeps one model loaded")
    func operations() async throws {
        try await TestServer.run(Self.models, change: { $0.maxMemory = 1 }) { server in
            let list = try #require(try await server.ask("GET", "/v1/models").json["data"]?.array)
            #expect(
                list.dropFirst().map { $0["capabilities"] }
                    == [["embedding", "rerank"], ["embedding", "rerank"], ["rerank"], ["rerank"]])
            #expect(list[0]["capabilities"]?.array?.first == "completion")
            for name in ["bert-mean", "qwen3-last"] {
                let body = "{\"model\":\"\(name)\",\"input\":[\"a\",\"b\"]}"
                #expect(try await server.ask("POST", "/v1/embeddings", body).status == 200)
                let tokens = try await server.ask("POST", "/tokenize", "{\"model\":\"\(name)\",\"content\":\"a\"}")
                #expect(tokens.status == 200)
            }
            let ready = server.server.core.pool.contents.filter { $0.condition == .ready }.map(\.card.id)
            #expect(ready == ["qwen3-last"])
            #expect(try await server.ask("GET", "/metrics").text.contains("leap:embedded_texts_total 4.0"))
            #expect(server.server.answersInFlight == 0)
        }
    }

    @Test("embeddings do not depend on concurrent requests")
    func concurrentRequests() async throws {
        try await TestServer.run(Self.models) { server in
            let bodies = (1...12).map { number in
                let text = String(repeating: "hello world ", count: number)
                return "{\"model\":\"bert-mean\",\"input\":[\"\(text)\",\"a\"]}"
            }
            var alone: [[[Float]]] = []
            for body in bodies { alone.append(try Self.vectors(try await server.ask("POST", "/v1/embeddings", body))) }
            let together = try await withThrowingTaskGroup { group in
                for (index, body) in bodies.enumerated() {
                    group.addTask { (index, try Self.vectors(try await server.ask("POST", "/v1/embeddings", body))) }
                }
                return try await group.reduce(into: [Int: [[Float]]]()) { $0[$1.0] = $1.1 }
            }
            for (index, vectors) in alone.enumerated() { #expect(together[index] == vectors && vectors.count == 2) }
        }
    }
}
#endif
