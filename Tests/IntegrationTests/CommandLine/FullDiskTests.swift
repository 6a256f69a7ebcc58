import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// A Linux device on which every write fails because the disk is full.
private let fullDisk = "/dev/full"

@Suite(.enabled(if: FileManager.default.fileExists(atPath: fullDisk), "only Linux has \(fullDisk)"))
struct FullDiskTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let message = "standard output cannot be written: No space left on device"

    static let commands = [
        ["run", model, "Hello!", "--temp", "0"], ["run", model, "Hello!", "--json"], ["inspect", model],
        ["tokenize", model, "Hello!"], ["detokenize", model, "80,81"], ["render", model, "--messages", "-"],
        ["perplexity", model, "--file", Fixture.folder.appending(path: "prose.txt").path, "-c", "128"],
    ]

    @Test("Standard output on a full disk is an error", arguments: commands)
    func noRoom(arguments: [String]) async throws {
        let messages = Data(#"[{"role": "user", "content": "Hello!"}]"#.utf8)
        let outcome = try await Tool.leap.run(arguments, input: messages, outputTo: fullDisk)
        #expect(outcome.status == ExitStatus.failure)
        #expect(outcome.errorText.hasSuffix("error: \(Self.message)\n"), "\(outcome.errorText)")
    }

    @Test("Standard output of leap-bench on a full disk is an error")
    func bench() async throws {
        let outcome = try await Tool.leapBench.run(
            ["-m", Self.model, "-p", "4", "-n", "1", "-r", "1"], outputTo: fullDisk)
        #expect(outcome.status == ExitStatus.failure)
        #expect(outcome.errorText.contains("error: standard output cannot be written: "), "\(outcome.errorText)")
    }

    @Test("An output file on a full disk is an error")
    func file() async throws {
        // Through a link, so that a mistake cannot replace the device.
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("full"), withDestinationPath: fullDisk)
        let outcome = try await Tool.leap.run(["logits", Self.model, "--tokens", "1", "--out", folder.path("full")])
        expectFailure(outcome, "full: cannot be written: No space left on device")
    }
}
