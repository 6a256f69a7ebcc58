#if Server
import Foundation
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Texts that are read out, as files and as they are made.
@Suite("Speech over HTTP")
struct SpeechTests {
    private static let folder = Fixture.folder.appending(path: "audio")
    private static func path(_ name: String) -> String { folder.appending(path: name + ".gguf").path }

    private static func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(
            [path("lfm2-audio-chat-q8_0")], voice: (path("vocoder-speech"), path("tokenizer-speech")), body)
    }

    /// The model was not trained to speak, so it is made to begin: with eleven frames behind a token.
    private static func body(_ members: String) -> String {
        "{\"input\":\"Hello\",\"temperature\":0,\"logit_bias\":{\"387\":100},\"max_tokens\":12\(members)}"
    }

    private static let bytes = 11 * 1920 * 2

    @Test("a text becomes a file, by every name of a voice")
    func file() async throws {
        try await Self.run { server in
            for voice in ["", ",\"voice\":\"alloy\"", ",\"voice\":\"UK_male\"", ",\"instructions\":\"Say it.\""] {
                let reply = try await server.ask("POST", "/v1/audio/speech", Self.body(voice))
                #expect(reply.status == 200 && reply.head.contains("content-type: audio/wav"), "\(reply.head)")
                #expect(reply.head.contains("content-length: \(44 + Self.bytes)"), "\(reply.head)")
            }
        }
    }

    @Test("samples come in events as they are made, and are the file's")
    func events() async throws {
        try await Self.run { server in
            let reply = try await server.ask(
                "POST", "/v1/audio/speech", Self.body(",\"response_format\":\"pcm\",\"stream_format\":\"sse\""))
            #expect(reply.status == 200 && reply.head.contains("text/event-stream"), "\(reply.head)")
            // Chunks of the transfer stand between some events.
            let events = try reply.text.components(separatedBy: "data: ").dropFirst()
                .map { try JSONValue(parsing: String($0.prefix { !$0.isNewline })) }
            let parts = events.compactMap { $0["audio"]?.string }.compactMap { Data(base64Encoded: $0) }
            #expect(parts.map(\.count) == [2880] + [Int](repeating: 3840, count: 10) + [960])
            #expect(events.last?["type"] == "speech.audio.done")
            #expect(events.last?["usage"]?["output_tokens"] == 12)
            let raw = try await server.ask("POST", "/v1/audio/speech", Self.body(",\"response_format\":\"pcm\""))
            #expect(raw.status == 200 && raw.head.contains("audio/pcm"), "\(raw.head)")
        }
    }

    @Test("text is answered with text by a model that could speak")
    func text() async throws {
        try await Self.run { server in
            let reply = try await server.ask(
                "POST", "/v1/chat/completions",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":8,\"logit_bias\":{\"387\":100}}"
            )
            #expect(try reply.status == 200 && reply.json["usage"]?["completion_tokens"] != nil)
        }
    }

    @Test(
        "what cannot be read out is refused by the field's name",
        arguments: [
            ("{}", "input"), ("{\"input\":\" \"}", "input"), ("{\"input\":\"x\",\"voice\":\"robot\"}", "voice"),
            ("{\"input\":\"x\",\"response_format\":\"mp3\"}", "response_format"),
            ("{\"input\":\"x\",\"stream_format\":\"sse\"}", "response_format"),
            ("{\"input\":\"x\",\"speed\":2}", "speed"),
        ])
    func refused(body: String, field: String) async throws {
        try await Self.run { server in
            let reply = try await server.ask("POST", "/v1/audio/speech", body)
            #expect(try reply.status == 400 && reply.error("param") == .string(field), "\(reply.text)")
        }
    }

    @Test("a model without a voice says so")
    func voiceless() async throws {
        try await TestServer.run { server in
            let reply = try await server.ask("POST", "/v1/audio/speech", "{\"input\":\"Hello\"}")
            #expect(
                try reply.status == 400 && reply.error("message")?.string?.contains("no voice") == true, "\(reply.text)"
            )
        }
    }
}
#endif
