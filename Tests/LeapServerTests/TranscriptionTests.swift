#if Server
import Foundation
import LeapJSON
import OrderedCollections
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Audio input, in forms and in messages.
@Suite("Transcriptions")
struct TranscriptionTests {
    private static let folder = Fixture.folder.appending(path: "audio")
    private static let model = folder.appending(path: "lfm2-audio-chat-q8_0.gguf").path

    private static func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(
            [model], projector: folder.appending(path: "mmproj-lfm2-audio-chat-q8_0.gguf").path, body)
    }

    private static func sound(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "sounds/\(name)"))
    }

    /// Sends a form with binary contents.
    private static func transcribe(
        _ server: TestServer, _ fields: KeyValuePairs<String, String>, file: Data?
    ) async throws -> (status: Int, body: Data) {
        var body = Data()
        for (name, value) in fields {
            body += Data("--xyz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        if let file {
            body += Data("--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n".utf8)
            body += Data("Content-Type: audio/wav\r\n\r\n".utf8) + file + Data("\r\n".utf8)
        }
        body += Data("--xyz--\r\n".utf8)
        let client = try server.connect()
        try client.send(
            Data(
                ("POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Type: multipart/form-data; boundary=\"xyz\"\r\nContent-Length: \(body.count)\r\n\r\n")
                    .utf8)
                + body)
        let reply = try await client.reply()
        return (reply.status, Data(reply.body.utf8))
    }

    @Test(
        "a file is transcribed in every response format",
        arguments: [
            ("json", "{\"text\":\"Two high beeps.\""), ("text", "Two high beeps.\n"),
            ("srt", "1\n00:00:00,000 --> 00:00:01,200\nTwo high beeps.\n\n"),
            ("vtt", "WEBVTT\n\n00:00:00.000 --> 00:00:01.200\nTwo high beeps.\n\n"),
            ("verbose_json", #""segments":[{"id":0,"seek":0,"start":0,"end":1.2,"text":"Two high beeps.","#),
        ])
    func formats(format: String, text: String) async throws {
        try await Self.run { server in
            let file = try Self.sound("two-high.wav")
            let reply = try await Self.transcribe(server, ["model": "any", "response_format": format], file: file)
            #expect(reply.status == 404)
            let found = try await Self.transcribe(
                server, ["response_format": format, "language": "en", "temperature": "0"], file: file)
            #expect(found.status == 200)
            #expect(String(decoding: found.body, as: UTF8.self).contains(text), "\(found)")
        }
    }

    @Test(
        "a cue has no blank lines, and what WebVTT would read as tags is escaped",
        arguments: [
            ("srt", "1\n00:00:00,000 --> 00:00:01,000\nA <b> & c\n--> d\n\n"),
            ("vtt", "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nA &lt;b&gt; &amp; c\n--&gt; d\n\n"),
        ])
    func cues(format: String, expected: String) throws {
        let body = Data(
            ("--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\nRIFF\r\n"
                + "--b\r\nContent-Disposition: form-data; name=response_format\r\n\r\n\(format)\r\n--b--").utf8)
        let form = try MultipartForm(Array(body), type: "multipart/form-data; boundary=b")
        let reply = TranscriptionReply(request: try TranscriptionRequest(form), seconds: 1)
        var answer = FinishedAnswer()
        answer.text = " A <b> & c\n\n \r\n--> d\n"
        guard case .whole(_, let bytes, _, _) = reply.reply(answer) else {
            Issue.record("no whole reply")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("an unreadable file gives the same error in every response format")
    func unreadable() async throws {
        try await Self.run { server in
            var errors: Set<String> = []
            for format in ["json", "text", "srt", "vtt", "verbose_json"] {
                let reply = try await Self.transcribe(server, ["response_format": format], file: Data("ID3".utf8))
                #expect(reply.status == 400)
                errors.insert(String(decoding: reply.body, as: UTF8.self))
            }
            #expect(errors.count == 1 && errors.first?.contains("\"audio input 1: the rec") == true, "\(errors)")
        }
    }

    @Test("empty form fields count as absent")
    func emptyFields() async throws {
        try await Self.run { server in
            let fields: KeyValuePairs = [
                "language": "", "temperature": "", "response_format": "", "model": "", "stream": "", "prompt": "",
                "include[]": "",
            ]
            let reply = try await Self.transcribe(server, fields, file: Self.sound("two-high.wav"))
            #expect(reply.status == 200, "\(String(decoding: reply.body, as: UTF8.self))")
        }
    }

    @Test("verbose segments have the members that clients read, and usage is a duration")
    func segments() async throws {
        try await Self.run { server in
            let reply = try await Self.transcribe(
                server, ["response_format": "verbose_json", "temperature": "0.2"], file: Self.sound("two-high.wav"))
            let document = try JSONValue(parsing: Array(reply.body))
            #expect(document["usage"] == ["type": "duration", "seconds": 1.2])
            let segment = try #require(document["segments"]?.array?.first)
            #expect(segment["tokens"]?.array?.isEmpty == false)
            #expect(segment["temperature"] == 0.2 && segment["no_speech_prob"] == 0)
            let mean = try #require(segment["avg_logprob"]?.double)
            #expect(mean < 0 && mean > -5)
            #expect(segment["compression_ratio"]?.double ?? 0 > 0)
        }
    }

    @Test(
        "the compression ratio approximates zlib's",
        arguments: [
            ("", 1, 1.0), ("Two high beeps.", 1, 0.652), ("a", 300, 23.077), ("Once more. ", 20, 10.0),
        ] as [(String, Int, Double)])
    func compression(text: String, count: Int, ratio: Double) {
        let found = CompressionRatio.of(Array(String(repeating: text, count: count).utf8))
        // zlib chooses between alternative matches.
        #expect(abs(found - ratio) < 0.15 * ratio, "\(found), not \(ratio)")
    }

    @Test("a transcription is streamed while it is generated")
    func stream() async throws {
        try await Self.run { server in
            let reply = try await Self.transcribe(
                server, ["stream": "true"], file: Self.sound("three-middle-44100.wav"))
            let text = String(decoding: reply.body, as: UTF8.self)
            let events = try text.components(separatedBy: "data: ").dropFirst().map {
                try JSONValue(parsing: Array($0.components(separatedBy: "\n\n")[0].utf8))
            }
            let deltas = events.filter { $0["type"] == "transcript.text.delta" }.compactMap { $0["delta"]?.string }
            // Where the connection is slower than the model, pieces are merged.
            #expect(deltas.joined() == "Three middle beeps." && !deltas.isEmpty)
            #expect(events.last?["type"] == "transcript.text.done")
            #expect(events.last?["text"] == "Three middle beeps.")
        }
    }

    @Test("messages may have several sounds beside text, and invalid ones are refused")
    func messages() async throws {
        try await Self.run { server in
            func part(_ name: String) throws -> String {
                let data = try Self.sound(name).base64EncodedString()
                return #"{"type":"input_audio","input_audio":{"data":"\#(data)","format":"wav"}}"#
            }
            let (low, high) = (try part("one-low.wav"), try part("two-high.wav"))
            let question = #"{"type":"text","text":"How high is the second sound?"}"#
            let reply = try await server.ask(
                "POST", "/v1/chat/completions",
                #"{"temperature":0,"messages":[{"role":"user","content":[\#(low),\#(high),\#(question)]}]}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try reply.json["choices"]?.array?.first?["message"]?["content"] == "High.")
            #expect(try await server.ask("GET", "/props").json["modalities"]?["audio"] == true)
            for (change, name) in [
                (low.replacing("\"wav\"", with: "\"mp3\""), "messages[0].content[0].input_audio.format"),
                (
                    #"{"type":"input_audio","input_audio":{"data":"!!","format":"wav"}}"#,
                    "messages[0].content[0].input_audio.data"
                ),
                (#"{"type":"input_audio","input_audio":7}"#, "messages[0].content[0].input_audio"),
                (#"{"type":"input_audio","input_audio":{"data":"AAAA"}}"#, "messages"),
            ] {
                let refused = try await server.ask(
                    "POST", "/v1/chat/completions", #"{"messages":[{"role":"user","content":[\#(change)]}]}"#)
                #expect(refused.status == 400)
                #expect(try refused.error("param") == .string(name))
            }
        }
    }

    @Test("a model without an audio encoder refuses transcriptions")
    func noAudioEncoder() async throws {
        try await TestServer.run { server in
            let reply = try await Self.transcribe(server, [:], file: try Self.sound("one-low.wav"))
            #expect(reply.status == 501)
            let error = try JSONValue(parsing: Array(reply.body))["error"]
            #expect(error?["type"] == "not_supported_error" && error?["param"] == "model")
        }
    }

    @Test("missing, duplicate and invalid form fields are refused by name")
    func refused() async throws {
        try await Self.run { server in
            let file = try Self.sound("one-low.wav")
            let cases: [(KeyValuePairs<String, String>, Data?, Int, String)] = [
                ([:], nil, 400, "file"), ([:], Data("RIFF".utf8), 400, "file"),
                (["response_format": "xml"], file, 400, "response_format"),
                (["language": "de"], file, 400, "language"), (["temperature": "hot"], file, 400, "temperature"),
                (["prompt": "Dear"], file, 400, "prompt"),
                (["stream": "true", "response_format": "srt"], file, 400, "response_format"),
                (["timestamp_granularities[]": "word"], file, 400, "timestamp_granularities[]"),
                (
                    ["timestamp_granularities[]": "", "timestamp_granularities[]": "word"], file, 400,
                    "timestamp_granularities[]"
                ),
                (["include[]": "logprobs", "include[]": "x"], file, 400, "include[]"),
                (["language": "en", "language": "en"], file, 400, "language"),
            ]
            for (fields, file, status, name) in cases {
                let reply = try await Self.transcribe(server, fields, file: file)
                #expect(reply.status == status)
                let error = try JSONValue(parsing: Array(reply.body))["error"]
                #expect(
                    (error?["message"]?.string?.contains("twice") == true) == (name == "language" && fields.count == 2))
                #expect(error?["param"] == .string(name), "\(String(decoding: reply.body, as: UTF8.self))")
            }
            let json = try await server.ask("POST", "/v1/audio/transcriptions", "{}")
            #expect(json.status == 415)
        }
    }

    @Test(
        "a malformed form is an error",
        arguments: [
            ("multipart/form-data", "x"), ("multipart/form-data; boundary=", "x"),
            ("multipart/form-data; boundary=b", ""), ("multipart/form-data; boundary=b", "--b"),
            ("multipart/form-data; boundary=b", "--b\r\n\r\n"),
            ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--"),
            ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"),
        ])
    func broken(type: String, body: String) {
        #expect(throws: APIError.self) { try MultipartForm(Array(body.utf8), type: type) }
    }

    @Test("a form's texts and files are read intact, including binary ones")
    func parts() throws {
        let bytes = Data((0..<600).map { UInt8(truncatingIfNeeded: $0 * 7) }) + Data("\r\n--x\r\n".utf8)
        let body =
            Data("preamble\r\n--xyz\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\na\r\nb\r\n--xyz\r\n".utf8)
            + Data("content-disposition: form-data; filename=\"f;g.wav\"; name=file\r\nX: y\r\n\r\n".utf8) + bytes
            + Data("\r\n--xyz--\r\nepilogue".utf8)
        let form = try MultipartForm(Array(body), type: "multipart/form-data; boundary=xyz")
        #expect(form.texts["t"] == "a\r\nb" && form.texts.count == 1)
        #expect(form.files["file"] == bytes && form.files.count == 1)
    }

    @Test(
        "headers of a form are read with their quotes",
        arguments: [
            (#"name="file"; filename="a; name=b""#, "file", true),
            (#"filename="a\"; name=b"; name=file"#, "file", true),
            (#"name="a\"b\\""#, #"a"b\"#, false), ("name=file; filename*=UTF-8''%C3%A9.wav", "file", true),
            ("NAME = x ;y", "x", false),
        ])
    func quotes(parameters: String, name: String, isFile: Bool) throws {
        let body = "--X;X\r\nContent-Disposition: form-data; \(parameters)\r\n\r\nabc\r\n--X;X--"
        let form = try MultipartForm(Array(body.utf8), type: #"multipart/form-data; boundary="X;X"; charset=utf-8"#)
        #expect(form.files == (isFile ? [name: Data("abc".utf8)] : [:]))
        #expect(form.texts == (isFile ? [:] : [name: "abc"]))
    }
}
#endif
