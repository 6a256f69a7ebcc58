import Foundation
import LeapOpenAIClient
import _LeapHTTPTestSupport

/// The events of an answer, up to an error that is thrown.
func collect(_ stream: ChatCompletionStream) async throws -> [ChatCompletionEvent] {
    var events: [ChatCompletionEvent] = []
    for try await event in stream { events.append(event) }
    return events
}

/// A request.
let request = ChatCompletionRequest(model: "m", messages: [ChatMessage.User(content: "Hello")])

/// An answer that says "Hi".
let answer = chunk(#"{"content":"Hi"}"#, finish: #""stop""#) + "data: [DONE]\n\n"

/// Its events.
let answerEvents = [text("Hi"), done()]

extension OpenAiRetries {
    /// Retries with short delays.
    static let quick = OpenAiRetries(count: 2, firstDelay: .milliseconds(1))
}

extension ScriptedServer {
    /// The address of the API.
    var baseUrl: String { base + "/v1" }

    /// A client of this server.
    func client(
        apiKey: String = "sk-secret-key", extraHeaders: [String: String] = [:], timeouts: OpenAiTimeouts = .init(),
        retries: OpenAiRetries = .quick
    ) -> OpenAiClient {
        OpenAiClient(
            config: OpenAiClientConfig(
                apiKey: apiKey, baseUrl: baseUrl, extraHeaders: extraHeaders, timeouts: timeouts, retries: retries))
    }

    /// A server that answers requests in the order of a script and then repeats the last response.
    static func answering(
        _ handlers: [@Sendable (ServerConnection) async throws -> Void]
    ) async throws -> ScriptedServer {
        let turns = Turns(count: handlers.count)
        return try await start { _, connection in try await handlers[await turns.next()](connection) }
    }
}

/// Counts turns and stays at the last one.
private actor Turns {
    private let count: Int
    private var turn = -1

    init(count: Int) { self.count = count }

    func next() -> Int {
        turn = min(turn + 1, count - 1)
        return turn
    }
}

extension ServerConnection {
    /// Sends an event stream as a whole.
    func respond(stream: String) async throws {
        try await respond(headers: ["Content-Type": "text/event-stream"], text: stream)
    }

    /// Begins an event stream without a stated length.
    func begin(_ stream: String = "") async throws {
        try await write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        try await send(stream)
    }

    /// Sends more of a stream that was begun.
    func send(_ text: String) async throws {
        guard !text.isEmpty else { return }
        try await write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    /// Ends a stream that was begun.
    func end() async throws { try await write("0\r\n\r\n") }
}
