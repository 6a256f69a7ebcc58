#if Server
import Foundation
import LeapEngine
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Text to speech, as files and as streams.
@Suite("Speech over HTTP")
struct SpeechTests {
    private static let folder = Fixture.folder.appending(path: "audio")
    private static func path(_ name: String) -> String { folder.appending(path: name + ".gguf").path }

    private static func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(
            [path("lfm2-audio-chat-q8_0")], voice: (path("vocoder-speech"), path("tokenizer-speech")), body)
    }

    /// The model was not trained to speak, so a logit bias makes it start: one token, then eleven frames.
    private static func body(_ members: String) -> String {
        "{\"input\":\"Hello\",\"temperature\":0,\"logit_bias\":{\"387\":100},\"max_tokens\":12\(members)}"
    }

    private static let bytes = 11 * 1920 * 2
    /// Of a WAV file with them: its header, and the chunk after the samples that identifies the steps.
    private static let fileBytes = 44 + bytes + 40

    @Test("text becomes a WAV file, with every way to select a voice")
    func file() async throws {
        try await Self.run { server in
            for voice in ["", ",\"voice\":\"alloy\"", ",\"voice\":\"UK_male\"", ",\"instructions\":\"Say it.\""] {
                let reply = try await server.ask("POST", "/v1/audio/speech", Self.body(voice))
                #expect(reply.status == 200 && reply.head.contains("content-type: audio/wav"), "\(reply.head)")
                #expect(reply.head.contains("content-length: \(Self.fileBytes)"), "\(reply.head)")
            }
        }
    }

    @Test("samples are streamed in events, as many as in a file")
    func events() async throws {
        try await Self.run { server in
            let reply = try await server.ask(
                "POST", "/v1/audio/speech", Self.body(",\"response_format\":\"pcm\",\"stream_format\":\"sse\""))
            #expect(reply.status == 200 && reply.head.contains("text/event-stream"), "\(reply.head)")
            let events = try Self.events(reply.text)
            let parts = events.compactMap { $0["audio"]?.string }.compactMap { Data(base64Encoded: $0) }
            // Where the connection is slower than the model, pieces are merged, possibly into one.
            #expect(!parts.isEmpty && parts.reduce(0) { $0 + $1.count } == Self.bytes)
            #expect(parts.allSatisfy { $0.count.isMultiple(of: 960) })
            #expect(events.last?["type"] == "speech.audio.done")
            #expect(events.last?["usage"]?["output_tokens"] == 12)
            let raw = try await server.ask("POST", "/v1/audio/speech", Self.body(",\"response_format\":\"pcm\""))
            #expect(raw.status == 200 && raw.head.contains("audio/pcm"), "\(raw.head)")
        }
    }

    @Test("blank instructions count as absent", arguments: ["", " \n"])
    func blankInstructions(text: String) throws {
        let members: JSONValue = ["input": "Hello", "instructions": .string(text), "voice": "ballad"]
        let fields = try FieldReader(members, path: "")
        guard case .chat(let chat) = try SpeechRequest(fields).job.subject else {
            Issue.record("no conversation")
            return
        }
        #expect(chat.messages.first?.text == "Perform TTS. Use the UK female voice.")
    }

    @Test("without any sound, samples are refused like a file, and events end with an error")
    func noSound() async throws {
        try await Self.run { server in
            // One token alone has no sound.
            func ask(_ members: String) async throws -> RawReply {
                let body = Self.body(members).replacing("\"max_tokens\":12", with: "\"max_tokens\":1")
                return try await server.ask("POST", "/v1/audio/speech", body)
            }
            for members in ["", ",\"response_format\":\"pcm\""] {
                let reply = try await ask(members)
                #expect(reply.status == 500, "\(reply.head)")
                #expect(try reply.error("message")?.string?.contains("no audio") == true, "\(reply.text)")
            }
            let events = try Self.events(
                try await ask(",\"response_format\":\"pcm\",\"stream_format\":\"sse\"").text)
            #expect(events.count == 1 && events.last?["error"]?["type"] == "server_error", "\(events)")
            let metrics = try await server.ask("GET", "/metrics").text
            #expect(metrics.contains("leap:cancellations_total 0"), "\(metrics)")
        }
    }

    @Test("samples that end with a failure are not followed by the chunk that completes a reply")
    func brokenOff() async throws {
        try await TestServer.run(
            [Self.path("lfm2-audio-chat-q8_0")], voice: (Self.path("vocoder-speech"), Self.path("tokenizer-speech")),
            change: { $0.drain = .milliseconds(50) }
        ) { server in
            // The client reads nothing more, so that the answer is paused.
            let client = try server.connect(receiveBuffer: 4096)
            let body = Self.body(",\"response_format\":\"pcm\"")
                .replacing("\"max_tokens\":12", with: "\"max_tokens\":4000")
            try client.send(TestServer.request("POST", "/v1/audio/speech", body, headers: ["Connection: close"]))
            let beginning = try await client.read(until: "transfer-encoding: chunked")
            #expect(beginning.hasPrefix("HTTP/1.1 200"), "\(beginning)")
            async let end: Void = server.server.shutDown()
            let rest = try await client.read()
            #expect(!rest.hasSuffix("0\r\n\r\n"))
            await end
        }
    }

    @Test("a writer of samples throws failures, and one of events reports them")
    func failures() throws {
        let sound = AnswerFeed.Item(choice: 0, piece: .sound([0, 0.5]))
        let ends: [AnswerPiece] = [.failed(APIError(.failed, "no memory")), .finished(FinishedAnswer())]
        for end in ends.map({ AnswerFeed.Item(choice: 0, piece: $0) }) {
            var samples = SpeechStream(sendsEvents: false)
            #expect(throws: APIError.self) { try samples.write(end) }
            var events = SpeechStream(sendsEvents: true)
            #expect(String(decoding: try events.write(end), as: UTF8.self).contains("\"error\""))
        }
        var samples = SpeechStream(sendsEvents: false)
        #expect(try samples.write(sound) == [0, 0, 0, 0x40])
        #expect(try samples.write(AnswerFeed.Item(choice: 0, piece: ends[1])).isEmpty)
        #expect(throws: APIError.self) { try samples.write(AnswerFeed.Item(choice: 0, piece: ends[0])) }
    }

    @Test("a speech model answers text requests without audio")
    func text() async throws {
        try await Self.run { server in
            let reply = try await server.ask(
                "POST", "/v1/chat/completions",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":8,\"logit_bias\":{\"387\":100}}"
            )
            #expect(try reply.status == 200 && reply.json["usage"]?["completion_tokens"] != nil)
            let message = try #require(try reply.json["choices"]?.array?.first?["message"])
            #expect(message["content"]?.string != nil && message["audio"] == nil)
        }
    }

    /// The events of a stream.
    private static func events(_ text: String) throws -> [JSONValue] {
        // Some events are separated by transfer chunk headers.
        try text.components(separatedBy: "data: ").dropFirst().map { String($0.prefix { !$0.isNewline }) }
            .filter { $0 != "[DONE]" }.map { try JSONValue(parsing: $0) }
    }

    /// A conversation that is made to speak in the same way.
    private static func chat(_ members: String, system: String = "Perform TTS. Use the UK male voice.") -> String {
        """
        {"messages":[{"role":"system","content":"\(system)"},{"role":"user","content":"Hello"}],
        "logit_bias":{"387":100},"max_tokens":12,"seed":7,"temperature":0\(members)}
        """
    }

    @Test(
        "a conversation that requests audio gets it in chunks in the vendor's format",
        arguments: [
            ",\"modalities\":[\"audio\"]",
            ",\"modalities\":[\"text\",\"audio\"],\"audio\":{\"voice\":\"alloy\",\"format\":\"pcm16\"}",
            ",\"reset_context\":true",
        ])
    func chunks(members: String) async throws {
        try await Self.run { server in
            let reply = try await server.ask(
                "POST", "/v1/chat/completions", Self.chat(",\"stream\":true" + members))
            #expect(reply.status == 200, "\(reply.text)")
            let deltas = try Self.events(reply.text).compactMap { $0["choices"]?.array?.first?["delta"] }
            let sounds = deltas.compactMap { $0["audio"] }.filter { $0["data"] != nil }
            #expect(sounds.allSatisfy { $0["format"] == "pcm" && $0["sample_rate"] == 24000 })
            let parts = sounds.compactMap { $0["data"]?.string }.compactMap { Data(base64Encoded: $0) }
            // Where the connection is slower than the model, pieces are merged, possibly into one.
            #expect(!parts.isEmpty && parts.reduce(0) { $0 + $1.count } == Self.bytes)
            #expect(parts.allSatisfy { $0.count.isMultiple(of: 960) })
            #expect(deltas.contains { $0["audio"]?["id"]?.string?.hasPrefix("audio_") == true })
        }
    }

    @Test("a complete answer has its audio as a file, whose id refers to it in the next turn")
    func wholeAnswer() async throws {
        try await Self.run { server in
            let reply = try await server.ask(
                "POST", "/v1/chat/completions", Self.chat(",\"modalities\":[\"text\",\"audio\"]"))
            let message = try #require(try reply.json["choices"]?.array?.first?["message"])
            let file = try #require(message["audio"]?["data"]?.string.flatMap { Data(base64Encoded: $0) })
            #expect(file.count == Self.fileBytes && message["audio"]?["transcript"] == message["content"])
            let id = try #require(message["audio"]?["id"]?.string)
            func tokens(_ answer: String) async throws -> Int {
                let body = """
                    {"messages":[{"role":"user","content":"Hello"},{"role":"assistant",\(answer)},
                    {"role":"user","content":"Again"}],"max_tokens":1}
                    """
                let reply = try await server.ask("POST", "/v1/chat/completions", body)
                #expect(reply.status == 200, "\(reply.text)")
                guard case .integer(let count) = try reply.json["usage"]?["prompt_tokens"] else { return -1 }
                return count
            }
            let said = try await tokens("\"audio\":{\"id\":\"\(id)\"}")
            let silent = try await tokens("\"content\":\"\"")
            // One token, and one for each audio frame.
            #expect(said == silent + 12)
            let strange = id.dropLast() + (id.hasSuffix("0") ? "1" : "0")
            #expect(try await tokens("\"content\":null,\"audio\":{\"id\":\"\(strange)\"}") == silent)
        }
    }

    @Test(
        "invalid audio fields of a conversation are refused by name",
        arguments: [
            (",\"modalities\":[\"video\"]", "modalities[0]"), (",\"audio\":{\"format\":\"wav\"}", "audio"),
            (",\"modalities\":[\"audio\"],\"audio\":{\"format\":\"pcm16\"}", "audio.format"),
            (",\"modalities\":[\"audio\"],\"stream\":true,\"audio\":{\"format\":\"wav\"}", "audio.format"),
            (",\"reset_context\":false", "reset_context"),
        ])
    func refusedAudio(members: String, field: String) async throws {
        try await Self.run { server in
            let reply = try await server.ask("POST", "/v1/chat/completions", Self.chat(members))
            #expect(try reply.status == 400 && reply.error("param") == .string(field), "\(reply.text)")
            let number = "{\"messages\":[{\"role\":\"assistant\",\"audio\":{\"id\":\"7\"}}]}"
            let unknown = try await server.ask("POST", "/v1/chat/completions", number)
            #expect(try unknown.status == 400 && unknown.error("param") == "messages[0].audio.id", "\(unknown.text)")
        }
    }

    @Test("a request for text only gets no audio, whatever its instructions")
    func textAlone() async throws {
        try await Self.run { server in
            for (members, system) in [
                (",\"modalities\":[\"text\"]", "Perform TTS. Use the UK male voice."), ("", "Be brief."),
            ] {
                let reply = try await server.ask("POST", "/v1/chat/completions", Self.chat(members, system: system))
                #expect(try reply.json["choices"]?.array?.first?["message"]?["audio"] == nil)
            }
        }
    }

    @Test(
        "invalid fields of a speech request are refused by name",
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

    @Test("a model without a vocoder refuses speech requests")
    func voiceless() async throws {
        try await TestServer.run { server in
            let reply = try await server.ask("POST", "/v1/audio/speech", "{\"input\":\"Hello\"}")
            #expect(
                try reply.status == 501 && reply.error("message")?.string?.contains("no vocoder") == true,
                "\(reply.text)"
            )
            #expect(try reply.error("type") == "not_supported_error" && reply.error("param") == "model")
            let spoken = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"modalities\":[\"audio\"]}"
            let chat = try await server.ask("POST", "/v1/chat/completions", spoken)
            #expect(try chat.status == 400 && chat.error("param") == "modalities", "\(chat.text)")
        }
    }
}
#endif
