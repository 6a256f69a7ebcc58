import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `leap run --audio`, `leap encode --audio` and `leap inspect`, with the small audio model.
@Suite("Audio input on the command line")
struct AudioCommandTests {
    private static let folder = Fixture.folder.appending(path: "audio")
    private static let model = folder.appending(path: "lfm2-audio-chat-q8_0.gguf").path
    private static let projector = folder.appending(path: "mmproj-lfm2-audio-chat-q8_0.gguf").path

    private static func sound(_ name: String) -> String { folder.appending(path: "sounds/\(name)").path }

    private func run(_ arguments: [String], model: String = model) async throws -> CommandOutcome {
        try await Tool.leap.run(["run", model, "--temp", "0"] + arguments)
    }

    @Test("audio without a prompt is transcribed, with the projector beside the model")
    func transcribed() async throws {
        let outcome = try await run(["--audio", Self.sound("three-middle-44100.wav")])
        #expect(outcome.status == ExitStatus.success && outcome.text == "Three middle beeps.\n", "\(outcome)")
    }

    @Test("listen transcribes all files of a folder, and continues after an invalid one")
    func folderTranscribed() async throws {
        let folder = try TemporaryFolder()
        for name in ["two-high.wav", "one-low.wav", "three-middle-44100.wav"] {
            try FileManager.default.copyItem(atPath: Self.sound(name), toPath: folder.path(name))
        }
        let all = try await Tool.leap.run(["listen", Self.model, folder.path("")])
        let texts = all.text.split(separator: "\n").map { $0.split(separator: "\t").last.map(String.init) }
        #expect(all.status == ExitStatus.success, "\(all)")
        #expect(texts == ["One low beep.", "Three middle beeps.", "Two high beeps."])
        try Data("no sound".utf8).write(to: folder.url.appending(path: "broken.wav"))
        let some = try await Tool.leap.run(["listen", Self.model, folder.path(""), "--json"])
        #expect(some.status == ExitStatus.failure && some.errorText.contains("1 of 4 files"), "\(some)")
        let objects = try some.text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(objects.map { $0["error"] != nil } == [true, false, false, false])
        #expect(objects.last?["text"] == "Two high beeps." && objects.last?["seconds"]?.string == nil)
        let none = try await Tool.leap.run(["listen", Self.model])
        #expect(none.status == ExitStatus.failure && none.errorText.contains("no input: give WAV files"), "\(none)")
    }

    @Test("a transcript that was cut off is reported as such")
    func cutTranscript() async throws {
        let arguments = ["listen", Self.model, Self.sound("two-high.wav")]
        let cut = try await Tool.leap.run(arguments + ["-n", "3", "--json"])
        #expect(cut.status == ExitStatus.success && cut.errorText.contains("was cut off: it has 3 tokens"), "\(cut)")
        #expect(try JSONValue(parsing: cut.text)["truncated"] == true, "\(cut)")
        let whole = try await Tool.leap.run(arguments + ["--json"])
        #expect(try JSONValue(parsing: whole.text)["truncated"] == nil, "\(whole)")
        #expect(!whole.errorText.contains("cut off"), "\(whole)")
    }

    @Test("a prompt with audio is a question about it")
    func asked() async throws {
        let outcome = try await run([
            "--mmproj", Self.projector, "--audio", Self.sound("one-low.wav"), "--audio", Self.sound("two-high.wav"),
            "-p",
            "How high is the second sound?",
        ])
        #expect(outcome.status == ExitStatus.success && outcome.text == "High.\n", "\(outcome)")
    }

    @Test("/audio adds audio to a conversation")
    func conversation() async throws {
        let outcome = try await Tool.leap.run(
            ["run", Self.model, "--temp", "0", "-i"],
            input: Data("/audio '\(Self.sound("two-high.wav"))'\nHow many beeps?\nHow high are they?\n".utf8))
        #expect(outcome.text.contains("Two.") && outcome.text.contains("High."), "\(outcome)")
    }

