#if Server
import Foundation
import LeapEngine
import LeapOps
import Logging
import _LeapTestSupport

@testable import LeapServer

/// A server in this process on its own port, for the duration of a test.
struct TestServer: Sendable {
    let port: UInt16
    let server: Server

    /// The model that is served if a test names none.
    static let model = "lfm2-chat-q8_0"

    /// Runs a test against a server.
    ///
    /// - Parameters:
    ///   - projector: The projector for images or audio.
    ///   - voice: The vocoder and audio tokenizer for speech.
    ///   - adapters: The models' LoRA adapters.
    ///   - loading: What the thread that loads a model attends before it does.
    ///   - change: Changes to the default configuration.
    static func run(
        _ models: [String] = [Fixture(name: model).path], projector: String? = nil,
        voice: (vocoder: String, tokenizer: String)? = nil, adapters: [AdapterOptions] = [],
        limits: ConnectionLimits = ConnectionLimits(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        loading: Meeting? = nil,
        change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.address = .tcp(host: "127.0.0.1", port: 0)
        configuration.models = models.map {
            ServerConfiguration.Offer(id: URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent, path: $0)
        }
        change(&configuration)
        let server = Server(
            configuration, compute: Compute(threads: 1), limits: limits, logger: logger
        ) { path, template in
            loading?.attend()
            var options = ModelOptions(path: path)
            options.chatTemplate = template
            options.projectorPath = projector
            options.adapters = adapters
            (options.vocoderPath, options.audioTokenizerPath) = (voice?.vocoder, voice?.tokenizer)
            return options
        }
        let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { continuation.finish() }
                try await server.run { continuation.yield($0) }
            }
            for await address in addresses {
                let port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
                do {
                    try await body(TestServer(port: port, server: server))
                    await server.shutDown()
                } catch {
                    await server.shutDown()
                    throw error
                }
                break
            }
            try await group.waitForAll()
        }
    }
}

extension TestServer {
    /// A connection to it.
    func connect(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// Sends a request on a new connection and reads the reply.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String] = []
    ) async throws -> RawReply {
        let client = try connect()
        try client.send(Self.request(method, path, body, headers: headers + ["Connection: close"]))
        return try await client.reply()
    }

    /// The bytes of a request.
    static func request(_ method: String, _ path: String, _ body: String? = nil, headers: [String] = []) -> String {
        var lines = ["\(method) \(path) HTTP/1.1"] + headers
        if !headers.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: localhost") }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}
#endif
