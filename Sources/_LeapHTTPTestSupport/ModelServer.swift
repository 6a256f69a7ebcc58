public import Foundation

/// A server with files at paths, which looks like Hugging Face and the vendor's registry where files are put so.
public final class ModelServer: Sendable {
    /// Whether a request was answered, so that no file is served for it.
    public typealias Interception = @Sendable (ServerRequest, ServerConnection) async throws -> Bool

    /// The server.
    public let server: ScriptedServer

    private init(_ server: ScriptedServer) { self.server = server }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - certificate: For https; nil is http.
    ///   - files: By their paths, queries excluded.
    ///   - intercept: Asked first, for everything that a good server would not do.
    public static func start(
        certificate: ServerCertificate? = nil, files: [String: ServedFile] = [:],
        intercept: @escaping Interception = { _, _ in false }
    ) async throws -> ModelServer {
        let server = try await ScriptedServer.start(certificate: certificate) { request, connection in
            if try await intercept(request, connection) { return }
            let path = request.path.removingPercentEncoding ?? request.path
            guard let file = files[path] else { return try await connection.respond(404, text: "no such file") }
            try await connection.serve(file, to: request)
        }
        return ModelServer(server)
    }

    /// `http://127.0.0.1:PORT`.
    public var base: String { server.base }

    /// A URL of the server.
    public func url(_ path: String) -> URL { server.url(path) }

    /// The requests for a path, with `GET` unless another method is given.
    public func requests(_ path: String, method: String = "GET") -> [ServerRequest] {
        server.requests.filter { $0.path == path && $0.method == method }
    }

    /// A manifest as the vendor writes it.
    public static func manifest(
        model: String, projector: String? = nil, decoder: String? = nil, tokenizer: String? = nil,
        type: String = "text-to-text"
    ) -> ServedFile {
        var parameters = ["\"model\": \"\(model)\""]
        if let projector { parameters.append("\"multimodal_projector\": \"\(projector)\"") }
        if let decoder { parameters.append("\"audio_decoder\": \"\(decoder)\"") }
        if let tokenizer { parameters.append("\"audio_tokenizer\": \"\(tokenizer)\"") }
        return ServedFile(
            text: """
                {"schema_version": "1.0.0", "inference_type": "llama.cpp/\(type)", "from_the_future": {"kept": [1, 2.5, null]},
                 "load_time_parameters": {\(parameters.joined(separator: ", ")), "chat_template": "{{ bos_token }}"},
                 "generation_time_parameters": {"sampling_parameters": {"temperature": 0.3, "min_p": 0.15}}}
                """)
    }

    /// A repository's list of files as Hugging Face writes it.
    ///
    /// - Parameter files: Paths, with sizes and hashes of large files.
    public static func listing(_ files: [(path: String, size: Int, sha256: String?)]) -> ServedFile {
        let siblings = files.map { file in
            let lfs = file.sha256.map { ", \"lfs\": {\"sha256\": \"\($0)\", \"size\": \(file.size)}" } ?? ""
            return "{\"rfilename\": \"\(file.path)\", \"size\": \(file.size)\(lfs)}"
        }
        return ServedFile(text: "{\"siblings\": [\(siblings.joined(separator: ", "))]}")
    }
}
