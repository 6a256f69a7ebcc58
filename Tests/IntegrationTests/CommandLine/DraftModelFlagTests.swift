import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// `--draft-model`.
@Suite struct DraftModelFlagTests {
    private static let path = Fixture(name: "lfm2-chat-q8_0").path
    private static let draft = Fixture(name: "lfm2-tied-f32").path

    @Test(
        "A draft model does not change the answer, with every spelling of the flag",
        arguments: ["--draft-model", "-md", "--model-draft"])
    func run(flag: String) async throws {
        let start = ["run", Self.path, "Once upon", "--raw", "-n", "40", "--temp", "0.8", "--seed", "4"]
        let plain = try await Tool.leap.run(start + ["--no-speculation"])
        #expect(plain.status == ExitStatus.success)
        let drafted = try await Tool.leap.run(start + [flag, Self.draft])
        #expect(drafted.status == ExitStatus.success && drafted.text == plain.text, "\(drafted.errorText)")
    }

    @Test("The types of keys and values are those of the model, not of its draft model")
    func cacheTypes() async throws {
        let path = Fixture(name: "llama-every-type").path
        let start = ["run", path, "Once", "--raw", "-n", "8", "--temp", "0", "-ctk", "q8_0", "-ctv", "q8_0"]
        let plain = try await Tool.leap.run(start + ["--no-speculation"])
        // The draft model's heads have 14 elements, and blocks of q8_0 have 32.
        let drafted = try await Tool.leap.run(start + ["-md", Fixture(name: "llama-tied-f32").path])
        #expect(drafted.status == ExitStatus.success && drafted.text == plain.text, "\(drafted.errorText)")
    }

    @Test("An unusable draft model is reported by name, with the reason")
    func refused() async throws {
        let start = ["run", Self.path, "Hi", "--raw", "--draft-model"]
        let folder = try TemporaryFolder()
        let text = try folder.write("text.gguf", "no model")
        expectFailure(try await Tool.leap.run(start + [text]), "the draft model '\(text)' cannot be used: ")
        expectFailure(
            try await Tool.leap.run(start + ["missing.gguf"]), "the draft model 'missing.gguf' cannot be used: ")
        let tiny = Fixture(name: "leap-tiny/leap-tiny-q4_k_m").path
        expectFailure(
            try await Tool.leap.run(start + [tiny]),
            "the draft model '\(tiny)' cannot be used: token ")
    }

    @Test("serve rejects --draft-model with several models")
    func serve() async throws {
        let outcome = try await Tool.leap.run(
            ["serve", Self.path, Self.draft, "--port", "0", "--draft-model", Self.draft])
        expectFailure(outcome, "--draft-model requires exactly one local model, but 2 are given")
    }
}
