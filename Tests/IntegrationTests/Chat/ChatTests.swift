import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// The chat of `leap run -i`, with its lines from standard input.
@Suite struct ChatTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let france = "What is the capital of France?"
    private static let paris = "The capital of France is Paris."
    private static let sum = "What is two plus two?"
    private static let four = "Two plus two is four."

    private func chat(_ lines: String...) async throws -> Tool.Outcome {
        let outcome = try await Tool.leap.run(
            ["run", Self.model, "-i", "--temp", "0"], input: Data(lines.joined(separator: "\n").utf8))
        #expect(outcome.status == ExitStatus.success)
        return outcome
    }

    @Test("/help lists the commands, and commands that cannot run report why")
    func help() async throws {
        let outcome = try await chat("/help", "/hlep", "/regen", "/edit", "/stats", "/history", "/save", "/load")
        for name in [
            "help", "regen", "edit [TEXT]", "clear", "system", "set", "save FILE", "load FILE", "stats", "quit",
        ] {
            #expect(outcome.errorText.contains("/\(name)"), "\(name)")
        }
        #expect(outcome.errorText.contains("error: unknown command '/hlep'. Did you mean '/help'?"))
        #expect(outcome.errorText.contains("no message to answer again yet"))
        #expect(outcome.errorText.contains("no message to edit yet"))
        #expect(outcome.errorText.contains("no answer yet"))
        #expect(outcome.errorText.contains("the conversation is empty"))
        #expect(outcome.errorText.contains("/save requires a file name"))
        #expect(outcome.text == "")
    }

    @Test("/regen replaces the last answer without repeating the message")
    func regeneration() async throws {
        let outcome = try await chat(Self.france, "/regen", "/history")
        #expect(outcome.text == "\(Self.paris)\n\(Self.paris)\n")
        #expect(outcome.errorText.hasSuffix("user: \(Self.france)\nassistant: \(Self.paris)\n"))
        #expect(outcome.errorText.components(separatedBy: "user: ").count == 2)
    }

    @Test("/edit replaces the last message")
    func edit() async throws {
        let outcome = try await chat("Hello!", Self.france, "/edit \(Self.sum)", "/history", "/edit")
        #expect(outcome.text.hasSuffix("\(Self.paris)\n\(Self.four)\n"))
        #expect(outcome.errorText.contains("user: \(Self.sum)\nassistant: \(Self.four)\n"))
        #expect(!outcome.errorText.contains(Self.france))
        #expect(outcome.errorText.contains("user: Hello!"))
        #expect(outcome.errorText.contains("lines cannot be edited here: use /edit TEXT"))
    }

    @Test("A conversation is saved as a JSON array of messages, and can be loaded and continued")
    func saving() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("talk 1.json")
        let saved = try await chat("/system You are terse.", Self.france, "/save \(path)")
        #expect(saved.errorText.contains("3 messages saved to \(path)"))
        let document = try JSONValue(parsing: Data(contentsOf: URL(filePath: path)))
        #expect(
            document == [
                ["role": "system", "content": "You are terse."], ["role": "user", "content": .string(Self.france)],
                ["role": "assistant", "content": .string(Self.paris)],
            ])
        let rendered = try await Tool.leap.run(["render", Self.model, "--messages", path])
        #expect(rendered.text.contains(Self.paris))
        let loaded = try await chat("/load \(path)", "/system", Self.sum, "/clear", "/load \(path)", "/history")
        #expect(loaded.errorText.contains("3 messages loaded from \(path)"))
        #expect(loaded.errorText.contains("You are terse."))
        #expect(loaded.errorText.hasSuffix("assistant: \(Self.paris)\n"))
        #expect(try folder.content == ["talk 1.json"])
    }

    @Test(
        "An invalid conversation file is rejected, and the conversation stays unchanged",
        arguments: [
            ("{}", "expected a JSON array of messages"), ("[{]", "JSON 1:3"),
            (#"[{"role": "user", "content": "a"}, {"role": "king"}]"#, "message 2: "),
            (#"[{"role": "user", "content": 1}]"#, "a message's 'content' must be a string"),
        ])
    func loading(content: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("talk.json", content)
        let outcome = try await chat(
            Self.france, "/load \(path)", "/load \(folder.path("none"))", "/load /", "/history")
        #expect(outcome.errorText.contains("error: \(path): "), "\(outcome.errorText)")
        #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("none: no such file"))
        #expect(outcome.errorText.hasSuffix("user: \(Self.france)\nassistant: \(Self.paris)\n"))
    }

    @Test("A failed save is reported and leaves no file, and the conversation stays unchanged")
    func unwritable() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("file", "kept")
        let long = String(repeating: "x", count: 300)  // a name may have 255 bytes
        let paths = ["nowhere/talk.json", "file/talk.json", "", long].map(folder.path)
        let saves = paths.map { "/save \($0)" }.joined(separator: "\n")
        let outcome = try await chat(Self.france, saves, "/history")
        for path in paths {
            #expect(outcome.errorText.contains("error: \(path): cannot be written"), "\(outcome.errorText)")
        }
        #expect(outcome.errorText.hasSuffix("assistant: \(Self.paris)\n"))
        #expect(try folder.content == ["file"])
        #expect(try Data(contentsOf: folder.url.appending(path: "file")) == Data("kept".utf8))
    }

    @Test("/image and /audio are refused if the model takes none, and the conversation continues")
    func mediaForTextModel() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", "content")
        let outcome = try await chat("/image \(file)", "/audio \(file)", Self.france)
        #expect(outcome.errorText.contains("error: a message contains an image, but the model has no vision projector"))
        #expect(outcome.errorText.contains("error: a message contains audio, but the model has no audio encoder"))
        #expect(!outcome.errorText.contains("will be sent"), "\(outcome.errorText)")
        #expect(outcome.text == "\(Self.paris)\n")
    }

    @Test("/save writes a file whose name is as long as the file system allows")
    func longName() async throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "x", count: 250) + ".json"
        let outcome = try await chat(Self.france, "/save \(folder.path(name))")
        #expect(!outcome.errorText.contains("error"), "\(outcome.errorText)")
        #expect(try folder.content == [name])
    }

    @Test("/set shows and changes the sampling settings")
    func settings() async throws {
        let outcome = try await chat(
            "/set predict 3", Self.france, "/set predict -1", Self.sum, "/set", "/set top-k 7", "/set top_k",
            "/set tmp 1",
            "/set temp hot")
        #expect(outcome.text.hasSuffix("\n\(Self.four)\n"))
        #expect(Self.paris.hasPrefix(outcome.text.prefix { $0 != "\n" }))
        #expect(!outcome.text.contains(Self.paris))
        #expect(outcome.errorText.contains("temp               0.0  0 or more"))
        #expect(outcome.errorText.contains("top_k  7  a whole"))
        #expect(outcome.errorText.contains("unknown setting 'tmp'. Did you mean 'temp'? /set lists all settings."))
        #expect(outcome.errorText.contains("temp must be 0 or more (0: always the most likely token), not 'hot'"))
    }

    @Test("/stats distinguishes cached from computed prompt tokens")
    func figures() async throws {
        // Prompts are cached in blocks of 128 tokens.
        let long = String(repeating: Self.sum + " ", count: 18)
        let outcome = try await chat(long, "/stats", Self.sum, "/stats")
        let prompts = outcome.errorText.matches(
            of: /prompt (\d+) tokens \((\d+) cached, (\d+) computed at [\d.]+ t\/s\)/)
        let figures = try prompts.map { match in
            (all: try #require(Int(match.1)), cached: try #require(Int(match.2)), computed: try #require(Int(match.3)))
        }
        #expect(figures.count == 2)
        #expect(figures.allSatisfy { $0.cached + $0.computed == $0.all })
        #expect(figures.map { $0.cached > 0 } == [false, true])
    }

    @Test("Triple-quoted blocks and escaped line ends form one multi-line message")
    func blocks() async throws {
        let outcome = try await chat(
            "\"\"\"", "Hello!", "/help \\", "\"\"\"", "Hello \\", "again", "/system \"\"\"Rhyme.", "Always.\"\"\"",
            "/system")
        #expect(!outcome.errorText.contains("/clear"))
        #expect(outcome.errorText == "Rhyme.\nAlways.\n")
        let history = try await chat("Hello \\", "again", "\"\"\"", "one", " two", "\"\"\"", "/history").errorText
        #expect(history.contains("user: Hello \nagain\n"))
        #expect(history.contains("user: one\n two\n"))
    }
}