    @Test("a sound stays attached if its message fails, until one is answered or a command removes it")
    func failedMessage() async throws {
        let long = String(repeating: "What? ", count: 3000)
        func chat(_ lines: String...) async throws -> CommandOutcome {
            try await Tool.leap.run(
                ["run", Self.model, "--temp", "0", "-i"], input: Data(lines.joined(separator: "\n").utf8))
        }
        let note = "note: the pictures and sounds will be sent with your next message"
        let attach = "/audio \(Self.sound("two-high.wav"))"
        let kept = try await chat(attach, long, "How many beeps?", long)
        #expect(kept.errorText.contains("error: ") && kept.text == "Two.\n", "\(kept)")
        #expect(kept.errorText.components(separatedBy: note).count == 2, "\(kept)")
        let folder = try TemporaryFolder()
        let conversation = try folder.write("talk.json", #"[{"role": "user", "content": "Hi"}]"#)
        for command in ["/clear", "/detach", "/system Listen.", "/load \(conversation)"] {
            let removed = try await chat(attach, command, long)
            #expect(removed.errorText.contains("error: ") && !removed.errorText.contains(note), "\(removed)")
        }
        let none = try await chat("/detach")
        #expect(none.errorText.contains("no files are attached"))
    }

    @Test("/audio rejects a sound that is longer than the context")
    func tooLong() async throws {
        let outcome = try await Tool.leap.run(
            ["run", Self.model, "--temp", "0", "-i", "--ctx-size", "8"],
            input: Data("/audio \(Self.sound("two-high.wav"))".utf8))
        #expect(outcome.errorText.contains("but the context has 8"), "\(outcome)")
        #expect(!outcome.errorText.contains("will be sent"), "\(outcome)")
    }

    @Test("/audio rejects a file that is not a sound, and the conversation continues without it")
    func unreadable() async throws {
        let lines = ["/audio \(Self.projector)", "/audio \(Self.sound("two-high.wav"))", "How many beeps?"]
        let outcome = try await Tool.leap.run(
            ["run", Self.model, "--temp", "0", "-i"], input: Data(lines.joined(separator: "\n").utf8))
        #expect(outcome.errorText.contains("does not start with a WAV header"), "\(outcome)")
        #expect(outcome.errorText.components(separatedBy: "will be sent with your next message").count == 2)
        #expect(outcome.text == "Two.\n", "\(outcome)")
    }

    @Test("--no-mmproj ignores the projector beside the model")
    func withoutProjector() async throws {
        let outcome = try await run(["--audio", Self.sound("one-low.wav"), "--no-mmproj"])
        #expect(outcome.status == ExitStatus.failure && outcome.errorText.contains("mmproj"), "\(outcome)")
    }

    @Test("encode writes the rows and reports their number and size")
    func encoded() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run([
            "encode", Self.model, "--audio", Self.sound("four-high-8000-24bit.wav"), "--json", "--out",
            folder.path("rows"),
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome)")
        #expect(
            try JSONValue(parsing: outcome.text)
                == ["sampleRate": 8000, "samples": 12800, "rows": 21, "rowLength": 64])
        #expect(try Data(contentsOf: folder.url.appending(path: "rows")).count == 21 * 64 * 4)
    }

    @Test("inspect describes an audio projector")
    func inspected() async throws {
        let outcome = try await Tool.leap.run(["inspect", Self.projector, "--json"])
        let report = try JSONValue(parsing: outcome.text)
        #expect(report["hearing"]?["bands"] == 128 && report["hearing"]?["outputLength"] == 64)
        #expect(report["projector"] == nil && report["supported"] == true)
        let text = try await Tool.leap.run(["inspect", Self.projector]).text
        #expect(text.contains("128 bands, 100 frames per second") && text.contains("supported       yes"))
    }

    @Test("unusable audio is reported")
    func faults() async throws {
        let textOnly = Fixture(name: "lfm2-chat-q8_0").path
        expectFailure(
            try await run(["--audio", Self.sound("one-low.wav")], model: textOnly), "the model has no audio encoder")
        expectFailure(try await run(["--audio", textOnly]), "does not start with a WAV header")
        expectFailure(try await run(["--audio", "/nowhere.wav"]), "the sound /nowhere.wav: ")
        let both = try await Tool.leap.run(["encode", Self.model, "--json"])
        #expect(both.status == ExitStatus.usage && both.errorText.contains("--image or --audio"))
    }
}
