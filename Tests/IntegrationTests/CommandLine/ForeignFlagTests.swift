import ArgumentParser
import Foundation
import LeapEngine
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import LeapToolSupport
@testable import leap

/// Flags of llama.cpp's tools that have no meaning here.
@Suite struct ForeignFlagTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let start = ["run", model, "What is the capital of France?", "--temp", "0"]
    private static let answer = "The capital of France is Paris.\n"

    static let notes: [([String], String)] = [
        (["-ngl", "99"], "-ngl has no effect: models run on the CPU"),
        (["--n-gpu-layers=-1"], "--n-gpu-layers has no effect: models run on the CPU"),
        (["-ngl", "99", "-sm", "none", "-ngl", "1"], "-ngl, -sm have no effect: models run on the CPU"),
        (
            ["--mlock", "-ngl", "99", "--color"],
            "these have no effect: --mlock (weights are memory-mapped, or read into memory with --no-mmap); -ngl (models run "
                + "on the CPU); --color (answers are not coloured)"
        ),
        (["-fa", "off"], "-fa off has no effect: attention is always computed in tiles"),
        (["--simple-io"], "--simple-io has no effect: set TERM=dumb to turn off line editing"),
    ]

    @Test("Flags without effect are noted once, and the answer is printed", arguments: notes)
    func noted(_ arguments: [String], _ note: String) async throws {
        let outcome = try await Tool.leap.run(Self.start + arguments)
        #expect(outcome.text == Self.answer)
        #expect(outcome.errorText == "note: \(note)\n")
    }

    static let refusals = [
        (["--control-vector", "v"], "--control-vector is not supported: control vectors are not implemented yet."),
        (
            ["--rope-freq-base", "1e6"],
            "--rope-freq-base is not supported: RoPE parameters are taken from the model file."
        ),
        (["--video", "cat.mp4"], "--video is not supported: video input is not implemented."),
        (["--context-shift"], "--context-shift is not supported: --context-policy sets"),
        (["-ngl", "9", "--ignore-eos"], "--ignore-eos is not supported: ban the end-of-sequence token with"),
    ]

    @Test("Unsupported flags that would change the answer are rejected by name", arguments: refusals)
    func refused(_ arguments: [String], _ message: String) async throws {
        expectUsageError(try await Tool.leap.run(Self.start + arguments), message)
    }

    @Test("A value that looks like a flag is treated as a value")
    func values() async throws {
        let outcome = try await Tool.leap.run(["run", Self.model, "-p", "--mlock", "--temp", "0", "-n", "1"])
        #expect(outcome.status == ExitStatus.success)
        #expect(outcome.errorText == "")
    }

    @Test(
        "The commands accept every flag of the table",
        arguments: [["run", "model", "Hi"], ["perplexity", "m", "-f", "x"]])
    func accepted(start: [String]) throws {
        // All in one command line: parsing is slow, and the error names the flag that is not accepted.
        let arguments =
            start
            + ForeignFlag.all.flatMap { flag in
                flag.names.flatMap { [$0] + (flag.takesValue ? ["1"] : []) }
            }
        #expect(throws: Never.self) {
            try ForeignFlag.$arguments.withValue(["leap"] + arguments) { _ = try LeapCommand.parseAsRoot(arguments) }
        }
    }

    @Test("A conversation does not drop turns with --no-context-shift")
    func noContextShift() throws {
        func overflow(_ flags: [String]) throws -> AnswerOptions.ContextOverflow {
            let command = try #require(try LeapCommand.parseAsRoot(["run", "model"] + flags) as? RunCommand)
            var options = AnswerOptions()
            command.generation.apply(to: &options, isConversation: true)
            return options.overflow
        }
        #expect(try overflow([]) == .dropsOldestTurns)
        #expect(try overflow(["--no-context-shift"]) == .fails)
        #expect(try overflow(["--no-context-shift", "--context-policy", "drop-oldest"]) == .dropsOldestTurns)
    }

    @Test("Names in the table are unique")
    func names() throws {
        for flag in ForeignFlag.all {
            for name in flag.names { #expect(try #require(ForeignFlag.named(name)).names == flag.names, "\(name)") }
        }
    }

    @Test("The help does not list them")
    func help() async throws {
        let help = try await Tool.leap.run(["run", "--help"]).text
        #expect(!help.contains("-ngl") && !help.contains("--mlock") && help.contains("--hf-repo"))
        #expect(help.contains("--help-hidden"))
    }

    @Test("The table in docs/flags.md matches the code")
    func documented() throws {
        let page = Fixture.folder.deletingLastPathComponent().appending(path: "docs/flags.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for flag in ForeignFlag.all + ForeignFlag.ofServer {
            let names = flag.names.map { "`\($0)`" }.joined(separator: " ")
            let line =
                switch flag.effect {
                case .implied: "| \(names) | always the case |"
                case .none(let reason): "| \(names) | no effect: \(reason) |"
                case .refused(let reason): "| \(names) | refused: \(reason) |"
                }
            #expect(text.contains(line), "docs/flags.md lacks the line\n\(line)")
        }
    }
}
