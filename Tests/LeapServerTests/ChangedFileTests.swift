#if Server
import Foundation
import LeapEngine
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Models whose files change while they are offered.
@Suite("Changed model files")
struct ChangedFileTests {
    private static func contents(_ fixture: String) throws -> Data {
        try Data(contentsOf: URL(filePath: Fixture(name: fixture).path))
    }

    /// Changes a file in place, as `cp` does it: the file stays the same one.
    private static func overwrite(_ path: String, with contents: Data) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: contents)
        try handle.close()
    }

    @Test("a model whose file was overwritten is loaded again, and one that is damaged once it is good again")
    func overwritten() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("model.gguf")
        try Self.contents("lfm2-chat-q8_0").write(to: URL(filePath: path))
        try await TestServer.run([path]) { server in
            func size() async throws -> Int? {
                try await server.ask("GET", "/v1/models").json["data"]?.array?.first?["meta"]?["size"]?.wholeNumber
            }
            func answer() async throws -> RawReply {
                try await server.ask("POST", "/completion", #"{"prompt":"Once","n_predict":2,"temperature":0}"#)
            }
            #expect(try await answer().status == 200)
            let before = try await size()
            let other = try Self.contents("llama-tied-f32")
            try Self.overwrite(path, with: other)
            #expect(try await answer().status == 200)
            let after = try await size()
            #expect(before != after && after == other.count)
        }
    }

    @Test("the first answer after a model's file was changed has the new fingerprint")
    func fingerprint() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("model.gguf")
        try Self.contents("lfm2-chat-q8_0").write(to: URL(filePath: path))
        try await TestServer.run([path]) { server in
            func fingerprint() async throws -> JSONValue? {
                let body = #"{"prompt":"Once","max_tokens":1,"temperature":0}"#
                return try await server.ask("POST", "/v1/completions", body).json["system_fingerprint"]
            }
            let before = try await [fingerprint(), fingerprint()]
            try Self.overwrite(path, with: Self.contents("llama-tied-f32"))
            let after = try await [fingerprint(), fingerprint()]
            #expect(before[0] == before[1] && after[0] == after[1] && before[0] != after[0])
            #expect(after[0]?.string?.hasPrefix("fp_") == true)
        }
    }

    @Test("a model whose projector was overwritten is loaded again, which fails if it is no projector")
    func projector() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("mmproj.gguf")
        try Self.contents("vision/mmproj-lfm2-vl-chat-q8_0").write(to: URL(filePath: path))
        let model = Fixture.folder.appending(path: "vision/lfm2-vl-chat-q8_0.gguf").path
        try await TestServer.run([model], projector: path) { server in
            let core = server.server.core
            _ = try await core.lease(nil)
            try Self.overwrite(path, with: Data("no longer a projector".utf8))
            let error = await #expect(throws: APIError.self) { _ = try await core.lease(nil) }
            #expect(error?.code == "model_load_failed")
        }
    }

    @Test("embedding models too")
    func embedder() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("model.gguf")
        let contents = try Self.contents("embeddings/qwen3-last")
        try contents.write(to: URL(filePath: path))
        try await TestServer.run([path]) { server in
            func status() async throws -> Int {
                try await server.ask("POST", "/v1/embeddings", #"{"model":"model","input":"a"}"#).status
            }
            #expect(try await status() == 200)
            try Self.overwrite(path, with: contents)
            #expect(try await status() == 200)
        }
    }

    @Test("scales of adapters that a client has set stay when the model is loaded again")
    func scales() async throws {
        let model = "lfm2-tied-f32"
        let adapter = AdapterFixtures.path("all", of: model)
        try await TestServer.run([Fixture(name: model).path], adapters: [.init(path: adapter, scale: 1)]) { server in
            func scale() async throws -> Double? {
                try await server.ask("GET", "/lora-adapters").json.array?.first?["scale"]?.double
            }
            #expect(try await scale() == 1)
            #expect(try await server.ask("POST", "/lora-adapters", #"[{"id":0,"scale":-0.5}]"#).status == 200)
            let eviction = #"{"model":"\#(model)","keep_alive":0}"#
            #expect(try await server.ask("POST", "/api/generate", eviction).status == 200)
            let pool = server.server.core.pool
            try await eventually { pool.contents.first?.condition == .absent }
            #expect(try await scale() == -0.5)
        }
    }

    @Test("a split model has the size of all its files")
    func split() throws {
        let folder = try TemporaryFolder()
        for (number, size) in [(1, 10), (2, 20), (3, 5)] {
            try Data(count: size).write(to: URL(filePath: folder.path("m-0000\(number)-of-00003.gguf")))
        }
        #expect(ModelCard(id: "m", path: folder.path("m-00001-of-00003.gguf")).bytes == 35)
        #expect(ModelCard(id: "m", path: folder.path("m-00002-of-00002.gguf")).bytes == 0)
    }
}
#endif
