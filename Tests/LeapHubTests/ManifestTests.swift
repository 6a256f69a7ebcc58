import Foundation
import LeapHub
import LeapJSON
import Testing
import _LeapHTTPTestSupport

@Suite(.timeLimit(.minutes(5)))
struct ManifestTests {
    private let bytes = ServedFile.model(size: 1000)

    @Test func `Known fields are read, and unknown ones are kept`() async throws {
        let server = try await modelServer(bytes)
        let model = try await TestHub().download(server.url("/m/manifest.json"))
        let manifest = model.manifest
        #expect(manifest.schemaVersion == "1.0.0")
        #expect(manifest.inferenceType == "llama.cpp/text-to-text")
        #expect(manifest.chatTemplate == "{{ bos_token }}")
        #expect(manifest.samplingParameter("temperature") == 0.3)
        #expect(manifest.samplingParameter("min_p") == 0.15)
        #expect(manifest.samplingParameter("top_p") == nil)
        #expect(manifest.originalUrl == server.url("/m/manifest.json").absoluteString)
        #expect(manifest.pathOnDisk == model.folder.appending(path: "manifest.json").path)
        #expect(manifest.reference(to: .model) == "model.gguf")
        #expect(manifest.json["from_the_future"]?["kept"]?.array == [.integer(1), .number(2.5), .null])
    }

    @Test func `References are relative to the manifest`() async throws {
        let server = try await ModelServer.start(files: [
            "/org/repo/resolve/main/leap/Q4_0.json": ModelServer.manifest(model: "../model%20file.gguf?download=true"),
            "/org/repo/resolve/main/model file.gguf": ServedFile(bytes),
        ])
        let model = try await TestHub().download(server.url("/org/repo/resolve/main/leap/Q4_0.json"))
        #expect(model.url(of: .model)?.lastPathComponent == "model file.gguf")
        #expect(model.location.quantization.text == "Q4_0")
    }

