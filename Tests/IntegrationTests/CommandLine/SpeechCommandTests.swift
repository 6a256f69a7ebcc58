import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `leap vocode`, `leap depthform`, `leap speak` and `leap inspect` with a small vocoder.
@Suite("Speech on the command line")
struct SpeechCommandTests {
    private static let folder = Fixture.folder.appending(path: "audio")
    private static func path(_ name: String) -> String { folder.appending(path: name).path }
    private static let vocoder = path("vocoder-speech.gguf")
    private static let tokenizer = path("tokenizer-speech.gguf")

    private struct Index: Decodable {
        let frames: [[Int32]]
    }

    private let frames: [[Int32]]

    init() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "speech.json"))
        frames = try JSONDecoder().decode(Index.self, from: data).frames
    }

    @Test("vocode turns codes into a WAV file, with a found or a given tokenizer")
    func vocoded() async throws {
        let folder = try TemporaryFolder()
        let codes = Data("\(frames)".utf8)
        var files: [Data] = []
        for more in [[], ["--audio-tokenizer", Self.tokenizer]] {
            let wav = folder.path("out.wav")
            let outcome = try await Tool.leap.run(
                ["vocode", "--vocoder", Self.vocoder, "--codes", "-", "-o", wav] + more, input: codes)
            #expect(outcome.status == ExitStatus.success, "\(outcome)")
            files.append(try Data(contentsOf: URL(filePath: wav)))
        }
        #expect(files[0] == files[1] && files[0].count == 44 + frames.count * 1920 * 4)
    }

    @Test(
        "invalid frames are rejected, and nothing is written",
        arguments: [
            ("[]", ": no frames"), ("[[1,2]]", "a frame must have 8 codes from 0 to 2048"),
            ("{}", "expected an array"),
            ("[[1,2,3,4,5,6,7,\"x\"]]", "frame 0"), ("[[0,0,0,0,0,0,0,2048]]", "from 0 to 2047"), ("[", "JSON"),
        ])
    func refused(codes: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run(
            ["vocode", "--vocoder", Self.vocoder, "--codes", "-", "-o", folder.path("out.wav")], input: Data(codes.utf8)
        )
        #expect(outcome.status == ExitStatus.failure && outcome.errorText.contains(reason), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.wav")))
    }

    @Test("depthform turns rows into codes, and rejects incomplete rows")
    func depthformed() async throws {
        let folder = try TemporaryFolder()
        // The rows of scripts/fixtures/speech.py.
        let floats: [Float] = (0..<2 * 64).map { index in
            let noise: Int = (index * 7919 + index * index / 97) % 2003 - 1001
            return Float(Double(noise) / 500)
        }
        let rows = floats.reduce(into: Data()) { data, value in
            withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        try rows.write(to: folder.url.appending(path: "rows"))
        let arguments = ["depthform", "--vocoder", Self.vocoder, "--hidden", folder.path("rows")]
        let outcome = try await Tool.leap.run(arguments)
        let lines = frames.prefix(2).map { $0.map(String.init).joined(separator: " ") + "\n" }
        #expect(outcome.status == ExitStatus.success && outcome.text == lines.joined(), "\(outcome)")
        let json = try JSONValue(parsing: try await Tool.leap.run(arguments + ["--json", "--frames", "3"]).text)
        #expect(json["frames"]?.array?.count == 3 && json["rows"]?.array?.first?.array?.count == 64)
        try rows.dropLast().write(to: folder.url.appending(path: "rows"))
        let broken = try await Tool.leap.run(arguments)
        #expect(
            broken.status == ExitStatus.failure
                && broken.errorText.contains("expected rows of 256 bytes each for this vocoder"),
            "\(broken)")
    }

    @Test("read-out text and spoken answers are transcribed back to the same text")
    func spoken() async throws {
        let folder = try TemporaryFolder()
        let model = Self.path("lfm2-audio-chat-q8_0.gguf")
        let greedy = ["--audio-temperature", "0"]
        let read = try await Tool.leap.run(
            ["speak", model, "Three low beeps.", "-o", folder.path("read.wav")] + greedy)
        #expect(read.status == ExitStatus.success && read.text.isEmpty, "\(read)")
        // Fourteen frames: two, and four for each beep. A chunk of 40 bytes identifies the steps.
        #expect(try Data(contentsOf: folder.url.appending(path: "read.wav")).count == 44 + 14 * 1920 * 2 + 40)
        let answered = try await Tool.leap.run(
            ["speak", model, "--answer", "--audio", Self.path("sounds/two-high.wav"), "-o", folder.path("said.wav")]
                + greedy)
        #expect(answered.status == ExitStatus.success && answered.text == "Two high beeps.\n", "\(answered)")
        let heard = try await Tool.leap.run(["listen", model, folder.path("")])
        let texts = heard.text.split(separator: "\n").map { $0.split(separator: "\t").last.map(String.init) }
        #expect(texts == ["Three low beeps.", "Two high beeps."], "\(heard)")
    }

    @Test("no file is written without generated speech, a vocoder or a text")
    func silent() async throws {
        let folder = try TemporaryFolder()
        let model = Self.path("lfm2-audio-chat-q8_0.gguf")
        let outcome = try await Tool.leap.run([
            "speak", model, "Hello!", "--system", "You are a tiny model.", "-o", folder.path("a.wav"),
        ])
        #expect(
            outcome.status == ExitStatus.failure && outcome.errorText.contains("the model generated no speech"),
            "\(outcome)")
        let voiceless = try await Tool.leap.run([
            "speak", Fixture(name: "lfm2-tied-f32").path, "Hello", "-o", folder.path("a.wav"),
        ])
        #expect(
            voiceless.status == ExitStatus.failure && voiceless.errorText.contains("the model has no vocoder"),
            "\(voiceless)")
        let empty = try await Tool.leap.run(["speak", model, " ", "-o", folder.path("a.wav")])
        #expect(empty.status == ExitStatus.failure && empty.errorText.contains("there is no text to speak"), "\(empty)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.wav")))
    }

    /// A program in place of the system's player that records what it should play.
    private static func player(in folder: TemporaryFolder) throws -> String {
        // It takes its time, so that a player that is not waited for plays nothing.
        let script =
            "#!/bin/sh\necho \"$@\" >> '\(folder.path("arguments"))'\nsleep 0.5\ncat >> '\(folder.path("played"))'\n"
        let bin = folder.url.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try Data(script.utf8).write(to: bin.appending(path: "aplay"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: bin.appending(path: "aplay").path)
        return bin.path + ":/usr/bin:/bin"
    }

    /// No model was trained for this vocoder, so a biased token makes it speak; eleven frames follow. Codes are drawn even at
    /// temperature 0, and one in some hundred seeds draws an end before.
    private static let speechOutput = [
        "--play", "--vocoder", vocoder, "--audio-tokenizer", tokenizer, "--temp", "0", "--seed", "1",
        "--logit-bias", "387+100", "-n", "12", "--system-prompt", "Perform TTS. Use the UK male voice.",
    ]

    @Test("--play passes speech to the system's player, and /play needs a spoken answer")
    func played() async throws {
        let folder = try TemporaryFolder()
        let model = Self.path("lfm2-audio-chat-q8_0.gguf")
        let environment = ["PATH": try Self.player(in: folder)]
        let once = try await Tool.leap.run(["run", model, "-p", "Hello"] + Self.speechOutput, environment: environment)
        #expect(once.status == ExitStatus.success, "\(once)")
        let played = folder.url.appending(path: "played")
        let first = try Data(contentsOf: played)
        #expect(first.count == 11 * 1920 * 2)
        let arguments = try String(contentsOf: folder.url.appending(path: "arguments"), encoding: .utf8)
        #expect(arguments == "-q -t raw -f S16_LE -r 24000 -c 1\n")
        try FileManager.default.removeItem(at: played)
        let chat = try await Tool.leap.run(
            ["run", model, "-i"] + Self.speechOutput, environment: environment,
            input: Data("/play\nHello\n/play\n".utf8))
        #expect(chat.errorText.contains("there is no spoken answer to play yet"), "\(chat)")
        // Nobody waits at a terminal, so every answer is played to its end: here, one answer twice.
        #expect(try Data(contentsOf: played).count == 2 * first.count)
    }

    @Test("a missing player is an error before a model is loaded, and --vocoder requires --play")
    func missingPlayer() async throws {
        let folder = try TemporaryFolder()
        // Loading it would be an error, too.
        let model = try folder.write("model.gguf", "not a model")
        let outcome = try await Tool.leap.run(
            ["run", model, "-p", "Hello"] + Self.speechOutput, environment: ["PATH": folder.path("")])
        #expect(
            outcome.status == ExitStatus.failure && outcome.errorText.contains("no program to play sound was found"),
            "\(outcome)")
        let idle = try await Tool.leap.run(["run", model, "-p", "Hello", "--vocoder", Self.vocoder])
        #expect(idle.errorText.contains("require --play"), "\(idle)")
    }

    @Test("inspect describes a vocoder")
    func inspected() async throws {
        let outcome = try await Tool.leap.run(["inspect", Self.vocoder])
        #expect(outcome.text.contains("audio codes for language models 64 wide"))
        #expect(outcome.text.contains("supported       yes"), "\(outcome)")
    }
}
