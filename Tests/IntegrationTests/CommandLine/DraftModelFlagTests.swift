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
