import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

@Suite struct EmbeddingModelTests {
    private static func model(_ name: String) async throws -> EmbeddingModel {
        try await EmbeddingModel.load(
            url: Fixture.folder.appendingPathComponent("embeddings/\(name).gguf"), cpuThreads: 1)
    }

    @Test("Similar texts have similar embedding vectors")
    func vectors() async throws {
        let model = try await Self.model("bert-mean")
        #expect(model.dimensions == 36 && model.maximumTokens == 160)
        let vectors = try await model.embed(["hello world", "HELLO  world", "the lazy dog"])
        #expect(vectors.map(\.count) == [36, 36, 36])
        #expect(EmbeddingModel.similarity(vectors[0], vectors[1]) > 1 - 1e-9)
        #expect(EmbeddingModel.similarity(vectors[0], vectors[2]) < 1 - 1e-3)
        #expect(try await model.embed(["hello"], dimensions: 7)[0].count == 7)
        #expect(try await model.score(query: "hello", document: "hello") > 1 - 1e-9)
    }

    @Test("A late-interaction model returns one vector per token")
    func tokens() async throws {
        let model = try await Self.model("lfm2-tokens")
        let tokens = try await model.embedTokens(["hello"])[0]
        #expect(tokens.count > 2 && tokens.allSatisfy { $0.count == 12 })
        let own = try await model.score(query: "hello", document: "hello")
        #expect(abs(own - Double(tokens.count)) < 1e-4)
        #expect(try await model.score(query: "hello", document: "the lazy dog") < own)
        await #expect(throws: LeapError.self) { try await model.embed(["hello"]) }
    }

    @Test("Unsupported operations throw LeapError")
    func errors() async throws {
        let reranker = try await Self.model("qwen3-rank")
        #expect((0...1).contains(try await reranker.score(query: "hello", document: "world")))
        await #expect(throws: LeapError.self) { try await reranker.embed(["hello"]) }
        await #expect(throws: LeapError.self) { try await Self.model("bert-mean").embed([""]) }
        await #expect(throws: LeapError.self) { try await Self.model("absent") }
        let chat = try await EmbeddingModel.load(url: URL(fileURLWithPath: Fixture(name: "qwen3-tied-f32").path))
        #expect(chat.dimensions == nil)
        let error = await #expect(throws: LeapError.self) { try await chat.embed(["hello"]) }
        #expect(error.map { "\($0)" }?.contains("qwen3.pooling_type") == true)
    }
}
