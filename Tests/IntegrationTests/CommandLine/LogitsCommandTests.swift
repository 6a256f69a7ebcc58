import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite struct LogitsCommandTests {
    private static let fixture = Fixture(name: "llama-tied-f32")

    @Test("The file contains the logits of the last position", arguments: ["512", "7", "1"])
    func logits(chunk: String) async throws {
        let reference = try FixtureReference(of: Self.fixture)
        let prompt = try #require(reference.prompts.first { $0.tokens.count == 40 })
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run([
            "logits", Self.fixture.path, "--tokens", prompt.tokens.map(String.init).joined(separator: ","),
            "--chunk", chunk, "--out", folder.path("logits"),
        ])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.text == "" && outcome.errorText == "")
        let found = floats(try Data(contentsOf: folder.url.appending(path: "logits")))
        // Weights, keys and values are 32-bit floats: what is left is the order of summation.
        #expect(rootMeanSquareError(found, reference.floats(prompt.logits)) < 1e-3)
    }

    private static let failures = [
        Refusal(["--tokens", "387"], "token 387 is not in the vocabulary, whose ids are 0 to 386"),
        Refusal(["--tokens", "1,-1"], "token -1 is not in the vocabulary"),
        Refusal(["--tokens", "2147483647"], "token 2147483647 is not in the vocabulary"),
        Refusal(
            ["--tokens", Array(repeating: "1", count: 513).joined(separator: ",")],
            "513 tokens do not fit into the model's context of 512"),
    ]

    @Test("Invalid tokens are rejected and no file is written", arguments: failures)
    func badTokens(_ refusal: Refusal) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run(
            ["logits", Self.fixture.path] + refusal.arguments + ["--out", folder.path("logits")])
        expectFailure(outcome, "'\(Self.fixture.path)': \(refusal.message)")
        #expect(try folder.content == [])
    }

    @Test(
        "A file that cannot be written is reported by name",
        arguments: [("missing/logits", "No such file or directory"), (".", "Is a directory")])
    func badOutput(name: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        let outcome = try await Tool.leap.run(["logits", Self.fixture.path, "--tokens", "1", "--out", path])
        expectFailure(outcome, "\(path): cannot be written: \(reason)")
        #expect(try folder.content == [])
    }

    @Test("An adapter or a template that is read is not replaced")
    func inputs() async throws {
        let folder = try TemporaryFolder()
        let adapter = try Data(contentsOf: URL(filePath: AdapterFixtures.path("all", of: "lfm2-tied-f32")))
        try adapter.write(to: URL(filePath: folder.path("a.gguf")))
        let messages = try folder.write("m.json", #"[{"role":"user","content":"Hi"}]"#)
        let template = try folder.write("t.jinja", "{{ messages[0].content }}")
        let text = try folder.write("t.txt", "Once upon a time there was a text. It was short.")
        let start = [Fixture(name: "lfm2-tied-f32").path, "--lora", folder.path("a.gguf")]
        for arguments in [
            ["logits"] + start + ["--tokens", "1,2", "--out", folder.path("a.gguf")],
            ["logits"] + start + ["--messages", messages, "--chat-template-file", template, "--out", template],
            ["perplexity"] + start + ["-f", text, "-c", "8", "--kl-divergence-base", folder.path("a.gguf")],
        ] {
            let outcome = try await Tool.leap.run(arguments)
            #expect(outcome.status == ExitStatus.failure, "\(arguments)")
            #expect(outcome.errorText.contains("is also an input file"), "\(outcome.errorText)")
        }
        #expect(try Data(contentsOf: URL(filePath: folder.path("a.gguf"))) == adapter)
    }

    @Test("An existing file is replaced")
    func replacement() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("logits", "old")
        let outcome = try await Tool.leap.run(["logits", Self.fixture.path, "--tokens", "1", "--out", path])
        #expect(outcome.status == ExitStatus.success)
        #expect(try folder.content == ["logits"])
        #expect(try Data(contentsOf: URL(filePath: path)).count == 387 * 4)
    }

    @Test("Writing through a symbolic link replaces its target and keeps the link")
    func link() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: try folder.write("target", [UInt8](repeating: 0, count: 4096)))
        let outcome = try await Tool.leap.run(["logits", Self.fixture.path, "--tokens", "1", "--out", link])
        #expect(outcome.status == ExitStatus.success)
        #expect(try Data(contentsOf: folder.url.appending(path: "target")).count == 387 * 4)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.path("target"))
    }

    private func floats(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map {
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
            }
        }
    }
}
