import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Models of unsupported architectures, which should not be downloaded.
@Suite(.timeLimit(.minutes(5)))
struct ArchitectureTests {
    /// A server of a model of a given size, which counts the pieces it could send.
    private func server(
        size: Int, _ architecture: String, sent: Counter, tellsSize: Bool = true
    ) async throws -> ModelServer {
        let beginning = ServedFile.model(size: 65_536, architecture: architecture).prefix(113)
        // The size of the only tensor precedes its type and offset.
        var head = Data(beginning)
        withUnsafeBytes(of: UInt64(size - 128).littleEndian) {
            head.replaceSubrange(tensorSize(architecture), with: $0)
        }
        let piece = 65_536
        return try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: "model.gguf")]) {
            [head] request, connection in
            guard request.path == "/m/model.gguf" else { return false }
            guard request.method == "GET" || tellsSize else {
                try await connection.respond(405)
                return true
            }
            let length = tellsSize ? "Content-Length: \(size)\r\n" : "Connection: close\r\n"
            try await connection.write("HTTP/1.1 200 OK\r\n\(length)\r\n")
            guard request.method == "GET" else { return true }
            for start in stride(from: 0, to: size, by: piece) {
                let zeros = Data(count: min(piece, size - start))
                try await connection.write(start == 0 ? head + zeros.dropFirst(head.count) : zeros)
                sent.increase()
            }
            connection.close()
            return true
        }
    }

    /// The position of the tensor's size in a file of ``ServedFile/model(size:seed:architecture:)``.
    private func tensorSize(_ architecture: String) -> Range<Int> {
        let start = 24 + 8 + 20 + 4 + 8 + architecture.utf8.count + 8 + 1 + 4
        return start..<start + 8
    }

    private func hub(_ supported: [String]? = ["lfm2", "llama"]) throws -> TestHub {
        try TestHub { $0.supportedArchitectures = supported }
    }

    @Test(arguments: [true, false])
    func `The download of an unsupported model is aborted at its first bytes`(tellsSize: Bool) async throws {
        let sent = Counter()
        let server = try await server(size: 256 << 20, "mamba2", sent: sent, tellsSize: tellsSize)
        let hub = try hub()
        let error = await hub.error(server.url("/m/manifest.json"))
        let url = server.url("/m/model.gguf").absoluteString
        #expect(error == .unsupportedArchitecture(url, "mamba2", supported: ["lfm2", "llama"]))
        #expect(
            "\(HubError.unsupportedArchitecture("u", "mamba2", supported: ["lfm2", "llama"]))"
                == "u: architecture 'mamba2' is not supported. Supported: lfm2, llama. The file was "
                + "not downloaded; force the download to get it anyway")
        // Of 4096 pieces, only what the systems buffer on the way.
        #expect(sent.count < 512)
        #expect(hub.files() == [])
    }

    @Test(arguments: [200, 5000, 300_000])
    func `Small unsupported models are not kept`(size: Int) async throws {
        let server = try await modelServer(ServedFile.model(size: size, architecture: "mamba2"))
        let hub = try hub()
        guard case .unsupportedArchitecture(_, "mamba2", _) = await hub.error(server.url("/m/manifest.json")) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(hub.files() == [])
    }

    @Test func `A forced download, or one without a list of architectures, accepts any model`() async throws {
        let server = try await modelServer(ServedFile.model(size: 5000, architecture: "mamba2"))
        let manifest = server.url("/m/manifest.json")
        #expect(try await hub().download(manifest, isForced: true).size == 5000)
        #expect(try await hub(nil).download(manifest).size == 5000)
    }

    @Test func `Companion files may have other architectures`() async throws {
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(model: "model.gguf", projector: "mmproj-x.gguf"),
            "/m/model.gguf": ServedFile(ServedFile.model(size: 5000, architecture: "lfm2")),
            "/m/mmproj-x.gguf": ServedFile(ServedFile.model(size: 5000, architecture: "clip")),
        ])
        #expect(try await hub().download(server.url("/m/manifest.json")).files.count == 2)
    }

    @Test func `The start of an earlier partial download is checked before any request`() async throws {
        let bytes = ServedFile.model(size: 300_000, architecture: "mamba2")
        let server = try await modelServer(bytes, headers: linked(bytes))
        let hub = try TestHub()
        try await leavePart(hub, server, count: 100_000)
        var configuration = hub.hub.configuration
        configuration.supportedArchitectures = ["llama"]
        let requests = server.requests("/m/model.gguf").count
        let strict = Hub(configuration: configuration)
        let manifest = ModelReference.manifest(server.url("/m/manifest.json"))
        guard
            case .unsupportedArchitecture = await hub.error({ _ = try await strict.download(manifest) })
        else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(server.requests("/m/model.gguf").count == requests)
    }
}
