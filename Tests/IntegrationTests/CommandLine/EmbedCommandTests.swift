import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct EmbedCommandTests {
    private static func model(_ name: String) -> String {
        Fixture.folder.appendingPathComponent("embeddings/\(name).gguf").path
    }

    private static func vectors(_ text: String) -> [[Float]] {
        text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Float($0) } }
    }

    @Test("Text, JSON and raw output contain the same vectors")
    func forms() async throws {
        let texts = ["hello world", "привет"]
        let lines = try await Tool.leap.run(["embed", Self.model("bert-mean")] + texts)
        #expect(lines.status == ExitStatus.success && lines.errorText == "")
        let vectors = Self.vectors(lines.text)
        #expect(vectors.map(\.count) == [36, 36] && vectors[0] != vectors[1])

        let json = try await Tool.leap.run(["embed", Self.model("bert-mean"), "--json"] + texts)
        let document = try JSONDecoder().decode(Document.self, from: Data(json.text.utf8))
        #expect(document.data.map(\.embedding) == vectors && document.data.map(\.index) == [0, 1])
        #expect(document.usage.prompt_tokens > 4)

        let folder = try TemporaryFolder()
        let raw = try await Tool.leap.run(["embed", Self.model("bert-mean"), "--raw", folder.path("raw")] + texts)
        #expect(raw.status == ExitStatus.success && raw.text == "")
        let words = vectors.flatMap(\.self).map(\.bitPattern.littleEndian)
        let expected = words.withUnsafeBytes { Data($0) }
        #expect(try Data(contentsOf: folder.url.appending(path: "raw")) == expected)
    }

    @Test("A file's lines end with LF or CR LF, and nothing else ends one")
    func lines() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("lines.txt", "a\u{0C}b\u{2028}c\r\n\nd\n")
        let lines = try await Tool.leap.run(["embed", Self.model("bert-mean"), "-f", file])
        #expect(Self.vectors(lines.text).count == 2, "\(lines.errorText)")
    }

    private struct Document: Decodable {
        struct Item: Decodable {
            let index: Int
            let embedding: [Float]
        }
        struct Usage: Decodable { let prompt_tokens: Int }
        let data: [Item]
        let usage: Usage
    }

    @Test("Flags set the pooling, dimensions and normalisation")
    func flags() async throws {
        let model = Self.model("bert-mean")
        let mean = Self.vectors(try await Tool.leap.run(["embed", model, "hello"]).text)
        let cls = Self.vectors(try await Tool.leap.run(["embed", model, "hello", "--pooling", "cls"]).text)
        let none = Self.vectors(try await Tool.leap.run(["embed", model, "hello", "--pooling", "none"]).text)
        #expect(none.count > 2 && none[0] == cls[0] && cls != mean)
        let short = Self.vectors(try await Tool.leap.run(["embed", model, "hello", "--dimensions", "4"]).text)
        #expect(short[0].count == 4)
        let long = Self.vectors(try await Tool.leap.run(["embed", model, "hello", "--no-normalize"]).text)
        #expect(long[0].reduce(0) { $0 + $1 * $1 } > 1.1)
    }

    private static let failures = [
        Refusal(["embed", model("bert-mean"), "--dimensions", "40", "hello"], "the requested embedding size is 40"),
        Refusal(["embed", model("bert-mean"), "--pooling", "rank", "hello"], "tensor 'cls.output.weight' is missing"),
        Refusal(["embed", Fixture(name: "llama-tied-f32").path, "hello"], "give a pooling type with --pooling: mean"),
        Refusal(
            ["rerank", Fixture(name: "llama-tied-f32").path, "-q", "a", "b"],
            "(llama.pooling_type): use a model for reranking or embeddings"),
        Refusal(["embed", model("bert-mean"), "hello", "--raw", "-"], "or /dev/stdout for standard output"),
        Refusal(["embed", model("bert-mean"), "hello", "--raw", "/nowhere/x"], "No such file or directory"),
        Refusal(["embed", model("bert-mean"), "hello", ""], "text 2 is empty"),
        Refusal(["run", model("bert-mean"), "hello"], "computes embeddings and cannot generate text"),
    ]

    @Test("Requests that cannot be fulfilled are reported", arguments: failures)
    func refusals(_ refusal: Refusal) async throws {
        let outcome = try await Tool.leap.run(refusal.arguments)
        #expect(outcome.status == 1 && outcome.text == "")
        #expect(outcome.errorText.contains(refusal.message), "\(outcome.errorText)")
    }

    @Test("llama-embedding's flags mean the same")
    func foreignForms() async throws {
        let start = ["embed", "-m", Self.model("bert-mean")]
        let usual = Self.vectors(try await Tool.leap.run(start + ["hello", "world"]).text)
        let prompt = ["-p", "hello\n\nworld"]
        let array = try await Tool.leap.run(
            start + prompt + ["--embd-output-format", "array", "--embd-normalize", "2"])
        #expect(try JSONDecoder().decode([[Float]].self, from: Data(array.text.utf8)) == usual, "\(array.errorText)")
        let json = try await Tool.leap.run(start + prompt + ["--embd-output-format", "json"])
        let document = try JSONDecoder().decode(Document.self, from: Data(json.text.utf8))
        #expect(document.data.map(\.embedding) == usual)
        let long = try await Tool.leap.run(start + ["hello", "--embd-normalize", "-1"])
        #expect(long.text == (try await Tool.leap.run(start + ["hello", "--no-normalize"]).text))
        for (flags, text) in [
            (["--embd-normalize", "0"], "must be 2 (vectors of length 1) or -1"), (["hello"], "either with -p"),
        ] {
            let refused = try await Tool.leap.run(start + prompt + flags)
            #expect(refused.status == ExitStatus.usage && refused.errorText.contains(text), "\(refused.errorText)")
        }
    }

    @Test("Flags of llama.cpp's tools that have no effect are noted")
    func foreign() async throws {
        let outcome = try await Tool.leap.run(["embed", Self.model("bert-mean"), "hello", "-ngl", "99"])
        #expect(outcome.status == ExitStatus.success && !outcome.text.isEmpty)
        #expect(outcome.errorText == "note: -ngl has no effect: models run on the CPU\n")
    }

    @Test("Errors in a ranking tell the query from the documents")
    func rankedTexts() async throws {
        let start = ["rerank", Self.model("bert-mean"), "-q"]
        #expect(try await Tool.leap.run(start + ["a", "b", ""]).errorText == "error: document 2 is empty: remove it\n")
        #expect(try await Tool.leap.run(start + ["", "b"]).errorText == "error: the query is empty: remove it\n")
    }

    @Test("Documents are sorted by relevance", arguments: ["bert-mean", "lfm2-tokens", "qwen3-rank"])
    func ranking(name: String) async throws {
        let documents = ["hello", "the lazy dog", "привет мир"]
        let outcome = try await Tool.leap.run(["rerank", Self.model(name), "--query", "hello"] + documents)
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let lines = outcome.text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(Set(lines.map { String($0[1]) }) == Set(documents))
        let scores = lines.compactMap { Double($0[0]) }
        #expect(scores == scores.sorted(by: >) && Set(scores).count == 3)
        if name != "qwen3-rank" { #expect(lines[0][1] == "hello") }
    }
}
