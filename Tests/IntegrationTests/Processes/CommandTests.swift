import Foundation
import Testing
import _LeapProcessTestSupport

/// The helper with which tests start processes: it returns the complete output, and leaves nothing open.
@Suite("Starting processes")
struct CommandTests {
    private func bash(_ line: String) -> Command { Command("/bin/bash", ["-c", line]) }

    @Test(
        "an exit code is told, and a signal negated",
        arguments: [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", -SIGTERM), ("kill -KILL $$", -SIGKILL)])
    func status(line: String, status: Int32) async throws {
        #expect(try await bash(line).run().status == status)
    }

    @Test("both outputs arrive whole, more than a pipe holds, and apart")
    func outputs() async throws {
        let outcome = try await bash("head -c 1000000 /dev/zero; echo done >&2").run()
        #expect(outcome.output == Data(count: 1_000_000))
        #expect(outcome.errorText == "done\n")
    }

    @Test("input arrives whole, and nobody minds if it is not read")
    func input() async throws {
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try await Command("/bin/cat").run(input: bytes).output == bytes)
        #expect(try await bash("exit 0").run(input: bytes).status == 0)
        #expect(try await Command("/bin/cat").run().output == Data())
    }

    @Test("output can lead to a device")
    func device() async throws {
        let outcome = try await bash("echo into the void; echo but this not >&2").run(outputTo: "/dev/null")
        #expect(outcome.text == "" && outcome.errorText == "but this not\n")
    }

    @Test("variables and the folder are those of the command")
    func surroundings() async throws {
        var command = bash("echo $LEAP_SEEN; pwd -P")
        command.environment["LEAP_SEEN"] = "a = b"
        command.folder = URL(filePath: "/")
        #expect(try await command.run().text == "a = b\n/\n")
    }

    @Test("a process that is killed is gone, with its children's pipes still open")
    func killed() async throws {
        let start = ContinuousClock.now
        let outcome = try await bash("echo $$; sleep 20 & wait").run(killedAfter: .milliseconds(300))
        #expect(outcome.status == -SIGKILL && ContinuousClock.now - start < .seconds(60))
        let process = try #require(Int32(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Not even there as a zombie, which a signal would still reach.
        #expect(kill(process, 0) == -1)
    }

    @Test("what is done meanwhile knows the process, and an error there ends it")
    func meanwhile() async throws {
        let outcome = try await bash("sleep 100").run { kill($0, SIGTERM) }
        #expect(outcome.status == -SIGTERM)
        await #expect(throws: CancellationError.self) {
            try await bash("sleep 100").run { _ in throw CancellationError() }
        }
    }

    @Test("a program that is not there is an error that names it")
    func missing() async {
        await #expect {
            try await Command("/nowhere/tool").run()
        } throws: {
            "\($0)".contains("/nowhere/tool")
        }
    }

    @Test("fifty processes that end, are killed or never start leave nothing open")
    func resources() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 50) {
                _ = try await Command("/bin/cat").run(input: Data("text".utf8))
                _ = try await Command("/bin/cat").run(outputTo: "/dev/null")
                _ = try await Command("/bin/sleep", ["100"]).run(killedAfter: .milliseconds(1))
                _ = try? await Command("/nowhere/tool").run()
            }
            #expect(left.isNothing, "\(left)")
        }
    }
}