    @Test func `All companion files are downloaded, and found by role`() async throws {
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(
                model: "backbone.gguf", projector: "mmproj-x.gguf", decoder: "vocoder-x.gguf",
                tokenizer: "tokenizer-x.safetensors", type: "lfm2-audio-v1"),
            "/m/backbone.gguf": ServedFile(bytes), "/m/mmproj-x.gguf": ServedFile(bytes),
            "/m/vocoder-x.gguf": ServedFile(bytes), "/m/tokenizer-x.safetensors": ServedFile(Data("tensors".utf8)),
        ])
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(model.files.map(\.role) == [.model, .multimodalProjector, .audioDecoder, .audioTokenizer])
        #expect(model.url(of: .audioDecoder)?.lastPathComponent == "vocoder-x.gguf")
        #expect(try Data(contentsOf: try #require(model.url(of: .audioTokenizer))) == Data("tensors".utf8))
        #expect(model.size == 3007)
        #expect(hub.files().count == 5)
    }

    @Test func `All parts of a split model are downloaded`() async throws {
        let parts = (1...3).map { "model-0000\($0)-of-00003.gguf" }
        var files = ["/m/manifest.json": ModelServer.manifest(model: parts[0])]
        for part in parts { files["/m/" + part] = ServedFile(bytes) }
        let server = try await ModelServer.start(files: files)
        let model = try await TestHub().download(server.url("/m/manifest.json"))
        #expect(model.files.map(\.name.text) == parts)
        #expect(model.url(of: .model)?.lastPathComponent == parts[0])
    }

    @Test func `A file name with an implausible part count is a single file`() async throws {
        let part = "model-00001-of-99999.gguf"
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(model: part), "/m/" + part: ServedFile(bytes),
        ])
        let model = try await TestHub().download(server.url("/m/manifest.json"))
        #expect(model.files.map(\.name.text) == [part])
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html></html>", "an HTML or XML page"), ("", "nothing"), ("{\"load_time", "'{\"load_time'"),
        ("not json", "'not json'"), ("{\"a\": 1}\u{0}", "'{\"a\": 1}\\u{0}'"),
    ])
    func `Content that is not JSON is described in the error`(text: String, found: String) async throws {
        let server = try await ModelServer.start(files: ["/m.json": ServedFile(text: text)])
        let url = server.url("/m.json")
        #expect(
            try await TestHub().error(url) == .unexpectedContent(url.absoluteString, expected: "JSON", found: found))
    }

    @Test(arguments: [
        ("[]", "it has no 'load_time_parameters'"), ("{}", "it has no 'load_time_parameters'"),
        ("null", "it has no 'load_time_parameters'"),
        ("{\"load_time_parameters\": {}}", "its 'load_time_parameters' has no 'model'"),
        ("{\"load_time_parameters\": {\"model\": \"\"}}", "its 'load_time_parameters' has no 'model'"),
        ("{\"load_time_parameters\": {\"model\": 5}}", "'model' must be a string, found a number"),
        (
            "{\"load_time_parameters\": {\"model\": \"a.gguf\", \"audio_decoder\": []}}",
            "'audio_decoder' must be a string, found an array"
        ),
    ])
    func `JSON that is not a manifest is an error with the reason`(text: String, reason: String) async throws {
        let server = try await ModelServer.start(files: ["/m.json": ServedFile(text: text)])
        let url = server.url("/m.json")
        #expect(try await TestHub().error(url) == .invalidManifest(url.absoluteString, reason))
    }

    @Test(arguments: [true, false])
    func `A huge manifest is refused`(isChunked: Bool) async throws {
        let server = try await ModelServer.start { _, connection in
            let piece = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
            try await connection.write(
                "HTTP/1.1 200 OK\r\n" + (isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 1000000000")
                    + "\r\n\r\n")
            for _ in 0..<1000 {
                if isChunked { try await connection.write("100000\r\n") }
                try await connection.write(piece)
                if isChunked { try await connection.write("\r\n") }
            }
            return true
        }
        let url = server.url("/m.json")
        #expect(
            try await TestHub().error(url) == .invalidManifest(url.absoluteString, "it is larger than 4.2 MB"))
    }

    @Test func `Deeply nested JSON is an error, not a crash`() async throws {
        let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let server = try await ModelServer.start(files: ["/m.json": ServedFile(text: text)])
        #expect(try await TestHub().error(server.url("/m.json")) != nil)
    }

    @Test func `A local manifest may refer to any server`() async throws {
        let server = try await ModelServer.start(files: ["/x.gguf": ServedFile(bytes)])
        let hub = try TestHub()
        let file = hub.folder.appending(path: "mine.json")
        try ModelServer.manifest(model: server.url("/x.gguf").absoluteString).bytes.write(to: file)
        #expect(try await hub.download(file).size == 1000)
        guard case .file(_, "read the manifest", _) = await hub.error(hub.folder.appending(path: "none.json")) else {
            Issue.record("unexpected outcome")
            return
        }
    }

    @Test(arguments: [
        ("LFM2-1.2B-Q4_0.gguf", ModelFileRole.model), ("mmproj-LFM2.5-VL-1.6b-Q8_0.gguf", .multimodalProjector),
        ("vocoder-LFM2.5-Audio-1.5B-Q4_0.gguf", .audioDecoder),
        ("audiodecoder-LFM2-Audio-1.5B-F16.gguf", .audioDecoder),
        ("tokenizer-LFM2.5-Audio-1.5B-Q4_0.gguf", .audioTokenizer), ("my-Audio-Decoder.bin", .audioDecoder),
        ("tokenizer-e351c8d8-checkpoint125.safetensors", .audioTokenizer),
        ("mmproj-audioencoder-LFM2-Audio-1.5B-F16.gguf", .multimodalProjector), ("README.md", nil),
        ("tokenizer.json", nil),
    ])
    func `The role of a file is recognised by its name`(name: String, role: ModelFileRole?) {
        #expect(ModelFileRole(fileName: name) == role)
    }
}
