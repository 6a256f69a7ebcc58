import Foundation
import LeapOpenAIClient
import Testing
import _LeapHTTPTestSupport

@Suite("Secrets", .timeLimit(.minutes(1)))
struct SecretTests {
    private static let key = "sk-0123456789/abc+def=="
    private static let other = "azure-secret-value"

    private func client(_ server: ScriptedServer) -> OpenAiClient {
        server.client(apiKey: Self.key, extraHeaders: ["api-key": Self.other, "X-Auth": "Token \(Self.other)2"])
    }

    /// The text of a server that quotes all headers of a request.
    private func quotes(_ request: ServerRequest) -> String {
        request.headers.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")
    }

    @Test(arguments: ["text", "json", "escaped", "event", "malformed", "html", "long"])
    func `Keys that a server quotes are redacted from all errors`(kind: String) async throws {
        let server = try await ScriptedServer.start { request, connection in
            let text = quotes(request)
            switch kind {
            case "text": try await connection.respond(401, text: text)
            case "json": try await connection.respond(401, text: #"{"error":{"message":"\#(text)","code":"\#(text)"}}"#)
            case "escaped":
                let escaped = text.replacing("/", with: "\\/").replacing("0", with: "\\u0030")
                try await connection.respond(401, text: #"{"error":{"message":"\#(escaped)"}}"#)
            case "event": try await connection.respond(stream: "data: {\"error\":\"\(text)\"}\n\n")
            case "malformed": try await connection.respond(stream: "data: \(text)\n\n")
            case "html": try await connection.respond(headers: ["Content-Type": "text/html"], text: text)
            default:
                // The key lies where the excerpt ends.
                try await connection.respond(400, text: String(repeating: "x", count: 290) + Self.key)
            }
        }
        let events = try await collect(client(server).streamChatCompletion(request: request))
        guard case .error(let error)? = events.last else {
            Issue.record("found \(events)")
            return
        }
        for text in [error.message, "\(error)", "\(error.cause)", String(reflecting: error.cause), dumped(error)] {
            #expect(!text.contains("0123456789") && !text.contains("sk-0") && !text.contains(Self.other))
        }
    }

    @Test func `A configuration and a client are printed without keys`() {
        let config = OpenAiClientConfig(
            apiKey: Self.key, baseUrl: "https://u:p4ssword@host/v1?key=\(Self.other)",
            extraHeaders: ["api-key": Self.other])
        let client = OpenAiClient(config: config)
        for text in ["\(config)", String(reflecting: config), dumped(config), dumped(client), "\(client)"] {
            #expect(!text.contains(Self.key) && !text.contains(Self.other) && !text.contains("p4ssword"))
        }
        #expect("\(config)" == "OpenAiClientConfig(https://host/v1?…)")
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
